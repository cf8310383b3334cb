#!/usr/bin/env python3
"""Drives the live map in headless Chromium and checks what a person would look for.

Usage: live_map.py DEMO [--vehicles N] [--screenshots FOLDER]

DEMO is the program ConsoleDemo, whose fleet is made up. The page must come to show N vehicles, and its frames
are measured meanwhile.
"""
import argparse
import contextlib
import json
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from urllib.parse import urlsplit

from playwright.sync_api import sync_playwright

# In how many places a vehicle is drawn in some seconds, and how many metres at most from its route.
WATCH_A_GLIDE = """async ([id, seconds]) => {
  const { fleet, routes } = waygate;
  const places = new Set();
  let farthest = 0;
  await new Promise((resolve) => {
    const start = performance.now();
    const look = (now) => {
      const vehicle = fleet.get(id);
      const { x, y } = vehicle.glide;
      places.add(x + y);
      const route = routes.of(vehicle);
      if (route && vehicle.onRoute) {
        const latitude = Math.atan(Math.sinh(Math.PI * (1 - 2 * y / 256)));
        farthest = Math.max(farthest, route.line.locate(x, y).distance * 40075016.686 / 256 * Math.cos(latitude));
      }
      if (now - start < seconds * 1000) requestAnimationFrame(look);
      else resolve();
    };
    requestAnimationFrame(look);
  });
  return { places: places.size, farthest };
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


class Program:
    """A process behind the page; `log` is where its words go."""

    def __init__(self, *command, log=subprocess.DEVNULL):
        self.command = command
        self.log = log
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=self.log, stderr=self.log)

    def end(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        self.process.wait()

    def restart(self):
        """Kills it, and starts it again after a while."""
        self.end(signal.SIGKILL)
        time.sleep(2)
        self.start()


def wait_for(url):
    """Waits until somebody answers, 20 seconds at most."""
    for _ in range(200):
        with contextlib.suppress(OSError):
            return urllib.request.urlopen(url).close()
        time.sleep(0.1)
    sys.exit(f"nobody answers at {url}")


class LiveMap:
    """The page under test, with what it complained of.

    `restart` ends the server behind it and starts it anew; `options` are those of the browser's context.
    """

    def __init__(self, browser, arguments, restart=None, **options):
        self.arguments = arguments
        self.restart = restart
        self.context = browser.new_context(viewport={"width": 1280, "height": 800}, **options)
        self.page = self.context.new_page()
        self.complaints = []
        self.strangers = []
        self.expects_loss = False
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self.note)
        self.page.on("request", self.check_origin)
        self.page.goto(arguments.url)

    def note(self, message):
        # A trip may end while its route is being asked for.
        if "404" in message.text and message.location.get("url", "").endswith("/route"):
            return
        if message.type in ("error", "warning") and not self.expects_loss:
            self.complaints.append(message.text)

    def check_origin(self, request):
        if urlsplit(request.url).netloc != urlsplit(self.arguments.url).netloc:
            self.strangers.append(request.url)

    def wait(self, script, argument=None, seconds=20):
        self.page.wait_for_function(script, arg=argument, timeout=seconds * 1000)

    def status(self):
        return self.page.get_attribute("#status", "data-state")

    def shoot(self, name):
        if self.arguments.screenshots:
            self.page.screenshot(path=f"{self.arguments.screenshots}/{name}.png")

    def choose(self, vehicle):
        # By its trip, as bus-1 is also a part of bus-10. Rows change their vehicles until the list is drawn anew.
        self.page.fill("#search", self.page.evaluate("(id) => waygate.fleet.get(id).progress.trip_id", vehicle))
        self.wait("() => document.getElementById('vehicle-count').textContent === '1'")
        self.page.click(f"#vehicle-list .row[data-id='{vehicle}']")
        self.page.fill("#search", "")
        self.page.keyboard.press("Escape")

    def check_glide(self, vehicle):
        """Watches a vehicle that drives for five seconds."""
        self.wait("(id) => waygate.fleet.get(id).glide.line", vehicle)
        seen = self.page.evaluate(WATCH_A_GLIDE, [vehicle, 5])
        # Fixes come once a second: what is more than a handful of places is movement between them.
        assert seen["places"] > 20, f"only {seen['places']} places in 5 s"
        assert seen["farthest"] < 8, f"{seen['farthest']:.1f} m beside its road"

    def moving_vehicle(self):
        """Returns the id of a vehicle that is under way, and 400 metres at least from its next stop."""
        script = """() => [...waygate.fleet.vehicles.values()].find(({ state, progress, glide }) => {
          const { active_waypoint: stop, location } = progress;
          return state === "tracking" && progress.speed_mps > 1 && glide?.end > 0
            && progress.remaining_distance_m > 400 && !(stop && waygate.map.distance(stop, location) < 400);
        })?.id"""
        self.wait(f"() => ({script})() !== undefined")
        return self.page.evaluate(script)


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
    live.page.click(f"#held-list [data-id='{vehicle}'] .proceed")
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
    filters, works_by_keyboard, fits_a_phone_and_the_dark, stays_smooth, recovers,
]


def run(live, checks, is_story=False):
    """Tries each check, says what became of it, and returns how many failed; a story ends with its first failure."""
    failures = 0
    for check in checks:
        start = time.monotonic()
        try:
            check(live)
            assert not live.complaints, f"the page complained: {live.complaints}"
            assert not live.strangers, f"loaded from elsewhere: {live.strangers}"
            print(f"ok     {check.__doc__} ({time.monotonic() - start:.1f} s)", flush=True)
        except Exception as error:  # every kind of failure is reported, and the next check is tried
            failures += 1
            live.complaints.clear()
            live.shoot(f"failed-{check.__name__}")
            print(f"FAILED {check.__doc__}\n       {error}", flush=True)
            if is_story:
                break
    return failures


def parser(description):
    """Returns a parser of the arguments that every test of the page takes."""
    made = argparse.ArgumentParser(description=description)
    made.add_argument("--token", default="demo")
    made.add_argument("--screenshots")
    made.add_argument("--chromium", default="/usr/bin/chromium")
    return made


@contextlib.contextmanager
def opened(arguments):
    """Yields a browser, and sees to it that a signal lets all that was started be ended."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=arguments.chromium, args=["--no-sandbox"])
        yield browser
        browser.close()


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def main():
    options = parser(__doc__.splitlines()[0])
    options.add_argument("demo")
    options.add_argument("--vehicles", type=int, default=60)
    options.add_argument("--least-frames", type=float, default=10)
    arguments = options.parse_args()
    port = free_port()
    arguments.url = f"http://127.0.0.1:{port}/"
    with opened(arguments) as browser, contextlib.ExitStack() as stack:
        # One vehicle in six is held at its stops; the demo ends by itself after 900 seconds.
        demo = Program(arguments.demo, str(port), str(arguments.vehicles), "6", "900")
        stack.callback(demo.end)
        wait_for(arguments.url)
        failures = run(LiveMap(browser, arguments, restart=demo.restart), CHECKS)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
