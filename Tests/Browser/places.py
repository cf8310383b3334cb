"""Checks of what the page does with places, on stages with made-up ones."""
import json

from staged import HOSTILE, SILENT_STREAM, complaints_of_axe, feature, open_stage


def polygon(place, rings, **properties):
    return {"type": "Feature", "id": place, "geometry": {"type": "Polygon", "coordinates": rings},
            "properties": {"name": place, "tell": ["enter", "exit"], "revision": 1, "area_m2": 12345.6, **properties}}


def square(lat, lon, half):
    return [[lon - half, lat - half], [lon + half, lat - half], [lon + half, lat + half], [lon - half, lat + half], [lon - half, lat - half]]


def point(place, lat, lon, **properties):
    return {"type": "Feature", "id": place, "geometry": {"type": "Point", "coordinates": [lon, lat]},
            "properties": {"name": place, "tell": ["enter", "exit"], "revision": 1, **properties}}


PLACES = [
    polygon("depot", [square(47.14, 9.52, 0.006), square(47.14, 9.52, 0.002)], name="Dépôt Nord", category="depot/cold", labels=["24h"],
            description="Behind the station", speed_limit_mps=8.3, attributes={"phone": "+423 1"}),
    point("yard", 47.15, 9.535, name="Yard", category="customer", radius_m=350, rank="high"),
    polygon("night", [square(47.128, 9.535, 0.003)], name="Night zone", category="quiet",
            active={"tz": "Europe/Vienna", "weekly": [{"days": ["mo"], "from": "22:00", "to": "22:01"}]}),
    polygon("works", [square(47.128, 9.51, 0.003)], name="Road works", roadblock={}, category="closed"),
    {"type": "Feature", "id": "gate", "geometry": {"type": "LineString", "coordinates": [[9.5, 47.145], [9.508, 47.15]]},
     "properties": {"name": "Gate", "tell": ["pass"], "width_m": 20, "revision": 1}},
    point("stand", 47.155, 9.515, name="Stand", rank="always", tell=["pass"]),
    polygon("floor--1", [square(47.152, 9.548, 0.002)], name="Cellar", level="-1", parent="yard"),
    polygon("floor-2", [square(47.1515, 9.549, 0.002)], name="Second floor", level="2", parent="yard"),
]
VEHICLES = [feature("van-1", 47.144, 9.524, places=["depot"]), feature("van-2", 47.15, 9.535, places=["yard"], speed_limit_mps=8.3, speeding=True),
            feature("van-3", 47.13, 9.5)]


def message(kind, content):
    return f"event: {kind}\ndata: {json.dumps(content)}\n\n"


ALARM = {"id": "a-1", "type": "place_entered", "vehicle_id": "van-1", "trip_id": None, "time": "2026-12-01T10:00:00Z", "sequence": 1,
         "place": {"id": "depot", "name": "Dépôt Nord"}, "reason": "moved"}
STREAM = (SILENT_STREAM + message("alarm", ALARM)
          + message("alarm", {**ALARM, "id": "a-2", "type": "speeding_started", "speed_mps": 20, "limit_mps": 8.3})
          + message("event", {"id": "e-1", "type": "trip_assigned", "vehicle_id": "van-2", "trip_id": "T-1", "time": "2026-12-01T10:00:00Z"})
          + message("place", point("late", 47.135, 9.545, name="Told by the stream", category="customer", radius_m=200)))


def open_places(live, places=PLACES, query="#at=47.142,9.527,14", **options):
    """Opens a page whose worker serves places."""
    answers = {"api/places?*": json.dumps({"type": "FeatureCollection", "features": places})}
    stage = open_stage(live, VEHICLES, answers, query=query, stream=STREAM, **options)
    stage.wait("() => !document.getElementById('tab-places').hidden")
    return stage


def screen(stage, lat, lon):
    return stage.page.evaluate("""([lat, lon]) => {
      const { x, y } = waygate.map.latLngToContainerPoint([lat, lon]);
      const box = waygate.map.getContainer().getBoundingClientRect();
      return [x + box.left, y + box.top];
    }""", [lat, lon])


