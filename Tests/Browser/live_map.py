#!/usr/bin/env python3
"""Drives the live map in headless Chromium and checks what a person would look for.

Usage: live_map.py DEMO [--vehicles N] [--screenshots FOLDER]

DEMO is the program ConsoleDemo, whose fleet is made up. The page must come to show N vehicles, and its frames
are measured meanwhile.
"""
import contextlib
import json
import sys
import threading
import time

import places
import staged
from harness import LiveMap, Program, free_port, opened, parser, run, wait_for

# Whether the middle of the map has roads of another colour than the land, and names.
ROADS_ARE_DRAWN = """() => {
  const pixels = (canvas) => {
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    return copy.getImageData(0, 0, canvas.width, canvas.height).data;
  };
  const colors = new Set();
  for (const canvas of document.querySelectorAll("canvas.ground")) {
    const data = pixels(canvas);
    for (let i = 0; i < data.length; i += 4 * 97) colors.add(data[i] * 65536 + data[i + 1] * 256 + data[i + 2]);
  }
  return colors.size > 3 && pixels(document.querySelector(".ground-names")).some((value) => value > 0);
}"""

MEASURE_FRAMES = """async (seconds) => {
  const { markers } = waygate;
  const times = [];
  const [frames, drawMs] = [markers.frames, markers.drawMs];
  await new Promise((resolve) => {
    const start = performance.now();
    const tick = (now) => {
      times.push(now);
      if (now - start < seconds * 1000) requestAnimationFrame(tick);
      else resolve();
    };
    requestAnimationFrame(tick);
  });
  const gaps = times.slice(1).map((time, i) => time - times[i]).sort((a, b) => a - b);
  const drawn = markers.frames - frames;
  return {
    vehicles: markers.ordered.length, visible: markers.visible,
    frames_per_second: gaps.length / seconds, median_gap_ms: gaps[gaps.length >> 1],
    p99_gap_ms: gaps[Math.floor(gaps.length * 0.99)], longest_gap_ms: gaps.at(-1),
    draws_per_second: drawn / seconds, draw_ms: (markers.drawMs - drawMs) / Math.max(1, drawn),
  };
}"""


def appears(live):
    """A vehicle appears and the connection is live."""
    live.wait("() => document.querySelectorAll('#vehicle-list .row:not([hidden])').length > 0")
    live.wait("() => document.getElementById('status').dataset.state === 'live'")


def glides_along_its_road(live):
    """A vehicle moves between fixes, and never leaves its road on the way."""
    vehicle = live.moving_vehicle()
    live.choose(vehicle)
    live.page.click("#follow")
    live.check_glide(vehicle)
    middle = live.page.evaluate("""(id) => {
      const { map, fleet } = waygate;
      const { x, y } = fleet.get(id).glide;
      const place = map.containerPointToLatLng(map.getSize().divideBy(2));
      return Math.hypot((place.lng + 180) / 360 * 256 - x,
        (0.5 - Math.asinh(Math.tan(place.lat * Math.PI / 180)) / (2 * Math.PI)) * 256 - y) * 2 ** map.getZoom();
    }""", vehicle)
    assert middle < 12, f"followed, but {middle:.0f} px from the middle"
    live.shoot("follow")
    live.page.click("#overview")


def shows_details(live):
    """A click on a marker shows the vehicle's details."""
    live.page.keyboard.press("Escape")
    vehicle = live.moving_vehicle()
    # So near that no other marker lies above it.
    live.page.evaluate("""(id) => {
      const { lat, lon } = waygate.fleet.get(id).progress.location;
      waygate.camera.set("free");
      waygate.map.setView([lat, lon], 17, { animate: false });
    }""", vehicle)
    live.page.wait_for_timeout(900)
    point = live.page.evaluate("""(id) => {
      const { map, fleet } = waygate;
      const { x, y } = fleet.get(id).glide;
      const scale = 2 ** map.getZoom();
      const [pane, origin] = [map.layerPointToContainerPoint([0, 0]), map.getPixelOrigin()];
      const box = map.getContainer().getBoundingClientRect();
      return [x * scale - origin.x + pane.x + box.left, y * scale - origin.y + pane.y + box.top];
    }""", vehicle)
    live.page.mouse.click(*point)
    live.wait("() => !document.getElementById('details').hidden")
    text = live.page.inner_text("#details")
    for word in ("Arrives", "Remaining", "Speed", "Next"):
        assert word in text, f"no {word} in the details: {text}"
    live.shoot("details")


