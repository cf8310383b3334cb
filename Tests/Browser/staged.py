"""Checks of the page with made-up answers in place of a worker's, each on a page of its own."""
import argparse
import json

from axe_playwright_python.sync_playwright import Axe

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


def open_stage(live, features, answers=None, query="", stream=SILENT_STREAM, **options):
    """Opens a page that is told of `features` and `stream`, and given `answers` by glob of their URL's path."""
    staged = {"api/vehicles": json.dumps({"type": "FeatureCollection", "features": features}), **(answers or {})}

    def prepare(context):
        for path, body in staged.items():
            context.route(f"**/{path}", giving("application/json", body))
        context.route("**/api/stream?*", giving("text/event-stream", stream))

    arguments = argparse.Namespace(**{**vars(live.arguments), "url": live.arguments.url + query})
    stage = harness.LiveMap(live.context.browser, arguments, prepare=prepare, **options)
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


def shows_what_its_address_says(live):
    """What is chosen, seen and filtered stands in the address, and Back takes a choice back."""
    fleet = [feature(f"van-{i}", 47.1 + i / 100, 9.5, trip_id=f"T-{i}", state="tracking") for i in range(4)]
    fleet.append(feature("truck 1/ü", 47.2, 9.6, state="held", level="2"))
    stage = open_stage(live, fleet, query="#vehicle=van-2&at=47.14,9.52,13")
    stage.wait("() => waygate.selection.id === 'van-2' && !document.getElementById('details').hidden")
    view = stage.page.evaluate("[waygate.map.getCenter().lat, waygate.map.getCenter().lng, waygate.map.getZoom()]")
    assert abs(view[0] - 47.14) < 0.001 and abs(view[1] - 9.52) < 0.001 and view[2] == 13, view
    stage.page.click("#vehicle-list .row[data-id='van-1']")
    stage.wait("() => location.hash.includes('vehicle=van-1')")
    stage.page.go_back()
    stage.wait("() => waygate.selection.id === 'van-2'")
    stage.page.go_forward()
    stage.wait("() => waygate.selection.id === 'van-1'")
    stage.page.evaluate("location.hash = '#trip=T-3'")
    stage.wait("() => waygate.selection.id === 'van-3' && waygate.map.getZoom() >= 15")
    stage.page.evaluate("location.hash = '#state=held&level=2&tab=events&q=truck'")
    stage.wait("() => waygate.markers.ordered.length === 1 && document.getElementById('vehicles').hidden")
    assert stage.page.input_value("#search") == "truck"
    stage.page.fill("#search", "1/ü")
    stage.wait("() => location.hash.includes('q=1%2F%C3%BC') && location.hash.includes('state=held')")
    for nonsense in ("#vehicle=%E0%A4%A&at=1,2", "#at=NaN,900,-1&state=__proto__&tab=x", "#&&==&vehicle"):
        stage.page.evaluate("(hash) => { location.hash = hash; }", nonsense)
        stage.wait("() => waygate.markers.ordered.length === 5")
    stage.close()


def hangs_on_a_wall(live):
    """With ?kiosk the map fills the screen, and what is wrong stands large upon it."""
    stage = open_stage(live, [feature("van-1", 47.1, 9.5)], query="?kiosk")
    assert stage.page.locator("#map").bounding_box()["width"] == 1280
    assert not stage.page.locator("#panel").is_visible()
    # Nobody is there to click: the page goes on trying by itself.
    assert stage.page.locator("#kiosk-status").inner_text() == "Reconnecting"
    stage.close()


