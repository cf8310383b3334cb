#!/usr/bin/python3
"""What one would write without Waygate: reads positions, stores them with COPY, tracks nothing.

    plain_worker.py PORT FILTER QOS POSITIONS DATABASE-URL

Prints `ready` when it is subscribed, `done` when it has stored so many positions, and waits to be ended. It acknowledges
before it stores, as such workers do.
"""
import json
import signal
import sys
import time

import paho.mqtt.client as mqtt
import psycopg
from paho.mqtt.packettypes import PacketTypes

port, topic_filter, qos, wanted, url = sys.argv[1:]
database = psycopg.connect(url)
database.execute(
    "create table plain (vehicle_id text, time timestamptz, lat float8, lon float8,"
    " speed_mps float4, course_deg float4, accuracy_m float4)"
)
database.execute("create index on plain (vehicle_id, time)")
database.commit()
rows = []
stored = 0


def on_message(client, userdata, message):
    vehicle = message.topic.split("/")[1]
    fixes = json.loads(message.payload)
    for fix in fixes if isinstance(fixes, list) else [fixes]:
        rows.append(
            (vehicle, fix["time"], fix["lat"], fix["lon"], fix["speed_mps"], fix["course_deg"], fix["accuracy_m"])
        )
    if len(rows) >= 1000:
        store()


def store():
    global stored
    with database.cursor() as cursor, cursor.copy("copy plain from stdin") as copy:
        for row in rows:
            copy.write_row(row)
    database.commit()
    stored += len(rows)
    rows.clear()
    if stored >= int(wanted):
        print("done", flush=True)
        signal.pause()


client = mqtt.Client(protocol=mqtt.MQTTv5)
client.on_message = on_message
client.on_subscribe = lambda *_: print("ready", flush=True)
properties = mqtt.Properties(PacketTypes.CONNECT)
properties.ReceiveMaximum = 65535
client.connect("127.0.0.1", int(port), properties=properties)
client.subscribe(topic_filter, int(qos))
last = time.monotonic()
while True:
    client.loop(0.1)
    if rows and time.monotonic() - last > 0.2:
        store()
        last = time.monotonic()
