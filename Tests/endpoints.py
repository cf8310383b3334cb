"""Checks deploy/schemas/openapi.json against a running worker: every path and method it names is there and answers as it
says, and every path that the console's code names is in it.

    endpoints.py URL TOKEN     a worker with a vehicle van-7 that has had a trip, and a place depot
"""

import json
import pathlib
import re
import sys
import urllib.error
import urllib.request

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "deploy" / "schemas"
DOCUMENT = json.loads((FOLDER / "openapi.json").read_text())
STORE = {f"file:///{path.name}": json.loads(path.read_text()) for path in FOLDER.glob("*.json")}
ID = {"vehicle": "van-7", "place": "depot", "report": "stops", "z": "14", "x": "8626", "y": "5757"}
BODY = {"avoid": {"length_m": 500}, "putPlace": {"geometry": {"circle": {"center": {"lat": 47.1, "lon": 9.54}, "radius_m": 90}}}}
QUERY = {"from": "2026-01-01", "tz": "Europe/Vienna"}


def resolved(value):
    """Returns what a reference within the document means."""
    while "$ref" in value and value["$ref"].startswith("#/"):
        found = DOCUMENT
        for part in value["$ref"][2:].split("/"):
            found = found[part]
        value = found
    return value


def ask(url, method, token=None, body=None):
    """Returns status, content type and body."""
    request = urllib.request.Request(url, method=method, data=body)
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    try:
        answer = urllib.request.urlopen(request, timeout=10)
    except urllib.error.HTTPError as error:
        answer = error
    kind = answer.headers.get_content_type()
    # A stream has no end.
    return answer.status, kind, b"" if kind == "text/event-stream" else answer.read()


def check(operation, where, status, kind, body):
    """An answer is one of those that the document has, and its body is as that says."""
    assert str(status) in operation["responses"], f"{where} answers {status}: {body[:200]}"
    response = resolved(operation["responses"][str(status)])
    if "content" not in response:
        assert not body, f"{where} has a body: {body[:200]}"
        return
    assert kind in response["content"], f"{where} is {kind}"
    if kind == "text/event-stream" or "mapbox" in kind:
        return
    schema = response["content"][kind]["schema"]
    value = json.loads(body) if kind.endswith("json") else body.decode()
    resolver = jsonschema.RefResolver("file:///openapi.json", DOCUMENT, store={**STORE, "file:///openapi.json": DOCUMENT})
    for error in jsonschema.Draft202012Validator(schema, resolver=resolver).iter_errors(value):
        raise SystemExit(f"{where}: {error.json_path}: {error.message}")


def names_in_code():
    """Returns the last level of each path that the console's code answers to."""
    code = (ROOT / "Sources/Console/HTTP/Router.swift").read_text() + (ROOT / "Sources/Console/HTTP/Router+Places.swift").read_text()
    paths = re.findall(r'case "((?:api/)?[a-z]+)":', code) + re.findall(r'path\[\d\] == "([a-z]+)"', code)
    commands = re.search(r"commands: Set<String> = \[([^\]]*)\]", code).group(1)
    return {path.split("/")[-1] for path in paths} - {"api"} | set(re.findall(r'"([a-z]+)"', commands))


def main():
    base, token = sys.argv[1].rstrip("/"), sys.argv[2]
    described = {level for path in DOCUMENT["paths"] for level in path.split("/") if level and level[0] != "{"}
    assert names_in_code() <= described, f"not described: {names_in_code() - described}"
    count = 0
    for path, methods in DOCUMENT["paths"].items():
        for method, operation in methods.items():
            names = [resolved(one) for one in operation.get("parameters", [])]
            query = "&".join(f"{one['name']}={QUERY[one['name']]}" for one in names if one["in"] == "query" and one["name"] in QUERY)
            url = base + path.format(**ID) + (f"?{query}" if query else "")
            where = f"{method.upper()} {path}"
            needs = "security" in operation
            if needs:
                check(operation, where + " without a token", *ask(url, method.upper(), body=b"{}"))
            sent = json.dumps(BODY.get(operation["operationId"], {})).encode()
            status, kind, body = ask(url, method.upper(), token if needs else None, sent if needs else None)
            check(operation, where, status, kind, body)
            assert status < 300 or path.startswith("/api/ground") or path.endswith("/route"), f"{where} answers {status}"
            assert status > 300 or path == "/api/places/{place}" or ask(url, "PATCH")[0] == 405, f"PATCH {path} is let through"
            print(f"ok  {status} {where}")
            count += 1
    assert ask(base + "/api/nothing", "GET")[0] == 404
    for wrong in ("/api/vehicles/van-7/track", "/api/reports/stops?from=never", "/api/places?bbox=1", "/api/alarms?after=-1"):
        path = re.sub("van-7", "{vehicle}", wrong.split("?")[0]).replace("stops", "{report}")
        status, kind, body = ask(base + wrong, "GET")
        assert status == 400, f"{wrong} answers {status}"
        check(DOCUMENT["paths"][path]["get"], wrong, status, kind, body)
    print(f"{count} operations")


main()