def speaks_german(live):
    """The page is German where the browser is, with German numbers, and in the units that are set."""
    stop = {"index": 0, "lat": 47.1, "lon": 9.5, "id": None, "name": None}
    driven = feature("van-1", 47.1, 9.5, trip_id="T", state="tracking", speed_mps=20, remaining_distance_m=12345.6,
                     travelled_distance_m=100, fraction=0.1, active_waypoint=stop)
    for query, words in {
        "": ["Unterwegs", "12,3 km", "72 km/h", "Halt 1", "Fahrt T"],
        "?units=imperial": ["7,7 mi", "45 mph", "330 ft"],
        "?units=nautical": ["6,7 NM", "39 kn", "100 m"],
        "?lang=en&units=metric": ["Under way", "Stop 1", "12.3 km"],
    }.items():
        stage = open_stage(live, [driven], query=query, locale="de-AT")
        stage.page.click("#vehicle-list .row[data-id='van-1']")
        stage.wait("() => !document.getElementById('details').hidden")
        text = stage.page.inner_text("body")
        for word in words:
            assert word in text, f"no {word} with {query}: {text}"
        stage.shoot("german" + query.replace("?", "-").replace("&", "-"))
        stage.close()


def has_all_words_in_all_languages(live):
    """Each language has the same texts with the same places for values, and the document names none that is missing."""
    stage = open_stage(live, [])
    missing = stage.page.evaluate("""async () => {
      const languages = document.documentElement.dataset.languages.split(",");
      const all = await Promise.all(languages.map(async (tag) => (await import(`./page/words-${tag}.js`)).default));
      const slots = (text) => [...new Set(JSON.stringify(text).match(/\{\w+\}/g) ?? [])].sort().join();
      const wrong = [];
      for (const words of all) {
        for (const key in all[0]) {
          if (!(key in words)) wrong.push(key);
          else if (slots(words[key]) !== slots(all[0][key])) wrong.push(`values of ${key}`);
        }
        for (const key in words) if (!(key in all[0])) wrong.push(key);
      }
      for (const element of document.querySelectorAll("*")) {
        for (const { name, value } of element.attributes) {
          if (name.startsWith("data-say") && !(value in all[0])) wrong.push(value);
        }
      }
      return [languages.length > 1 ? [] : ["one language only"], wrong].flat();
    }""")
    assert not missing, missing
    stage.close()


# Texts that would do harm, or show themselves, if anything took them for HTML.
HOSTILE = [
    "<img src=x onerror=\"window.harmed = 1\">", "\"><script>window.harmed = 1</script>", "'];window.harmed=1;['",
    "{vehicle}{{commands}}${window.harmed = 1}", "__proto__", "\u202etxt.exe\u0000\n", "&lt;b&gt;bold&lt;/b&gt;", "a" * 200,
]


def takes_names_as_text(live):
    """Hostile names in every field are shown as the text that they are."""
    for text in HOSTILE:
        name = text.replace("/", "_").replace("+", "_").replace("#", "_")[:120]
        stop = {"index": 0, "lat": 47.1, "lon": 9.5, "id": text, "name": text}
        vehicle = feature(name, 47.1, 9.5, trip_id=text, state="held", level=text, active_waypoint=stop, remaining_distance_m=10,
                          travelled_distance_m=5, eta=text)
        point = {"type": "Point", "coordinates": [9.5, 47.1]}
        route = {
            "type": "FeatureCollection",
            "properties": {"trip_id": text, "vehicle_id": name, "route_revision": 1, "length_m": 100},
            "features": [
                {"type": "Feature", "geometry": {"type": "LineString", "coordinates": [[9.5, 47.1], [9.6, 47.2]]},
                 "properties": {"kind": "remaining"}},
                {"type": "Feature", "geometry": point, "properties": {"kind": "via_point", "status": text, **stop}},
                {"type": "Feature", "geometry": point, "properties": {"kind": "destination", "name": text}},
            ],
        }
        proposal = {
            "type": "Feature", "geometry": {"type": "LineString", "coordinates": [[9.5, 47.1], [9.6, 47.3]]},
            "properties": {"trip_id": text, "vehicle_id": name, "proposal": text, "gain_s": text, "length_m": text, "branch_distance_m": text,
                           "valid_until": "2099-01-01T00:00:00Z"},
        }
        event = {"id": text, "type": text, "vehicle_id": name, "trip_id": text, "time": "2026-12-01T10:00:00Z"}
        told = [event] + [{**event, "id": f"{text}{kind}", "type": kind, "waypoint": stop, "reason": text, "error": text,
                           "destination": stop, "command": text, "detail": text, "distance_m": 5} for kind in EVENTS]
        stream = SILENT_STREAM + "".join(f"event: event\ndata: {json.dumps(one)}\n\n" for one in told)
        ground = json.dumps({"minzoom": 11, "maxzoom": 14, "attribution": text})
        ready = json.dumps({"ready": False, "parts": [{"part": text, "ok": False, "detail": text}]})
        answers = {"api/vehicles/*/route": json.dumps(route), "api/vehicles/*/proposal": json.dumps(proposal), "api/ground": ground, "readyz": ready}
        stage = open_stage(live, [vehicle], answers, stream=stream)
        stage.page.click("#vehicle-list .row >> nth=0")
        stage.wait("() => document.querySelectorAll('#details .stops li').length === 1")
        assert stage.page.text_content("#details h2") == name
        assert stage.page.text_content("#details .stops span") == text
        stage.page.click("#tab-events")
        stage.wait("(count) => document.querySelectorAll('#event-list li').length === count", len(told))
        assert stage.page.evaluate("window.harmed === undefined && document.querySelectorAll('img[src=x], main b, #panel script').length === 0")
        stage.shoot("hostile")
        stage.close()


