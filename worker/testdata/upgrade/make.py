"""Makes one of the dumps beside this file by the real server of a commit, through its interface:

    git worktree add ../then COMMIT && (cd ../then && go build -o hadarlab ./worker/cmd/hadarlab)
    python3 make.py ../then/hadarlab COMMIT.sql.gz ../../../scenarios/presets

What is in it: a shared scenario with title, question and notes; a run that has ended. Where the program has classes and
a queue that outlives it also a class in its last phase with three students, their answers and a submission that was run
again, a sweep that has ended, and then, as the program is killed, a run that is worked on, a run and a sweep that wait
and a submission without a verdict. COMMIT.json says ids, keys and figures as that program gave them.
"""

import gzip
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

FIGURES = ("avg_jct_s", "p95_jct_s", "makespan_s", "avg_queue_s", "ftf_max", "gpu_utilization")


def main(program, dump, presets):
    def preset(name):
        with open(os.path.join(presets, name + ".json")) as f:
            return json.load(f)

    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen([program, "serve", "--addr", "127.0.0.1:0", "--data", folder],
                                  stdout=subprocess.PIPE, text=True)
        base = re.search(r"http://[\w.:]+", server.stdout.readline()).group(0)

        def call(method, path, body=None, token=""):
            headers = {"Content-Type": "application/json"}
            if token:
                headers["Authorization"] = "Bearer " + token
            data = None if body is None else json.dumps(body).encode()
            request = urllib.request.Request(base + path, method=method, data=data, headers=headers)
            try:
                with urllib.request.urlopen(request) as answer:
                    text = answer.read()
                    return json.loads(text) if text else None
            except urllib.error.HTTPError as e:
                if e.code == 404:
                    return None
                raise SystemExit(f"{method} {path}: {e.code} {e.read().decode()}")

        def ended(kind, request):
            run = call("POST", "/api/v1/" + kind, request)["id"]
            while call("GET", f"/api/v1/{kind}/{run}")["state"] in ("queued", "running"):
                time.sleep(0.05)
            return run, call("GET", f"/api/v1/{kind}/{run}/result")

        def lanes(result):
            return [{"policy": r["policy"], "outcome": r["outcome"], "trace_hash": r["trace_hash"],
                     "figures": {k: r["metrics"][k] for k in FIGURES}} for r in result["runs"]]

        shared = preset("odd-gpus-out")
        made = {"shared": call("POST", "/api/v1/scenarios", shared)["url"].removeprefix("/s/")}
        made["run"], result = ended("runs", {"scenario": shared})
        made["engine"] = result["engine"]
        made["lanes"] = lanes(result)
        vary = [{"path": "/scenario/round_s", "values": [120, 360]}]
        with_classes = call("POST", "/api/v1/classes", {"assignment": "hadar-vs-gavel"})
        if with_classes:
            made["sweep"], _ = ended("sweeps", {"scenario": shared, "vary": vary})
            made["class"] = course = with_classes
            at = "/api/v1/classes/" + course["code"]
            call("PATCH", at, {"phase": "predict"}, course["key"])
            assignment = call("GET", at + "/assignment", token=course["key"])
            made["students"] = []
            for i in range(3):
                joined = call("POST", at + "/students", {"tag": f"seat {i + 1}"})
                made["students"].append(joined["token"])
                call("POST", at + "/entries", {"kind": "answers", "answers": {
                    q["id"]: {"option": q["options"][i % len(q["options"])]["id"], "sure": 1 + i}
                    for q in assignment["questions"]}}, joined["token"])
            call("PATCH", at, {"phase": "change"}, course["key"])

            def submit(student, round_s, claim):
                doc = json.loads(json.dumps(assignment["scenario"]))
                doc["scenario"]["round_s"] = round_s
                call("POST", at + "/entries", {"kind": "submission", "scenario": doc, "engine": made["engine"],
                                               "lanes": claim(doc)}, made["students"][student])

            submit(0, 180, lambda doc: lanes(ended("runs", {"scenario": doc})[1]))
            while True:
                made["board"] = call("GET", at + "/board", token=course["key"])
                verdict = [e["verdict"] for e in made["board"]["entries"] if e["kind"] == "submission"]
                if verdict != ["pending"]:
                    break
                time.sleep(0.05)
            long = preset("sixty-measured-jobs")
            long["scenario"]["round_s"] = 1
            made["working"] = call("POST", "/api/v1/runs", {"scenario": long, "policies": ["hadar"]})["id"]
            made["waiting"] = call("POST", "/api/v1/runs", {"scenario": shared, "policies": ["srtf", "las"]})["id"]
            vary[0]["values"] = [60, 240]
            made["sweep_waiting"] = call("POST", "/api/v1/sweeps", {"scenario": shared, "vary": vary})["id"]
            submit(1, 240, lambda doc: [dict(x) for x in made["lanes"]])
        os.kill(server.pid, signal.SIGKILL)
        server.wait()
        with sqlite3.connect(os.path.join(folder, "hadarlab.db")) as db:
            text = "\n".join(db.iterdump()) + "\n"
    with open(dump, "wb") as f, gzip.GzipFile(fileobj=f, mode="wb", filename="", mtime=0) as z:
        z.write(text.encode())
    with open(dump.replace(".sql.gz", ".json"), "w") as f:
        json.dump(made, f, indent=1)
        f.write("\n")


main(*sys.argv[1:])
