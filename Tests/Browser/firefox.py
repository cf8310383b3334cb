#!/usr/bin/env python3
"""Looks at the live map in Firefox, over Marionette, the protocol that Firefox itself speaks.

Usage: firefox.py DEMO [--screenshots FOLDER]

Playwright drives only a Firefox of its own, and nobody packages geckodriver.
"""
import argparse
import base64
import contextlib
import json
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

import axe_playwright_python

from harness import Program, free_port, wait_for
from live_map import ROADS_ARE_DRAWN

AXE = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()


class Firefox:
    """A headless Firefox with a profile of its own."""

    def __init__(self, folder):
        port = free_port()
        pathlib.Path(folder, "user.js").write_text(f'user_pref("marionette.port", {port});\n')
        self.process = subprocess.Popen(["firefox-esr", "--headless", "--marionette", "--no-remote", "--profile", folder],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.socket = self.connect(port)
        self.count = 0
        self.received = b""
        self.read()
        self.ask("WebDriver:NewSession", {})
        self.ask("WebDriver:SetWindowRect", {"width": 1280, "height": 880})

    def connect(self, port):
        for _ in range(300):
            with contextlib.suppress(OSError):
                return socket.create_connection(("127.0.0.1", port), timeout=30)
            time.sleep(0.1)
        sys.exit("Firefox does not listen")

    def read(self):
        """Reads one message: its length, a colon, and so much JSON."""
        while b":" not in self.received:
            self.received += self.socket.recv(65536)
        length, _, rest = self.received.partition(b":")
        while len(rest) < int(length):
            rest += self.socket.recv(65536)
        self.received = rest[int(length):]
        return json.loads(rest[:int(length)])

    def ask(self, command, parameters):
        self.count += 1
        message = json.dumps([0, self.count, command, parameters]).encode()
        self.socket.sendall(b"%d:%s" % (len(message), message))
        _, _, error, result = self.read()
        if error:
            raise AssertionError(f"{command}: {error['message']}")
        return result.get("value") if isinstance(result, dict) else result

    def run(self, script, *arguments):
        """Returns what a function, as text, returns on the page; a promise is waited for."""
        body = """const [answer] = [...arguments].slice(-1);
            Promise.resolve().then(() => (%s)(...[...arguments].slice(0, -1)))
                .then((value) => answer({ value }), (error) => answer({ error: String(error) }));""" % script
        result = self.ask("WebDriver:ExecuteAsyncScript", {"script": body, "args": list(arguments), "newSandbox": False, "sandbox": None})
        if "error" in result:
            raise AssertionError(result["error"])
        return result.get("value")

    def wait(self, script, *arguments, seconds=20):
        end = time.monotonic() + seconds
        while not self.run(script, *arguments):
            assert time.monotonic() < end, f"in vain: {script}"
            time.sleep(0.1)

    def end(self):
        self.process.terminate()
        self.process.wait()


def look(firefox, arguments, url):
    """Goes once through what the page does."""
    firefox.ask("WebDriver:Navigate", {"url": url})
    firefox.wait("() => document.getElementById('status').dataset.state === 'live'")
    firefox.wait("() => window.waygate.markers.visible > 10")
    firefox.wait(ROADS_ARE_DRAWN)
    print("ok     vehicles and roads are shown, and the connection is live")
    vehicle = firefox.run("() => [...window.waygate.fleet.vehicles.values()].find(({ state }) => state === 'tracking').id")
    firefox.run("(id) => { location.hash = `#vehicle=${id}`; }", vehicle)
    firefox.wait("() => !document.getElementById('details').hidden")
    before = firefox.run("(id) => window.waygate.fleet.get(id).glide.x", vehicle)
    firefox.wait("(id, before) => window.waygate.fleet.get(id).glide.x !== before", vehicle, before)
    print("ok     a link opens a vehicle, and it moves")
    firefox.wait("() => document.querySelector('#held-list .proceed')")
    firefox.run("() => document.querySelector('#held-list .proceed').click()")
    firefox.wait("() => document.getElementById('token-dialog').open")
    firefox.run("() => { document.getElementById('token').value = 'demo'; document.querySelector('#token-dialog .primary').click(); }")
    firefox.wait("() => document.querySelector('#notices p')")
    assert firefox.run("() => document.querySelector('#notices p').textContent").endswith(": done")
    print("ok     a held vehicle goes on after Proceed")
    violations = firefox.run("async () => { %s; return (await axe.run()).violations.map(({ id, nodes }) => [id, nodes[0].html]); }" % AXE)
    assert not violations, violations
    print("ok     axe-core finds nothing to complain of")
    if arguments.screenshots:
        picture = base64.b64decode(firefox.ask("WebDriver:TakeScreenshot", {"full": False}))
        pathlib.Path(arguments.screenshots, "firefox.png").write_bytes(picture)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("demo")
    options.add_argument("--screenshots")
    arguments = options.parse_args()
    port = free_port()
    with contextlib.ExitStack() as stack:
        demo = Program(arguments.demo, str(port), "60", "6", "300")
        stack.callback(demo.end)
        wait_for(f"http://127.0.0.1:{port}/")
        firefox = Firefox(stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        stack.callback(firefox.end)
        look(firefox, arguments, f"http://127.0.0.1:{port}/")


if __name__ == "__main__":
    main()
