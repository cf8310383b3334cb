"""Checks deploy/schemas: that they are schemas, that the AsyncAPI document is made of them, and that messages keep to them.

    schemas.py [MESSAGES]     a file with a topic, a tab and a payload a line, as mosquitto_sub -F '%t\t%p' prints them
"""

import collections
import json
import pathlib
import re
import sys

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "deploy" / "schemas"
SCHEMAS = {path.name: json.loads(path.read_text()) for path in FOLDER.glob("*.json")}
DOCUMENT = SCHEMAS.pop("asyncapi.json")
del SCHEMAS["openapi.json"]  # Tests/endpoints.py


def validator(name):
    """Returns what validates against a file of the folder, and finds the others beside it."""
    store = {f"file:///{other}": schema for other, schema in SCHEMAS.items()}
    resolver = jsonschema.RefResolver(f"file:///{name}", SCHEMAS[name], store=store)
    return jsonschema.Draft202012Validator(SCHEMAS[name], resolver=resolver)


def resolve(reference):
    """Returns what a reference within the AsyncAPI document means."""
    found = DOCUMENT
    for part in reference.removeprefix("#/").split("/"):
        found = found[part]
    return found


def channels():
    """Returns a pattern of topics and a schema's file for each channel; every reference leads somewhere."""
    used = set()
    found = []
    for channel in DOCUMENT["channels"].values():
        (message,) = [resolve(message["$ref"]) for message in channel["messages"].values()]
        for parameter in channel["parameters"].values():
            resolve(parameter["$ref"])
        name = message["payload"]["schema"]["$ref"].removeprefix("./")
        used.add(name)
        pattern = re.sub(r"\\{\w+\\}", "[^/]+", re.escape(channel["address"]))
        found.append((re.compile(pattern), name))
    for operation in DOCUMENT["operations"].values():
        resolve(operation["channel"]["$ref"])
        for message in operation["messages"]:
            resolve(message["$ref"])
    assert used == set(SCHEMAS) - {"common.json"}, "each schema has a channel"
    return found


def types_in_code(path, pattern):
    """Returns the types of events, or alarms, that the code can publish."""
    return set(re.findall(pattern + r': "([a-z_]+)"', (ROOT / "Sources" / path).read_text()))


def described(kind):
    """Returns the types that have a schema."""
    return {name[len(kind) + 1 : -5] for name in SCHEMAS if name.startswith(f"{kind}-")}


def check_messages(path, patterns):
    """Validates every message, and returns how many there were of each schema."""
    counts = collections.Counter()
    for line in pathlib.Path(path).read_text().splitlines():
        topic, payload = line.split("\t", 1)
        names = [name for pattern, name in patterns if pattern.fullmatch(topic)]
        assert names, f"no channel describes {topic}"
        counts[names[0]] += 1
        if payload:
            message = json.loads(payload)
            for error in validator(names[0]).iter_errors(message):
                raise SystemExit(f"{topic}: {error.json_path}: {error.message}\n{payload}")
            if names[0].startswith(("event-", "alarm-", "place-event-", "progress", "status")):
                refuses_less_or_more(names[0], message)
    return counts


def refuses_less_or_more(name, message):
    """A schema that takes anything would prove nothing."""
    assert not validator(name).is_valid(message | {"surprise": 1}), f"{name} takes anything"
    less = {key: value for key, value in message.items() if key not in ("id", "state")}
    assert not validator(name).is_valid(less), f"{name} needs nothing"


def main():
    for name, schema in SCHEMAS.items():
        jsonschema.Draft202012Validator.check_schema(schema)
    patterns = channels()
    events = types_in_code("Telemetry/Encoding/EventEncoder.swift", r"case \.\w+")
    alarms = types_in_code("Watching/Alarms/Alarm.swift", r"case \.\w+")
    for known, schemas in [(events, described("event") - {"command_rejected"}), (alarms, described("alarm"))]:
        assert known == schemas, f"code and schemas differ in {known ^ schemas}"
    print(f"{len(SCHEMAS)} schemas, {len(patterns)} channels, {len(events)} events and {len(alarms)} alarms as in the code")
    if len(sys.argv) > 1:
        counts = check_messages(sys.argv[1], patterns)
        for name, count in sorted(counts.items()):
            print(f"ok  {count:4} {name}")


main()