def is_for_everyone(live):
    """axe-core finds nothing to complain of, in light and dark, with all that can be open."""
    stop = {"index": 0, "lat": 47.1, "lon": 9.5, "id": None, "name": "Depot"}
    fleet = [feature(f"van-{i}", 47.1, 9.5 + i / 100, state=state, trip_id=f"T-{i}", level="1", active_waypoint=stop,
                     deviation_m=150 if state == "tracking" else 0, fraction=0.4, remaining_distance_m=1000, travelled_distance_m=9)
             for i, state in enumerate(["held", "tracking", "rerouting", "awaiting_route", "idle", "arrived", "stopped"])]
    told = [{"id": kind, "type": kind, "vehicle_id": "van-1", "trip_id": "T-1", "time": "2026-12-01T10:00:00Z", "waypoint": stop,
             "reason": "deviation", "error": "timeout", "command": "skip", "detail": "no", "deviation_m": 9, "distance_m": 9,
             "held": True} for kind in EVENTS]
    stream = SILENT_STREAM + "".join(f"event: event\ndata: {json.dumps(one)}\n\n" for one in told)
    stage = open_stage(live, fleet, stream=stream)
    found = []
    for scheme in ("light", "dark"):
        stage.page.emulate_media(color_scheme=scheme)
        stage.page.click("#tab-vehicles")
        stage.page.click("#vehicle-list .row[data-id='van-0']")
        stage.wait("() => !document.getElementById('details').hidden")
        found += complaints_of_axe(stage, f"{scheme}, vehicles")
        stage.page.click("#tab-events")
        stage.wait("() => document.querySelectorAll('#event-list li').length > 3")
        found += complaints_of_axe(stage, f"{scheme}, events")
        stage.page.click("#help")
        found += complaints_of_axe(stage, f"{scheme}, help")
        stage.page.keyboard.press("Escape")
    assert not found, "\n       ".join(found)
    stage.close()


def complaints_of_axe(stage, where):
    """Returns what axe-core finds on a page, in lines."""
    stage.page.wait_for_timeout(250)
    violations = Axe().run(stage.page).response["violations"]
    return [f"{where}: {rule['id']}: {node['html'][:150]} {[check['message'] for check in node['any'] + node['all']][:1]}"
            for rule in violations for node in rule["nodes"]]


