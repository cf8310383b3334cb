"""Makes the fixtures of GeometryTests with GeographicLib, an independent oracle for WGS 84 geodesics.

    python3 -m venv venv && venv/bin/pip install geographiclib==2.1
    venv/bin/python make_fixtures.py

Everything comes from one seed. Coordinates are [longitude, latitude]; metres and degrees.
"""
import json
import math
import random

from geographiclib.geodesic import Geodesic

EARTH = Geodesic.WGS84
RANDOM = random.Random(20240611)


def wrap(lon):
    return round((lon + 180) % 360 - 180, 7)


def place(lat=None, lon=None):
    lat = math.degrees(math.asin(RANDOM.uniform(-1, 1))) if lat is None else lat
    lon = RANDOM.uniform(-180, 180) if lon is None else lon
    return [wrap(lon), round(lat, 7)]


def away(start, course, metres):
    end = EARTH.Direct(start[1], start[0], course, metres)
    return [wrap(end["lon2"]), round(end["lat2"], 7)]


def metres(a, b):
    return EARTH.Inverse(a[1], a[0], b[1], b[0])["s12"]


def geodesics():
    bases = [place() for _ in range(12)]
    bases += [place(lon=179.9999), place(lon=-180), place(lat=0), place(lat=89.999), place(lat=-89.9), place(lat=90)]
    rows = []
    for base in bases:
        for scale in (1, 50, 1e3, 3e4, 1e5, 4e5, 2e6, 8e6, 1.6e7, 1.99e7):
            end = away(base, RANDOM.uniform(0, 360), scale * RANDOM.uniform(0.5, 1))
            found = EARTH.Inverse(base[1], base[0], end[1], end[0])
            rows.append([base, end, round(found["s12"], 4), round(found["azi1"] % 360, 6)])
    rows.append([[0, 0], [180, 0], round(metres([0, 0], [180, 0]), 4), None])
    rows.append([[0, 0], [179.5, 0.5], round(metres([0, 0], [179.5, 0.5]), 4), None])
    return rows


def directs():
    rows = []
    for base in [place() for _ in range(10)] + [place(lon=179.9999), place(lat=89.999), place(lat=-90)]:
        for scale in (1, 1e3, 1e5, 5e6, 1.9e7):
            course = round(RANDOM.uniform(0, 360), 3)
            distance = round(scale * RANDOM.uniform(0.5, 1), 3)
            end = EARTH.Direct(base[1], base[0], course, distance)
            rows.append([base, course, distance, [round(end["lon2"], 9), round(end["lat2"], 9)]])
    return rows


class Line:
    """A line that is straight in longitude and latitude, measured by short geodesics."""

    def __init__(self, coordinates):
        self.coordinates = coordinates
        self.offsets = [0.0]
        for index in range(len(coordinates) - 1):
            self.offsets.append(self.offsets[-1] + self.way(index, 1))

    def point(self, index, fraction):
        a, b = self.coordinates[index], self.coordinates[index + 1]
        turn = (b[0] - a[0] + 180) % 360 - 180
        return [a[0] + fraction * turn, a[1] + fraction * (b[1] - a[1])]

    def way(self, index, fraction):
        a, b = self.coordinates[index], self.coordinates[index + 1]
        turn = abs((b[0] - a[0] + 180) % 360 - 180) + abs(b[1] - a[1])
        # Geodesics cut the bend by its square.
        steps = 30 if turn < 3 else 2000
        points = [self.point(index, fraction * step / steps) for step in range(steps + 1)]
        return sum(metres(a, b) for a, b in zip(points, points[1:]))

    def nearest(self, query):
        best = (math.inf, 0, 0)
        for index in range(len(self.coordinates) - 1):
            distance = lambda t: metres(query, self.point(index, t))
            samples = 60
            least = min(range(samples + 1), key=lambda step: distance(step / samples))
            low, high = max(0, (least - 1) / samples), min(1, (least + 1) / samples)
            for _ in range(45):
                a, b = low + (high - low) * 0.381966, low + (high - low) * 0.618034
                low, high = (low, b) if distance(a) < distance(b) else (a, high)
            for t in ((low + high) / 2, 0, 1):
                best = min(best, (distance(t), index, t))
        distance, index, fraction = best
        return distance, self.offsets[index] + self.way(index, fraction)


def walk(base, step, count, swing=60):
    course = RANDOM.uniform(0, 360)
    line = [base]
    for _ in range(count - 1):
        course += RANDOM.uniform(-swing, swing)
        line.append(away(line[-1], course, step * RANDOM.uniform(0.5, 1.5)))
    return line


def lines():
    named = []
    for name, base in [
        ("town", place(lat=28.6, lon=77.2)), ("equator", place(lat=0)), ("antimeridian", place(lat=-16.8, lon=179.99)),
        ("north", place(lat=69.6)), ("far north", place(lat=82.5)), ("near the pole", place(lat=89.7)),
        ("near the other pole", place(lat=-89.99)), ("south", place(lat=-54.8)),
    ]:
        for step in (20, 400, 5e3, 1e5):
            if abs(base[1]) > 85 and step > 1e4:
                continue
            named.append((f"{name}, {step:g} m steps", walk(base, step, 8)))
    named += [
        ("100 km along the parallel at 60 N", [[10, 60], [11.79, 60]]),
        ("100 km diagonal at 60 N", [[10, 60], [11.3, 60.63]]),
        ("100 km diagonal at 60 S over the antimeridian", [[179.4, -60.3], [-179.3, -59.6]]),
        ("100 km along a meridian", [[10, 60], [10, 60.9]]),
        ("100 km diagonal at 75 N", [[20, 75], [22.5, 75.65]]),
        ("three 100 km segments and a repeated vertex", [[10, 60], [11.3, 60.6], [11.3, 60.6], [12.6, 60], [14, 60.5]]),
        ("no length", [[10, 60], [10, 60], [10, 60]]),
        ("around the pole", [[0, 89.9], [120, 89.9], [-120, 89.9], [0, 89.9]]),
        ("half the world", [[-60, -30], [80, 50]]),
    ]
    rows = []
    for name, coordinates in named:
        line = Line(coordinates)
        queries = []
        for distance in (0, 5, 80, 500, 3e3, 5e4):
            for _ in range(2):
                index = RANDOM.randrange(len(coordinates) - 1)
                origin = line.point(index, RANDOM.random())
                query = away([wrap(origin[0]), origin[1]], RANDOM.uniform(0, 360), distance)
                nearest, offset = line.nearest(query)
                queries.append([query, round(nearest, 4), round(offset, 4)])
        rows.append({
            "name": name, "coordinates": coordinates, "offsets": [round(offset, 4) for offset in line.offsets],
            "queries": queries,
        })
    return rows


def write(name, rows):
    with open(name, "w") as file:
        file.write("[\n" + ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows) + "\n]\n")


write("geodesics.json", geodesics())
write("directs.json", directs())
write("lines.json", lines())