def shows_places(live):
    """Places lie under the routes; the tab finds them, and a click shows the smallest one's card."""
    stage = open_places(live)
    stage.wait("() => waygate.board.layer.shown.length === 9")
    stage.page.click("#tab-places")
    stage.wait("() => document.querySelectorAll('#place-list li').length === 9")
    assert stage.page.inner_text("#place-list [data-id=depot] b") == "1"
    stage.page.fill("#place-search", "DEPOT n")
    stage.wait("() => document.querySelectorAll('#place-list li').length === 1")
    stage.page.click("#place-list button")
    stage.wait("() => location.hash.includes('place=depot')")
    card = stage.page.inner_text("#place-card")
    for words in ("Dépôt Nord", "Behind the station", "30 km/h", "+423 1", "1 vehicle inside", "van-1"):
        assert words in card, f"no {words} in {card}"
    stage.shoot("place")
    stage.page.fill("#place-search", "")
    stage.page.locator("#place-categories button", has_text="customer").click()
    stage.wait("() => document.querySelectorAll('#place-list li').length === 2")
    stage.page.locator("#place-categories button", has_text="customer").click()
    # Leaflet ends a zoom that is under way where it was to end, whatever view is set meanwhile.
    stage.wait("() => !waygate.map._animatingZoom")
    # In the hole of the depot there is none.
    for place, at in {"yard": (47.1525, 9.535), "works": (47.128, 9.51), "gate": (47.1475, 9.504), "": (47.1402, 9.5202)}.items():
        stage.page.evaluate("waygate.camera.set('free'); waygate.map.setView([47.142, 9.527], 14, { animate: false })")
        stage.page.wait_for_timeout(200)
        stage.page.mouse.click(*screen(stage, *at))
        stage.wait("(place) => (waygate.selection.place ?? '') === place", place)
    stage.page.go_back()
    stage.wait("() => waygate.selection.place === 'gate'")
    stage.page.evaluate("location.hash = '#place=yard'")
    stage.wait("() => document.querySelectorAll('#place-card .floors button').length === 2")
    assert stage.page.locator("#place-card .floors button").all_inner_texts() == ["-1", "2"]
    stage.shoot("places")
    assert not complaints_of_axe(stage, "places"), complaints_of_axe(stage, "places")
    stage.close()


def lists_alarms(live):
    """Alarms are listed with the events, with a glyph and a filter of their own."""
    stage = open_places(live)
    stage.page.click("#tab-events")
    stage.wait("() => document.querySelectorAll('#event-list li').length === 3")
    stage.page.select_option("#event-kind", "alarm")
    stage.wait("() => document.querySelectorAll('#event-list li').length === 2")
    text = stage.page.inner_text("#event-list")
    assert "Came into Dépôt Nord" in text and "72 km/h where 30 km/h are allowed" in text, text
    assert stage.page.locator("#event-list .bell").count() == 2
    stage.page.select_option("#event-kind", "event")
    stage.wait("() => document.querySelectorAll('#event-list li').length === 1")
    stage.shoot("alarms")
    stage.close()


def draws_places(live):
    """A circle, a rectangle and a polygon with a hole are drawn, with undo and escape, by pointer and by keyboard."""
    stage = open_places(live)
    sent = []

    def take(route):
        sent.append((route.request.method, route.request.url.rsplit("/", 1)[-1], json.loads(route.request.post_data or "{}")))
        route.fulfill(status=202, content_type="application/json", body='{"command_id":"c-1"}')

    stage.context.route("**/api/places/*", take)
    stage.page.click("#tab-places")
    stage.page.click("[data-draw=circle]")
    for at in ((47.146, 9.5), (47.146, 9.503)):
        stage.page.mouse.click(*screen(stage, *at))
    stage.page.get_by_placeholder("Id, such as depot").fill("new-1")
    stage.page.get_by_placeholder("Name").fill("<b>New</b>")
    stage.page.click("#editor .primary")
    stage.page.fill("#token", live.arguments.token)
    stage.page.click("#token-dialog .primary")
    stage.wait("() => document.querySelector('#editor [role=status]').textContent.startsWith('Sent')")
    method, place, body = sent.pop()
    assert (method, place, body["name"]) == ("POST", "new-1", "<b>New</b>"), body
    assert abs(body["geometry"]["circle"]["radius_m"] - 227) < 10, body
    stage.page.keyboard.press("Escape")
    stage.wait("() => document.getElementById('editor').hidden")
    # By keyboard alone: the middle of the map is a point, and arrows move it.
    stage.page.focus("[data-draw=rectangle]")
    stage.page.keyboard.press("Enter")
    for _ in range(2):
        stage.page.get_by_text("Point in the middle").press("Enter")
    handles = stage.page.locator(".handle")
    handles.nth(1).focus()
    for key in ["ArrowRight"] * 4 + ["ArrowDown"] * 3:
        stage.page.keyboard.press(key)
    stage.page.get_by_placeholder("Id, such as depot").fill("new-2")
    stage.page.click("#editor .primary")
    stage.wait("() => document.querySelector('#editor [role=status]').textContent.startsWith('Sent')")
    rectangle = sent.pop()[2]["geometry"]["rectangle"]
    assert rectangle["west"] < rectangle["east"] and rectangle["south"] < rectangle["north"], rectangle
    stage.page.keyboard.press("Escape")
    # A polygon with a hole; one point too many is taken back.
    stage.page.click("[data-draw=polygon]")
    outer = [(47.15, 9.51), (47.15, 9.52), (47.146, 9.52), (47.146, 9.51)]
    for at in [*outer, (47.14, 9.5)]:
        stage.page.mouse.click(*screen(stage, *at))
    stage.page.keyboard.press("Control+z")
    stage.page.get_by_text("Add a hole").click()
    for at in ((47.149, 9.513), (47.149, 9.517), (47.147, 9.515)):
        stage.page.mouse.click(*screen(stage, *at))
    stage.shoot("drawing")
    stage.page.get_by_placeholder("Id, such as depot").fill("new-3")
    stage.page.click("#editor .primary")
    stage.wait("() => document.querySelector('#editor [role=status]').textContent.startsWith('Sent')")
    rings = sent.pop()[2]["geometry"]["polygon"]
    assert [len(ring) for ring in rings] == [5, 4] and rings[0][0] == rings[0][-1], rings
    stage.page.keyboard.press("Escape")
    # A line that closes a road in its direction, and a point; neither of them has an end that a click would move.
    for kind, clicks in (("line", [(47.15, 9.51), (47.15, 9.515), (47.151, 9.52)]), ("point", [(47.146, 9.51)])):
        stage.page.click(f"[data-draw={kind}]")
        for at in clicks:
            stage.page.mouse.click(*screen(stage, *at))
        stage.page.get_by_placeholder("Id, such as depot").fill(f"new-{kind}")
        stage.page.get_by_label("Closes the road").check()
        stage.page.click("#editor .primary")
        stage.wait("() => document.querySelector('#editor [role=status]').textContent.startsWith('Sent')")
        _, place, body = sent.pop()
        assert place == f"new-{kind}" and body["roadblock"] == {}, body
        drawn = body["geometry"]["line"]["coordinates"] if kind == "line" else [body["geometry"]["point"]]
        assert len(drawn) == len(clicks), body
        stage.page.keyboard.press("Escape")
    # A roadblock of another's is lifted, and drawn anew it would keep its times.
    stage.page.click("#tab-places")
    stage.page.click("#place-list [data-id=works]")
    stage.page.click("[data-action=edit]")
    assert stage.page.get_by_label("Closes the road").is_checked()
    stage.page.get_by_label("Closes the road").uncheck()
    stage.page.click("#editor .primary")
    stage.wait("() => document.querySelector('#editor [role=status]').textContent.startsWith('Sent')")
    assert sent.pop()[2]["roadblock"] is None
    stage.close()


