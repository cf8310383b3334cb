"""Checks of the page with made-up answers in place of a worker's, each on a page of its own."""
import argparse
import json

import harness

# A stream that says nothing; the page must not soon ask again.
SILENT_STREAM = "retry: 600000\n\n"


def feature(vehicle, lat, lon, **members):
    """Returns the newest progress of a vehicle, as /api/vehicles has it."""
    place = {"lat": lat, "lon": lon}
    progress = {
        "vehicle_id": vehicle, "trip_id": None, "state": "idle", "time": "2026-12-01T10:00:00.000Z", "location": place,
        "reported": place, "deviation_m": None, "travelled_distance_m": None, "remaining_distance_m": None,
        "fraction": None, "eta": None, "speed_mps": None, "course_deg": None, "level": None, "active_waypoint": None,
        "remaining_waypoints": 0, "waiting_at_waypoint": False, "route_revision": None, "animation_ms": 1000, **members,
    }
    return {"type": "Feature", "geometry": {"type": "Point", "coordinates": [lon, lat]}, "properties": progress}


def giving(content_type, body):
    """Returns what answers a request."""
    return lambda route: route.fulfill(content_type=content_type, body=body)


def open_stage(live, features, answers=None, query=""):
    """Opens a page that is told of `features`, and given `answers` by glob of their URL's path."""
    staged = {"api/vehicles": json.dumps({"type": "FeatureCollection", "features": features}), **(answers or {})}

    def prepare(context):
        for path, body in staged.items():
            context.route(f"**/{path}", giving("application/json", body))
        context.route("**/api/stream?*", giving("text/event-stream", SILENT_STREAM))

    arguments = argparse.Namespace(**{**vars(live.arguments), "url": live.arguments.url + query})
    stage = harness.LiveMap(live.context.browser, arguments, prepare=prepare)
    stage.wait("(count) => window.waygate?.fleet.vehicles.size === count", len(features))
    return stage


def shows_both_sides_of_the_antimeridian(live):
    """Vehicles on both sides of the antimeridian are neighbours in the overview."""
    places = {"fiji": (-17.8, 177.4), "taveuni": (-16.8, -179.9), "samoa": (-13.8, -171.8)}
    stage = open_stage(live, [feature(vehicle, *place) for vehicle, place in places.items()])
    stage.wait("() => waygate.markers.visible === 3")
    assert stage.page.evaluate("waygate.map.getZoom()") >= 6, "the overview shows half the world"
    stage.shoot("antimeridian")
    for vehicle in places:
        stage.page.click(f"#vehicle-list .row[data-id='{vehicle}']")
        stage.page.keyboard.press("f")
        stage.wait("() => waygate.map.getZoom() >= 15 && waygate.markers.visible === 1")
    stage.close()


def gathers_what_would_overlap(live):
    """Many vehicles are gathered with a count; a click comes nearer, until each is seen."""
    yard = [feature(f"van-{i}", 47.14 + i % 20 * 0.0004, 9.52 + i // 20 * 0.0006) for i in range(400)]
    stage = open_stage(live, [*yard, feature("truck-1", 47.5, 9.9, state="held")])
    stage.wait("() => waygate.markers.groups.length > 0")
    for _ in range(8):
        groups = stage.page.evaluate("""() => {
          const { map, markers } = waygate;
          const seen = markers.groups.reduce((sum, { vehicles }) => sum + vehicles.length, 0) + markers.near.length;
          const box = map.getContainer().getBoundingClientRect();
          const places = markers.groups.map(({ x, y }) => {
            const latitude = Math.atan(Math.sinh(Math.PI * (1 - y / 128))) * 180 / Math.PI;
            const point = map.latLngToContainerPoint([latitude, x / 256 * 360 - 180]);
            return [point.x + box.left, point.y + box.top];
          });
          return { seen, inView: markers.visible, places };
        }""")
        assert groups["seen"] >= groups["inView"], groups
        for i, (x, y) in enumerate(groups["places"]):
            others = [other for other in groups["places"][:i] if abs(other[0] - x) < 12 and abs(other[1] - y) < 12]
            assert not others, f"groups lie on each other at {x}, {y}"
        if not groups["places"]:
            break
        stage.shoot("gathered")
        zoom = stage.page.evaluate("waygate.map.getZoom()")
        stage.page.mouse.click(*groups["places"][0])
        stage.wait("(zoom) => waygate.map.getZoom() > zoom && !waygate.markers.isZooming && !waygate.map._animatingZoom", zoom)
        stage.page.wait_for_timeout(200)
    assert not groups["places"], "they never come apart"
    stage.close()


CHECKS = [gathers_what_would_overlap, shows_both_sides_of_the_antimeridian]
