#!/bin/bash
# Runs the live map's browser test against a made-up fleet.
#
#     Tests/Browser/run.sh [VEHICLES] [SCREENSHOT-FOLDER]
#
# Needs chromium, python3 with venv, and the package index once for playwright.
set -eu
cd "$(dirname "$0")/../.."
vehicles=${1:-60}
work=$(mktemp -d)
server=""
finish() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    [ ! -f "$work/pid" ] || kill "$(cat "$work/pid")" 2>/dev/null || true
    rm -rf "$work"
}
trap finish EXIT

environment=.build/browser-test
if [ ! -x "$environment/bin/python" ]; then
    python3 -m venv "$environment"
    "$environment/bin/pip" install -q --disable-pip-version-check playwright==1.65.2
fi
swift build -c release --product ConsoleDemo >&2
demo=$(swift build -c release --show-bin-path)/ConsoleDemo

"$demo" 0 "$vehicles" 6 900 > "$work/url" &
server=$!
until [ -s "$work/url" ]; do sleep 0.05; done
url=$(cat "$work/url")
port=${url##*:}
restart="kill $server; sleep 2; '$demo' ${port%/} $vehicles 6 300 > '$work/again' & echo \$! > '$work/pid'"
"$environment/bin/python" Tests/Browser/live_map.py "$url" --token demo --restart "$restart" \
    --vehicles "$vehicles" ${2:+--screenshots "$2"}
