#!/usr/bin/env python3
"""Follows one vehicle's trip on the live map of a real worker, which is killed on the way.

Usage: live_worker.py URL WAYGATE --broker PORT --prometheus URL --proxy URL [--picture FILE] ...

WAYGATE is the program; WAYGATE_CONFIG names settings with a broker, a database and a planner that are up, and
with `http.listen` at URL, which Prometheus scrapes and the proxy passes on to. worker.sh has all that. FILE
becomes a picture of the page.
"""
import argparse
import contextlib
import subprocess
import sys
import time

import harness
import live_map
import scrape

VEHICLE = "van-1"

# What the trip comes to, each event once, also with a worker that is killed and publishes again.
STORY = ["trip_assigned", "waypoint_reached", "waypoint_resumed", "waypoint_reached", "waypoint_resumed", "arrived"]

# Something of every kind that is counted when it is refused or passed over.
NONSENSE = {
    "fleet/lost/position": '{"lat": 47.1',
    "fleet/half/position": '[{"time": 1, "lat": 47.1, "lon": 9.5}, {"lat": 190, "lon": 9.5}]',
    "fleet/idle/position": "",
    "fleet/nobody/command/proceed": "{}",
}


def state(live):
    return live.page.evaluate("(id) => waygate.fleet.get(id).state", VEHICLE)


def driven(live):
    return live.page.evaluate("(id) => waygate.fleet.get(id).progress.travelled_distance_m", VEHICLE)


def waits_for_the_first(live):
    """The page of a worker without vehicles is live, and empty."""
    live.wait("() => document.getElementById('status').dataset.state === 'live'")
    live.wait("(id) => !waygate.fleet.get(id)", VEHICLE)
    assert live.page.inner_text(".leaflet-control-attribution") == "Roads © OpenStreetMap contributors"


def is_assigned(live):
    """A vehicle that is assigned a trip appears with its route."""
    live.start_fleet()
    live.wait("(id) => document.querySelector(`#vehicle-list .row[data-id='${id}']`)", VEHICLE)
    live.choose(VEHICLE)
    live.wait("(id) => waygate.routes.of(waygate.fleet.get(id))?.stops.length === 2", VEHICLE)


def moves(live):
    """It moves along its road."""
    live.wait("(id) => waygate.fleet.get(id).progress.speed_mps > 1", VEHICLE)
    live.check_glide(VEHICLE)


def is_held(live):
    """At the via point it is held: listed first, with how long it waits."""
    live.wait("(id) => document.querySelector(`#held-list [data-id='${id}']`)", VEHICLE, 90)
    live.wait("(id) => document.querySelector(`#held-list [data-id='${id}'] time`).textContent >= '0:02'", VEHICLE)
    live.wait("() => document.querySelector('#details .stops [data-status=reached]')")
    assert "Waits for" in live.page.inner_text("#details")
    if live.arguments.picture:
        live.page.keyboard.press("o")
        live.page.wait_for_timeout(1500)
        live.page.screenshot(path=live.arguments.picture)


def goes_on(live):
    """Proceed is clicked, and it goes on."""
    before = driven(live)
    live.page.click(f"#held-list [data-id='{VEHICLE}'] .proceed")
    live.page.fill("#token", live.arguments.token)
    live.page.click("#token-dialog .primary")
    live.wait("(id) => waygate.fleet.get(id).state === 'tracking'", VEHICLE)
    live.wait("([id, before]) => waygate.fleet.get(id).progress.travelled_distance_m > before + 30", [VEHICLE, before])
    live.wait("() => document.querySelector('#details .stops [data-status=visited]')")


def outlives_its_worker(live):
    """The worker is killed and comes back: the page shows the vehicle and its route again, and it moves."""
    before = driven(live)
    with live.page.expect_response(lambda answer: answer.url.endswith(f"/{VEHICLE}/route") and answer.ok, timeout=60_000):
        live_map.recovers(live)
    live.wait("([id, before]) => waygate.fleet.get(id).progress.travelled_distance_m > before", [VEHICLE, before])
    assert state(live) == "tracking", state(live)
    live.wait("(id) => waygate.routes.of(waygate.fleet.get(id)).stops[0].status === 'visited'", VEHICLE)
    live.check_glide(VEHICLE)


