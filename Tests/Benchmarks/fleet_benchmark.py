#!/usr/bin/python3
"""Compares Waygate with a client that only counts and with a plain Python worker; called by deploy/benchmark.

The broker's port and the database server's URL are in MQTT_PORT and DATABASE_URL, the programs in BINARIES.
"""
import argparse
import json
import os
import pathlib
import platform
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import psycopg

PORT = os.environ["MQTT_PORT"]
SERVER = os.environ["DATABASE_URL"]
BINARIES = pathlib.Path(os.environ["BINARIES"])
HERE = pathlib.Path(__file__).parent
TICK = os.sysconf("SC_CLK_TCK")

# name: vehicles, messages, positions a message, QoS
LOADS = {
    "1,000 vehicles": (1000, 200_000, 1, 1),
    "20,000 vehicles": (20_000, 200_000, 1, 1),
    "1,000 vehicles, batches of 10": (1000, 50_000, 10, 1),
    "1,000 vehicles, QoS 0": (1000, 200_000, 1, 0),
}
VERTICES = 200


def cpu_seconds(pid):
    """The processor time that a process has used so far."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def memory(pid, what="VmHWM"):
    """The most that a process has had in memory, in MB; with VmRSS what it has now."""
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(what):
            return int(line.split()[1]) / 1000
    return 0


def load(*words):
    """Runs FleetLoad; returns its lines."""
    result = subprocess.run([BINARIES / "FleetLoad", *map(str, words)], stdout=subprocess.PIPE, text=True, check=True)
    return result.stdout.split("\n")


def moments(lines):
    """Returns the times that FleetLoad printed, by what they are of."""
    return {words[0]: float(words[1]) for line in lines if len(words := line.split()) == 2}


class Run:
    """One round of one subject: its topics, its database, and its processes."""

    number = 0

    def __init__(self):
        Run.number += 1
        self.root = f"b{Run.number}"
        self.folder = tempfile.mkdtemp(prefix="waygate-benchmark-")
        with psycopg.connect(SERVER, autocommit=True) as server:
            server.execute(f"create database {self.root}")
        self.url = SERVER.rpartition("/")[0] + "/" + self.root
        self.process = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process:
            self.process.kill()
            self.process.wait()
            if self.process.stdout:
                self.process.stdout.close()
        with psycopg.connect(SERVER, autocommit=True) as server:
            server.execute(f"drop database {self.root} with (force)")
        shutil.rmtree(self.folder)

    def start(self, *command):
        """Starts a program and waits until it says that it is ready."""
        self.process = subprocess.Popen([*map(str, command)], stdout=subprocess.PIPE, text=True)
        self.expect("ready")

    def expect(self, word):
        line = self.process.stdout.readline().strip()
        if line != word:
            sys.exit(f"expected {word!r} from {self.process.args[0]}, got {line!r}")

    def start_waygate(self):
        """Starts the worker, on the state that an earlier start has left; returns when it is online."""
        config = pathlib.Path(self.folder, "waygate.json5")
        config.write_text(json.dumps({
            "worker_id": self.root, "topic_root": self.root, "mqtt": {"url": f"mqtt://127.0.0.1:{PORT}"},
            "database": {"url": self.url}, "spool": {"folder": f"{self.folder}/spool"}, "planner": {"kind": "none"},
            "http": {"listen": ""}, "log": {"level": "warning"},
        }))
        waygate = BINARIES / "waygate"
        subprocess.run([waygate, "migrate", "--config", config], stdout=subprocess.DEVNULL, check=True)
        status = subprocess.Popen(
            ["mosquitto_sub", "-p", PORT, "-t", f"{self.root}-worker/{self.root}/status", "-R"],
            stdout=subprocess.PIPE, text=True)
        time.sleep(0.3)
        begun = time.monotonic()
        self.process = subprocess.Popen([waygate, "run", "--config", config])
        while "online" not in status.stdout.readline():
            pass
        took = time.monotonic() - begun
        status.kill()
        status.wait()
        status.stdout.close()
        return took

    def query(self, text):
        with psycopg.connect(self.url) as database:
            return database.execute(text).fetchone()[0]

    def wait(self, query, wanted, seconds=300):
        """Waits until a query gives at least a number."""
        end = time.monotonic() + seconds
        with psycopg.connect(self.url, autocommit=True) as database:
            while (found := database.execute(query).fetchone()[0] or 0) < wanted:
                if time.monotonic() > end:
                    sys.exit(f"{found} of {wanted} after {seconds} s: {query}")
                time.sleep(0.05)

    def assign(self, vehicles, vertices):
        load("assign", PORT, self.root, vehicles, vertices)
        self.wait("select count(*) from waygate.trips", vehicles)


POSITION = "select position from waygate.checkpoints where owned"


def count_only(run, vehicles, messages, batch, qos):
    run.start(BINARIES / "CountingClient", PORT, f"{run.root}/+/position", qos, messages)
    return measure(run, vehicles, messages, batch, qos, lambda: run.expect("done"))


def plain_python(run, vehicles, messages, batch, qos):
    run.start(HERE / "plain_worker.py", PORT, f"{run.root}/+/position", qos, messages * batch, run.url)
    return measure(run, vehicles, messages, batch, qos, lambda: run.expect("done"))


def waygate(run, vehicles, messages, batch, qos):
    run.start_waygate()
    run.assign(vehicles, VERTICES)
    before = run.query(POSITION)

    def all_stored():
        run.wait(POSITION, before + messages)
        run.wait("select count(*) from waygate.positions", messages * batch)

    result = measure(run, vehicles, messages, batch, qos, all_stored)
    tracked = run.query("select count(*) from waygate.positions where tracked")
    if tracked != messages * batch:
        sys.exit(f"only {tracked} of {messages * batch} positions were tracked")
    return result


def measure(run, vehicles, messages, batch, qos, wait):
    """Returns messages a second, processor microseconds a message, and megabytes."""
    before = cpu_seconds(run.process.pid)
    sent = moments(load("drive", PORT, run.root, vehicles, VERTICES, messages, batch, qos))
    wait()
    took = time.monotonic() - sent["started"]
    cpu = (cpu_seconds(run.process.pid) - before) / messages
    return messages / took, cpu * 1e6, memory(run.process.pid)


SUBJECTS = {"counter": count_only, "Waygate": waygate, "plain Python": plain_python}


def throughput(names, rounds):
    results = {}
    for turn in range(rounds):
        for name in names:
            for subject, work in SUBJECTS.items():
                with Run() as run:
                    results.setdefault((name, subject), []).append(work(run, *LOADS[name]))
                print(f"round {turn + 1}: {name}, {subject}: ", *map(round, results[name, subject][-1]), file=sys.stderr)
    print("| load | | messages/s | of the counter's | CPU µs a message | of the counter's | MB |")
    print("|---|---|---:|---:|---:|---:|---:|")
    for name in names:
        for subject in SUBJECTS:
            rows, floor = results[name, subject], results[name, "counter"]
            rate, cpu, megabytes = (statistics.median(column) for column in zip(*rows))
            of_rate = statistics.median(row[0] / base[0] for row, base in zip(rows, floor))
            of_cpu = statistics.median(row[1] / base[1] for row, base in zip(rows, floor))
            print(f"| {name} | {subject} | {rate:,.0f} | {of_rate:.2f} | {cpu:.1f} | {of_cpu:.2f} | {megabytes:.0f} |")


def latency():
    with Run() as run:
        run.start_waygate()
        run.assign(1000, VERTICES)
        lines = load("latency", PORT, run.root, 1000, VERTICES)
    times = sorted(float(line) for line in lines if line)
    print(f"publish to event, of {len(times)} at a light load: median {statistics.median(times):.1f} ms, "
          f"p99 {times[len(times) * 99 // 100]:.1f} ms, worst {times[-1]:.1f} ms")


def scale(trips, vertices=500):
    with Run() as run:
        run.start_waygate()
        run.assign(trips, vertices)
        time.sleep(5)
        print(f"{trips:,} trips of {vertices} vertices: {memory(run.process.pid, 'VmRSS'):,.0f} MB, "
              f"at most {memory(run.process.pid):,.0f} MB while they were assigned")
        run.process.send_signal(signal.SIGKILL)
        run.process.wait()
        print(f"killed and started again: online after {run.start_waygate():.1f} s, "
              f"{memory(run.process.pid, 'VmRSS'):,.0f} MB, at most {memory(run.process.pid):,.0f} MB")
        lines = load("latency", PORT, run.root, 100, vertices)
        print(f"tracking again: 100 via points reached, the first after {float(lines[0]):.1f} ms")
        time.sleep(5)
        before, seconds = cpu_seconds(run.process.pid), 20
        time.sleep(seconds)
        print(f"idle: {(cpu_seconds(run.process.pid) - before) / seconds:.2%} of a core")


def backlog(positions=3_600_000):
    """An hour at 1,000 positions a second, sent faster, while the database lets nobody in."""
    with Run() as run, psycopg.connect(SERVER, autocommit=True) as server:
        run.start_waygate()
        run.assign(1000, VERTICES)
        before = run.query(POSITION)
        server.execute(f"alter database {run.root} with allow_connections false")
        server.execute("select pg_terminate_backend(pid) from pg_stat_activity where datname = %s", [run.root])
        sent = moments(load("drive", PORT, run.root, 1000, VERTICES, positions, 1, 1))
        took = sent["sent"] - sent["started"]
        print(f"database away: {positions:,} positions in {took:.0f} s, {memory(run.process.pid):.0f} MB at most")
        server.execute(f"alter database {run.root} with allow_connections true")
        begun = time.monotonic()
        run.wait(POSITION, before + positions, 900)
        took = time.monotonic() - begun
        stored = run.query("select count(*) from waygate.positions where tracked")
        print(f"database back: {stored:,} of them stored and tracked after {took:.0f} s ({positions / took:,.0f}/s), "
              f"{memory(run.process.pid):.0f} MB at most")


def database(name):
    """What PostgreSQL has to do for one load."""
    with Run() as run:
        run.start_waygate()
        vehicles, messages, batch, qos = LOADS[name]
        run.assign(vehicles, VERTICES)
        with psycopg.connect(run.url, autocommit=True) as server:
            server.execute("create extension pg_stat_statements")
            server.execute("checkpoint")
            server.execute("select pg_stat_reset()")
            server.execute("select pg_stat_statements_reset()")
            begun = server.execute("select pg_current_wal_lsn()").fetchone()[0]
            position = run.query(POSITION)
            load("drive", PORT, run.root, vehicles, VERTICES, messages, batch, qos)
            run.wait(POSITION, position + messages)
            time.sleep(1)
            wal = server.execute("select pg_current_wal_lsn() - %s::pg_lsn", [begun]).fetchone()[0]
            print(f"{name}: {float(wal) / messages / batch:.0f} bytes of WAL a position")
            rows = server.execute(
                "select relname, n_tup_ins, n_tup_upd, n_tup_hot_upd from pg_stat_user_tables"
                " where schemaname = 'waygate' and n_tup_ins + n_tup_upd > 0 order by 2 + 3 desc")
            for table, inserted, updated, hot in rows.fetchall():
                share = f", {hot / updated:.0%} of them HOT" if updated else ""
                print(f"  {table}: {inserted:,} inserted, {updated:,} updated{share}")
            rows = server.execute(
                "select calls, total_exec_time, rows, left(regexp_replace(query, '\\s+', ' ', 'g'), 70)"
                " from pg_stat_statements s join pg_database d on d.oid = s.dbid and datname = current_database()"
                " order by 2 desc limit 8")
            for calls, took, count, text in rows.fetchall():
                print(f"  {took:8,.0f} ms  {calls:6,} calls  {count:9,} rows  {text}")


def machine():
    model = next(line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name"))
    broker = subprocess.run(["mosquitto", "-h"], stdout=subprocess.PIPE, text=True).stdout.split("\n")[0]
    with psycopg.connect(SERVER) as server:
        postgres = server.execute("show server_version").fetchone()[0]
    release = subprocess.run([BINARIES / "waygate", "--version"], stdout=subprocess.PIPE, text=True).stdout.strip()
    print(f"{os.cpu_count()} cores of {model}, Linux {platform.release()}; {broker}; PostgreSQL {postgres}; {release}\n")


def main():
    parser = argparse.ArgumentParser(prog="deploy/benchmark")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is measured (default 5)")
    parser.add_argument("--load", action="append", choices=list(LOADS), help="only this load; may be repeated")
    parser.add_argument("--only", choices=["throughput", "latency", "database", "backlog", "scale"], help="only this part")
    parser.add_argument("--trips", type=int, default=100_000, help="for the scale part (default 100000)")
    options = parser.parse_args()
    os.environ["PATH"] += ":/usr/sbin"
    machine()
    parts = {
        "throughput": lambda: throughput(options.load or list(LOADS), options.rounds), "latency": latency,
        "database": lambda: [database(name) for name in (options.load or list(LOADS)[:2])],
        "backlog": backlog,
        "scale": lambda: scale(options.trips),
    }
    for name, part in parts.items():
        if options.only in (None, name):
            part()
            print(flush=True)


main()