def changes_places(live):
    """A vertex is dragged; what the worker refuses is shown where it is wrong; a deletion is asked about."""
    stage = open_places(live)
    sent = []

    def take(route):
        sent.append((route.request.method, json.loads(route.request.post_data or "{}")))
        is_refused = route.request.method == "POST"
        body = '{"error":"geometry.polygon: edges cross at 9.5200 47.1400"}' if is_refused else '{"command_id":"c-1"}'
        route.fulfill(status=400 if is_refused else 202, content_type="application/json", body=body)

    stage.context.route("**/api/places/*", take)
    stage.page.click("#tab-places")
    stage.page.click("#place-list [data-id=depot]")
    stage.page.evaluate("waygate.map.setView([47.14, 9.52], 14, { animate: false })")
    stage.page.click("[data-action=edit]")
    stage.wait("() => document.querySelectorAll('.handle').length === 8")
    box = stage.page.locator(".handle").nth(0).bounding_box()
    stage.page.mouse.move(box["x"] + 8, box["y"] + 8)
    stage.page.mouse.down()
    stage.page.mouse.move(box["x"] + 48, box["y"] - 32, steps=5)
    stage.page.mouse.up()
    stage.expects_loss = True  # the refusal is also written to the console
    stage.page.click("#editor .primary")
    stage.page.fill("#token", live.arguments.token)
    stage.page.click("#token-dialog .primary")
    stage.wait("() => document.querySelector('#editor [data-kind=bad]')?.textContent.includes('edges cross')")
    stage.expects_loss = False
    body = sent.pop()[1]
    assert body["category"] == "depot/cold" and "revision" not in body and "area_m2" not in body, body
    assert body["geometry"]["polygon"][0][0] != square(47.14, 9.52, 0.006)[0], "nothing was dragged"
    stage.shoot("refused")
    stage.page.keyboard.press("Escape")
    stage.page.click("[data-action=delete]")
    stage.page.click("#confirm-ok")
    stage.wait("() => document.querySelector('#notices p')")
    assert sent.pop()[0] == "DELETE"
    stage.close()


def takes_places_as_text(live):
    """Hostile names, levels, labels and colours of places are text."""
    places = [polygon(f"p{i}" if "\u0000" in text else text, [square(47.14 + i / 500, 9.52, 0.0008)], name=text, category=text, level=text, parent=text,
                      labels=[text], description=text, color=text, rank=text, attributes={text: text}, tell=[text],
                      active={"tz": text, "weekly": [{"days": [text], "from": text, "to": text}]}) for i, text in enumerate(HOSTILE)]
    stage = open_places(live, places)
    stage.page.click("#tab-places")
    for i in range(len(places)):
        stage.page.locator("#place-list button").nth(i).click()
        stage.wait("() => !document.getElementById('place-card').hidden")
    assert stage.page.evaluate("window.harmed === undefined && document.querySelectorAll('img[src=x], main b, #panel script').length === 0")
    stage.shoot("hostile-places")
    stage.close()


def hides_the_tab_without_places(live):
    """Where the worker serves no places there is no tab for them."""
    stage = open_stage(live, VEHICLES)
    stage.page.wait_for_timeout(600)
    assert stage.page.locator("#tab-places").is_hidden()
    stage.close()


CHECKS = [shows_places, lists_alarms, draws_places, changes_places, takes_places_as_text, hides_the_tab_without_places]
