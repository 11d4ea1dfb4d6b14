"""Shortest remaining time first as a program outside: hadarlab run --policy "exec:python3 examples/exec/srtf.py" FILE

Each line of input is a JSON object: first what does not change, then one for each decision. Each is answered with a
line. The manual has the protocol under "Programs outside".
"""
import json
import sys


def order(job):
    """Who is nearly done goes first; of equal jobs the older."""
    best = max(job["speeds"].values())
    left = job["steps"] - job["steps_done"]
    return (left / best if best else float("inf"), job["id"])


def place(job, free, slots):
    """Free GPUs of the type that suits the job best and has enough of them, over as few nodes as possible."""
    for kind in sorted(job["speeds"], key=lambda kind: -job["speeds"][kind]):
        if not job["speeds"][kind]:
            continue
        gang, wanted = [], job["gpus"]
        mine = [s for s in range(len(slots)) if slots[s]["type"] == kind and free[s]]
        for slot in sorted(mine, key=lambda s: -free[s]):
            take = min(wanted, free[slot])
            if take:
                gang.append([slot, take])
                wanted -= take
        if wanted == 0:
            return gang
    return None


def decide(view, slots):
    free = list(view["gpus"])
    gangs, why = [], {}
    for job in sorted(view["jobs"], key=order):
        held = job["gangs"][0] if job["gangs"] else None
        stays = held and all(free[slot] >= count for slot, count in held)
        gang = held if stays else place(job, free, slots)
        why[job["id"]] = "%.0f s left at best" % order(job)[0]
        if gang:
            gangs.append({"job": job["id"], "gang": gang})
            for slot, count in gang:
                free[slot] -= count
    return {"gangs": gangs, "why": why}


def main():
    hello = json.loads(sys.stdin.readline())
    print(json.dumps({"hadarlab": 1, "name": "SRTF in Python"}), flush=True)
    for line in sys.stdin:
        print(json.dumps(decide(json.loads(line), hello["slots"])), flush=True)


if __name__ == "__main__":
    main()