def shows_details_of_a_route(live):
    """A click on a route shows the details of its vehicle."""
    live.page.keyboard.press("Escape")
    # With many vehicles in view no routes are drawn.
    live.page.evaluate("waygate.map.setZoom(17, { animate: false })")
    live.wait("() => waygate.selection.id === null && waygate.network.lines.size > 0")
    point = live.page.evaluate("""() => {
      const { map, markers, network } = waygate;
      const box = map.getContainer().getBoundingClientRect();
      for (const [vehicle, { route }] of network.lines) {
        const { xs, ys } = route.line;
        for (let i = 1; i < xs.length; i++) {
          const latitude = Math.atan(Math.sinh(Math.PI * (1 - 2 * ys[i] / 256))) * 180 / Math.PI;
          const point = map.latLngToContainerPoint([latitude, xs[i] / 256 * 360 - 180]);
          const isOnMap = point.x > 80 && point.y > 80 && point.x < box.width - 80 && point.y < box.height - 80;
          if (isOnMap && !markers.at(point) && network.at(point)) return [point.x + box.left, point.y + box.top];
        }
      }
      return null;
    }""")
    assert point, "no route lies free of vehicles"
    live.page.mouse.click(*point)
    live.wait("() => waygate.selection.id !== null && !document.getElementById('details').hidden")


def proceeds(live):
    """A held vehicle is listed first, waits, and goes on after Proceed with the right token."""
    live.wait("() => document.querySelector('#held-list .proceed:not([disabled])')")
    before = live.page.inner_text("#held-list li time")
    live.wait("(text) => document.querySelector('#held-list li time').textContent !== text", before)
    live.page.locator("#held-list .proceed:not([disabled])").first.click()
    assert live.page.locator("#token-dialog").is_visible(), "no token was asked for"
    live.page.fill("#token", "not the token")
    live.expects_loss = True  # the refusal is also written to the console
    live.page.click("#token-dialog .primary")
    live.wait("() => document.getElementById('token-reason').textContent.includes('not the one')")
    live.expects_loss = False
    live.page.fill("#token", live.arguments.token)
    live.page.click("#token-dialog .primary")
    # Somebody else may have released the vehicle meanwhile: then the next one must do.
    for _ in range(4):
        live.wait("() => document.querySelector('#notices p')")
        notice = live.page.inner_text("#notices p >> nth=-1")
        if notice.endswith(": done"):
            break
        live.wait("() => document.querySelector('#held-list .proceed:not([disabled])')")
        live.page.locator("#held-list .proceed:not([disabled])").first.click()
        assert not live.page.locator("#token-dialog").is_visible(), "the token was asked for twice"
        live.wait("(text) => [...document.querySelectorAll('#notices p')].at(-1)?.textContent !== text", notice)
    assert notice.endswith(": done"), notice
    vehicle = notice.removeprefix("Proceed ").removesuffix(": done")
    live.page.click("#tab-events")
    live.wait("(id) => [...document.querySelectorAll('#event-list [data-type=waypoint_resumed] strong')]"
              ".some((name) => name.textContent === id)", vehicle)
    live.shoot("events")
    live.page.click("#tab-vehicles")


def takes_an_early_answer(live):
    """An event that overtakes the response to its command still answers it."""
    def delay(route):
        response = route.fetch()
        time.sleep(1.5)
        route.fulfill(response=response)

    live.page.route("**/proceed", delay)
    # The list is a moment behind the fleet: the vehicle before may still be in it.
    held = """() => [...document.querySelectorAll('#held-list li')].map((item) => item.dataset.id)
      .find((id) => waygate.fleet.get(id)?.state === 'held')"""
    live.wait(f"() => ({held})() !== undefined")
    vehicle = live.page.evaluate(held)
    # By its event alone: the list may move under a pointer, and clicking with one has a check of its own.
    live.page.dispatch_event(f"#held-list [data-id='{vehicle}'] .proceed", "click")
    live.wait("(id) => [...document.querySelectorAll('#notices p')].some((p) => p.textContent.startsWith(`Proceed ${id}: `))",
              vehicle)
    notice = live.page.locator("#notices p", has_text=f"Proceed {vehicle}: ").last.inner_text()
    assert "no answer" not in notice, notice
    live.page.unroute("**/proceed")


def filters(live):
    """Search and state narrow list and map."""
    everything = live.page.evaluate("waygate.markers.ordered.length")
    vehicle = live.moving_vehicle()
    live.page.keyboard.press("/")
    assert live.page.evaluate("document.activeElement.id") == "search"
    live.page.keyboard.type(vehicle.upper())
    live.wait("(id) => waygate.markers.ordered.length > 0 && waygate.markers.ordered.every((v) => v.id.includes(id))", vehicle)
    live.page.fill("#search", "no such vehicle")
    live.wait("() => !document.getElementById('vehicles-empty').hidden")
    live.page.fill("#search", "")
    live.page.locator("#states button", has_text="Held").click()
    live.wait("() => waygate.markers.ordered.every((vehicle) => vehicle.state === 'held')")
    live.page.locator("#states button", has_text="Held").click()
    live.wait("(count) => waygate.markers.ordered.length >= count", everything)