def offers_a_better_route(live):
    """A better route is drawn beside the one in force, with what it gains, and Accept and Decline answer it by its number."""
    van = feature("van", 47.1, 9.5, trip_id="t", state="tracking", route_revision=1, remaining_distance_m=9000, travelled_distance_m=0)
    line = {"type": "LineString", "coordinates": [[9.5, 47.1], [9.55, 47.13], [9.62, 47.1]]}
    proposal = {"type": "Feature", "geometry": line, "properties": {
        "trip_id": "t", "vehicle_id": "van", "proposal": 4, "gain_s": 480, "duration_s": 900, "length_m": 12300,
        "branch": {"lat": 47.1, "lon": 9.51}, "branch_distance_m": 750, "valid_until": "2099-01-01T00:00:00.000Z"}}
    route = {"type": "FeatureCollection", "properties": {"trip_id": "t", "vehicle_id": "van", "route_revision": 1, "length_m": 9000},
             "features": [{"type": "Feature", "properties": {"kind": "remaining"},
                           "geometry": {"type": "LineString", "coordinates": [[9.5, 47.1], [9.62, 47.1]]}}]}
    told = {"id": "e1", "type": "roadblock_ahead", "vehicle_id": "van", "trip_id": "t", "time": "2026-12-01T10:00:00Z",
            "place": {"id": "b", "name": "<b>Bridge</b>"}, "distance_m": 1200}
    answers = {"api/vehicles/van/route": route, "api/vehicles/van/proposal": proposal,
               "api/vehicles/van/accept": {"command_id": "c1"}, "api/vehicles/van/decline": {"command_id": "c2"}}
    stage = open_stage(live, [van], {path: json.dumps(body) for path, body in answers.items()},
                       stream=SILENT_STREAM + f"event: event\ndata: {json.dumps(told)}\n\n")
    stage.page.evaluate("sessionStorage.setItem('waygate-command-token', 'demo')")
    stage.page.click("#vehicle-list .row[data-id='van']")
    stage.wait("() => document.querySelector('#details .offer')")
    text = stage.page.inner_text("#details .offer")
    assert "8 min faster" in text and "12.3 km" in text and "750 m" in text, text
    assert not complaints_of_axe(stage, "offer")
    stage.page.keyboard.press("o")
    stage.page.wait_for_timeout(600)
    stage.shoot("proposal")
    for name in ("accept", "decline"):
        with stage.page.expect_request(f"**/api/vehicles/van/{name}") as sent:
            stage.page.focus(f"#details [data-command={name}]")
            stage.page.keyboard.press("Enter")
        assert sent.value.post_data_json == {"proposal": 4}, sent.value.post_data
    gone = {"type": "better_route_gone", "vehicle_id": "van", "trip_id": "t", "reason": "declined"}
    stage.page.evaluate("(event) => waygate.proposals.noteEvent(event)", gone)
    stage.wait("() => !document.querySelector('#details .offer')")
    stage.page.click("#tab-events")
    stage.wait("() => document.querySelector('#event-list [data-type=roadblock_ahead]')")
    assert "<b>Bridge</b> is 1.2 km ahead" in stage.page.inner_text("#event-list")
    stage.close()