def arrives(live):
    """It is released again, by keyboard, and arrives; every event of its trip is listed once."""
    live.wait("(id) => waygate.fleet.get(id).progress.active_waypoint?.index === 1 && waygate.fleet.get(id).state === 'held'",
              VEHICLE, 90)
    live.page.keyboard.press("p")
    live.wait("(id) => waygate.fleet.get(id).state === 'arrived'", VEHICLE, 90)
    live.page.fill("#search", VEHICLE)
    live.page.click("#tab-events")
    live.wait("() => document.querySelector('#event-list [data-type=arrived]')")
    listed = live.page.eval_on_selector_all("#event-list li", "(items) => items.map((item) => item.dataset.type)")
    assert listed[::-1] == STORY, listed
    live.shoot("arrived")


def another_is_rerouted(live):
    """A vehicle that leaves its road is listed with it, and gets a new route."""
    live.page.fill("#search", "bus-")
    live.wait("() => document.querySelector('#event-list [data-type=rerouted]')", seconds=90)
    assert live.page.locator("#event-list [data-type=will_reroute]").count() > 0
    vehicle = live.page.inner_text("#event-list [data-type=rerouted] strong >> nth=0")
    live.page.click("#event-list [data-type=rerouted] button >> nth=0")
    live.wait("(id) => waygate.selection.id === id && waygate.routes.of(waygate.fleet.get(id))?.revision > 1", vehicle)
    live.shoot("rerouted")


def is_counted(live):
    """Prometheus reads the metrics, and has an answer to each question of the alert rules and the dashboard."""
    for topic, payload in NONSENSE.items():
        subprocess.run(["mosquitto_pub", "-p", live.arguments.broker, "-q", "1", "-t", topic, "-m", payload], check=True)
    scrape.lint(live.arguments.url)
    prometheus = scrape.Prometheus(live.arguments.prometheus)
    give_up = time.monotonic() + 60
    while silent := prometheus.silent():
        assert time.monotonic() < give_up, silent
        time.sleep(1)
    assert not prometheus.broken_rules(), prometheus.broken_rules()


def is_shown_by_a_proxy(live):
    """Behind the README's proxy, which asks for a password, the page is live and Proceed works."""
    password = {"username": "ops", "password": "ops"}
    arguments = argparse.Namespace(**{**vars(live.arguments), "url": live.arguments.proxy})
    proxied = harness.LiveMap(live.context.browser, arguments, http_credentials=password)
    live_map.appears(proxied)
    live_map.proceeds(proxied)
    assert not proxied.complaints and not proxied.strangers, proxied.complaints + proxied.strangers


CHECKS = [
    waits_for_the_first, is_assigned, moves, is_held, goes_on, outlives_its_worker, arrives, another_is_rerouted, is_counted,
    is_shown_by_a_proxy,
]


def main():
    options = harness.parser(__doc__.splitlines()[0])
    options.add_argument("url")
    options.add_argument("waygate")
    options.add_argument("--broker", required=True)
    options.add_argument("--prometheus", required=True)
    options.add_argument("--proxy", required=True)
    options.add_argument("--picture")
    arguments = options.parse_args()
    simulate = [arguments.waygate, "simulate", "--interval", "1"]
    with harness.opened(arguments) as browser, contextlib.ExitStack() as stack:
        def start(log, *command):
            program = harness.Program(*command, log=stack.enter_context(open(log, "w")))
            stack.callback(program.end)
            return program

        def start_fleet():
            # Others drive about meanwhile.
            start("others.log", *simulate, "--prefix", "bus-", "--vehicles", "12", "--radius", "1.5", "--via", "3",
                  "--stray", "2", "--proceed-after", "20", "--repeat")
            start("vehicle.log", *simulate, "--prefix", "van-", "--vehicles", "1", "--radius", "0.7", "--via", "2",
                  "--speed", "90")

        worker = start("worker.log", arguments.waygate, "run")
        harness.wait_for(arguments.url)
        live = harness.LiveMap(browser, arguments, restart=worker.restart)
        live.start_fleet = start_fleet
        failures = harness.run(live, CHECKS, is_story=True)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
