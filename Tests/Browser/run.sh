#!/bin/bash
# Runs the live map's browser test against a made-up fleet.
#
#     Tests/Browser/run.sh [--vehicles N] [--screenshots FOLDER]
#
# Needs chromium and firefox-esr, and what Tests/Browser/python needs.
set -eu
cd "$(dirname "$0")/../.."
swift build -c release --product ConsoleDemo >&2
demo=$(swift build -c release --show-bin-path)/ConsoleDemo
Tests/Browser/python Tests/Browser/live_map.py "$demo" "$@"
exec Tests/Browser/python Tests/Browser/firefox.py "$demo"