def replays_a_day(live):
    """A vehicle's day is replayed by slider, keyboard and Play, with its stops, visits and speedings; names are text."""
    midnight = "new Date(new Date().toDateString()).getTime()"
    van = feature("van", 47.1, 9.5)
    day = live.page.evaluate(midnight)
    fixes = [[day + i * 60_000, 47.1, 9.5 + i / 1000, 12.5, 90, 5, True] for i in range(61)]
    iso = lambda minutes: live.page.evaluate("(time) => new Date(time).toISOString()", day + minutes * 60_000)
    answers = {
        "api/vehicles/van/track?*": {"columns": [], "fixes": fixes, "truncated": False},
        "api/reports/stops?*": {"rows": [{"began_at": iso(20), "ended_at": iso(32), "duration_s": 720, "place": "<b>Yard</b>"}]},
        "api/reports/visits?*": {"rows": [{"entered_at": iso(19), "left_at": iso(33), "inside_s": 840, "name": "Yard"}]},
        "api/reports/speedings?*": {"rows": [{"began_at": iso(40), "ended_at": iso(41), "top_speed_mps": 25, "limit_mps": 13.9}]},
    }
    stage = open_stage(live, [van], {path: json.dumps(body) for path, body in answers.items()})
    stage.page.click("#vehicle-list .row[data-id='van']")
    stage.page.click("#details .day")
    stage.wait("() => document.querySelectorAll('#history li').length === 3")
    texts = stage.page.locator("#history li").all_inner_texts()
    assert "In Yard for 14 min" in texts[0] and "Stood for 12 min at <b>Yard</b>" in texts[1] and "90 km/h" in texts[2], texts
    found = complaints_of_axe(stage, "history")
    assert not found, found
    minute = lambda: stage.page.evaluate("(day) => (waygate.history.time - day) / 60000", day)
    longitude = lambda: stage.page.evaluate("() => waygate.history.place.x / 256 * 360 - 180")
    assert minute() == 0
    stage.page.focus("#history input[type=range]")
    stage.page.keyboard.press("ArrowRight")
    assert abs(minute() - 1 / 6) < 0.01 and abs(longitude() - (9.5 + minute() / 1000)) < 1e-6, (minute(), longitude())
    stage.page.click("#history li:nth-child(2) button")
    assert minute() == 20 and abs(longitude() - 9.52) < 1e-6
    stage.shoot("history")
    stage.page.click("#history .controls button")
    stage.wait("(day) => waygate.history.time > day + 21 * 60000", day)
    stage.page.click("#history .controls button")
    stopped = minute()
    stage.page.wait_for_timeout(300)
    assert minute() == stopped
    stage.page.keyboard.press("Escape")
    stage.wait("() => document.getElementById('history').hidden")
    shows_only_the_day_last_asked_for(stage)
    stage.close()


def shows_only_the_day_last_asked_for(stage):
    """Nothing is shown or played before its answer, and an answer that comes after the panel was closed shows nothing."""
    held = []
    stage.page.route("**/api/vehicles/van/track?*", lambda route: held.append(route))
    stage.page.evaluate("waygate.history.open('van')")
    stage.wait("() => document.querySelector('#history .controls button').disabled")
    stage.page.keyboard.press("Escape")
    with stage.page.expect_event("requestfinished", lambda request: "/track?" in request.url):
        held.pop().fallback()
    stage.page.wait_for_timeout(100)
    assert stage.page.evaluate("waygate.history.day === null"), "a day is drawn that was closed"
    stage.page.unroute_all()
    stage.page.evaluate("waygate.history.open('van')")
    stage.wait("() => document.querySelectorAll('#history li').length === 3")
    stage.page.route("**/api/vehicles/gone/track?*", lambda route: route.fulfill(json={"error": "out of order"}))
    stage.page.evaluate("waygate.history.open('gone')")
    stage.wait("() => document.querySelector('#history p').textContent === 'out of order'")
    assert stage.page.evaluate("waygate.history.day === null"), "another vehicle's day is still drawn"
    assert stage.page.is_disabled("#history .controls button")
    stage.page.unroute_all()


EVENTS = [
    "trip_assigned", "waypoint_reached", "waypoint_resumed", "waypoint_skipped", "will_reroute", "rerouted", "reroute_failed",
    "arrived", "trip_stopped", "hold_breached", "command_rejected", "waypoint_approached", "skip_suggested",
    "roadblock_ahead", "better_route_found", "better_route_gone",
]

CHECKS = [
    shows_what_its_address_says, hangs_on_a_wall, speaks_german, has_all_words_in_all_languages, takes_names_as_text,
    is_for_everyone, offers_a_better_route, replays_a_day, gathers_what_would_overlap, shows_both_sides_of_the_antimeridian,
]
