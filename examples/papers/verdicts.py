"""Works the verdicts of the paper board out anew from its values, in plain Python 3.

    hadarlab claims --format csv | python3 verdicts.py

A row of the CSV is one scenario of one seed: what the paper's scheduler came to (value_of), what it is compared with
came to (value_against), and the figure of the two. The figure of a seed is the mean over its scenarios, that of a claim
the mean over its seeds, with the 95 % interval by Student's t. Ratios are averaged by their logarithms.
"""
import csv
import math
import sys

# Student's t for 95 %, by degrees of freedom.
T = {1: 12.706, 2: 4.3027, 3: 3.1824, 4: 2.7764, 5: 2.5706, 6: 2.4469, 7: 2.3646, 8: 2.3060, 9: 2.2622}

SCALE = {  # unit: to the scale of means, and back
    "times better": (math.log, math.exp),
    "bound over value": (math.log, math.exp),
    "h": (math.log, math.exp),
    "part less": (lambda v: math.log(1 - v), lambda x: 1 - math.exp(x)),
    "difference": (lambda v: v, lambda x: x),
}
NONE = {"times better": 1, "bound over value": 1, "part less": 0, "difference": 0, "h": None}


def mean(values):
    return sum(values) / len(values)


def estimate(unit, seeds):
    """The mean of the seeds' figures with the ends of its interval."""
    there, back = SCALE[unit]
    x = [mean([there(f) for f in figures]) for figures in seeds]
    m = mean(x)
    half = T[len(x) - 1] * math.sqrt(sum((v - m) ** 2 for v in x) / (len(x) - 1) / len(x))
    return (back(m), *sorted((back(m - half), back(m + half))))


def verdict(unit, published, m, low, high, least):
    none = NONE[unit]
    if unit == "bound over value":
        return "reproduced" if least >= 1 else "not-reproduced"
    side = lambda v: 0 if none is None else (v > none) - (v < none)
    wanted = side(published[0]) if published else 1
    if published:
        apart = max(published[0] - m, m - published[1], 0)
        if published[0] <= high and low <= published[1]:
            return "reproduced"
        if apart <= 0.1 * abs(m) and side(m) == wanted:
            return "reproduced"
    if none is not None and side(low) == side(high) == wanted:
        return "direction"
    return "not-reproduced"


claims = {}
for row in csv.DictReader(sys.stdin):
    if row["form"] == "full":
        claim = claims.setdefault(row["claim"], (row, {}))
        claim[1].setdefault(row["seed"], []).append(float(row["figure"]))
for name, (row, by_seed) in claims.items():
    seeds = list(by_seed.values())
    published = [float(row[end]) for end in ("published_low", "published_high")] if row["published_low"] else None
    m, low, high = estimate(row["unit"], seeds)
    print(name, f"{m:.3f}", f"{low:.3f}", f"{high:.3f}",
          verdict(row["unit"], published, m, low, high, min(map(min, seeds))), sep=",")