def works_by_keyboard(live):
    """List, follow, help and close work without a pointer."""
    live.page.focus("#vehicle-list")
    live.page.keyboard.press("Home")
    live.page.keyboard.press("ArrowDown")
    live.wait("() => !document.getElementById('details').hidden")
    chosen = live.page.get_attribute("#vehicle-list", "aria-activedescendant")
    assert live.page.get_attribute(f"#{chosen}", "aria-selected") == "true"
    live.page.keyboard.press("f")
    assert live.page.get_attribute("#follow", "aria-pressed") == "true"
    live.page.keyboard.press("o")
    live.page.keyboard.press("?")
    assert live.page.locator("#help-dialog").is_visible()
    live.page.keyboard.press("Escape")
    live.page.keyboard.press("Escape")
    live.wait("() => document.getElementById('details').hidden")


def fits_a_phone_and_the_dark(live):
    """Nothing is cut off on a phone, in light or dark."""
    for scheme in ("light", "dark"):
        live.page.emulate_media(color_scheme=scheme)
        live.page.set_viewport_size({"width": 390, "height": 844})
        live.page.wait_for_timeout(500)
        assert live.page.evaluate("document.documentElement.scrollWidth") <= 390
        for element in ("#map", "#search", "#vehicle-list"):
            box = live.page.locator(element).bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= 390, f"{element} is cut off"
        live.shoot(f"phone-{scheme}")
        live.page.set_viewport_size({"width": 1280, "height": 800})
        live.page.wait_for_timeout(300)
        live.shoot(f"desktop-{scheme}")
    live.page.emulate_media(color_scheme="light")


def stands_on_roads(live):
    """Roads with names lie under the vehicles, whichever way the map is moved."""
    live.page.keyboard.press("Escape")
    live.page.evaluate("waygate.camera.set('free'); waygate.map.setView([47.14, 9.52], 15, { animate: false })")
    live.wait(ROADS_ARE_DRAWN)
    assert live.page.inner_text(".leaflet-control-attribution") == "Made-up streets"
    live.page.evaluate("waygate.map.setZoom(17, { animate: false })")
    live.wait(ROADS_ARE_DRAWN)
    # Beyond the deepest tiles, and far above them, where there is nothing to show.
    for zoom in (19, 3):
        live.page.evaluate("(zoom) => waygate.map.setZoom(zoom, { animate: false })", zoom)
        live.wait("() => [...document.querySelectorAll('canvas.ground')].every((canvas) => canvas.width > 300)")
    live.page.keyboard.press("o")


def recovers(live):
    """After a restart of the server the page goes on by itself."""
    live.expects_loss = True
    restart = threading.Thread(target=live.restart)
    restart.start()
    live.wait("() => document.getElementById('status').dataset.state !== 'live'")
    live.shoot("lost")
    live.wait("() => document.getElementById('status').dataset.state === 'live'", seconds=60)
    restart.join()
    since = live.page.evaluate("performance.now()")
    live.wait("(since) => [...waygate.fleet.vehicles.values()].some((v) => v.toldAt > since && v.glide.end > 0)", since, 30)
    live.expects_loss = False


def stays_smooth(live):
    """All vehicles are shown, and frames keep coming; prints how many."""
    live.wait("(count) => waygate.markers.ordered.length >= count", live.arguments.vehicles)
    live.page.keyboard.press("Escape")
    live.page.keyboard.press("o")
    live.page.wait_for_timeout(2000)
    measured = live.page.evaluate(MEASURE_FRAMES, 10)
    live.shoot("many")
    print("frames: " + json.dumps({name: round(value, 2) for name, value in measured.items()}))
    assert measured["frames_per_second"] >= live.arguments.least_frames, measured


CHECKS = [
    appears, glides_along_its_road, shows_details, shows_details_of_a_route, proceeds, takes_an_early_answer,
    filters, works_by_keyboard, fits_a_phone_and_the_dark, stands_on_roads, stays_smooth, recovers,
]


def main():
    options = parser(__doc__.splitlines()[0])
    options.add_argument("demo")
    options.add_argument("--vehicles", type=int, default=60)
    options.add_argument("--least-frames", type=float, default=10)
    options.add_argument("--only", default="", help="only checks whose name holds this")
    arguments = options.parse_args()
    port = free_port()
    arguments.url = f"http://127.0.0.1:{port}/"
    with opened(arguments) as browser, contextlib.ExitStack() as stack:
        # One vehicle in six is held at its stops; the demo ends by itself after 900 seconds.
        demo = Program(arguments.demo, str(port), str(arguments.vehicles), "6", "900")
        stack.callback(demo.end)
        wait_for(arguments.url)
        live = LiveMap(browser, arguments, restart=demo.restart)
        failures = run(live, [check for check in CHECKS + staged.CHECKS + places.CHECKS if arguments.only in check.__name__])
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
