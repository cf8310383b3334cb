"""What drives the live map in a real browser, and reports what the checks found."""
import argparse
import contextlib
import signal
import socket
import subprocess
import sys
import time
import traceback
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

    `restart` ends the server behind it and starts it anew; `prepare` is given the browser's context before the page
    is opened; `options` are those of the context.
    """

    def __init__(self, browser, arguments, restart=None, prepare=None, **options):
        self.arguments = arguments
        self.restart = restart
        self.context = browser.new_context(viewport={"width": 1280, "height": 800}, **options)
        if arguments.page:
            self.context.route("**/page/*", lambda route: route.fulfill(path=f"{arguments.page}/{route.request.url.rsplit('/')[-1]}"))
        if prepare:
            prepare(self.context)
        self.page = self.context.new_page()
        self.complaints = []
        self.strangers = []
        self.expects_loss = False
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self.note)
        self.page.on("request", self.check_origin)
        self.page.goto(arguments.url)

    def close(self):
        """Closes the page, which must not have complained."""
        assert not self.complaints and not self.strangers, self.complaints + self.strangers
        self.context.close()

    def note(self, message):
        # A trip may end while its route is being asked for; a worker may serve no places.
        url = message.location.get("url", "")
        if "404" in message.text and (url.endswith("/route") or "/api/places?" in url):
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
            line = traceback.extract_tb(error.__traceback__)[1].line
            print(f"FAILED {check.__doc__}\n       {line}\n       {error}", flush=True)
            if is_story:
                break
    return failures


def parser(description):
    """Returns a parser of the arguments that every test of the page takes."""
    made = argparse.ArgumentParser(description=description)
    made.add_argument("--token", default="demo")
    made.add_argument("--screenshots")
    made.add_argument("--page", help="a folder whose files are shown in place of the program's own")
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
