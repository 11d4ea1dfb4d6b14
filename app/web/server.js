// A run on the server, told in the messages of the engine's worker: the page shows it like one of its own. See page.js.
"use strict";
(() => {
  const lab = window.hadarlab;
  const encoder = new TextEncoder();
  const runs = lab.base + "api/v1/runs";
  const tries = 5; // to reach the server, further and further apart

  // takesRuns says whether the server is known to have a queue for runs of this engine. It is asked once; where it was
  // not reached, again after a minute. askServer tells it when it is known.
  let takes, asked, own;
  lab.takesRuns = engine => {
    own = engine;
    if (takes === undefined) {
      takes = false;
      asked = lab.site ? Promise.resolve() : fetch(lab.base + "healthz", { credentials: "omit", cache: "no-store" }).then(async answer => {
        const health = answer.ok ? await answer.json().catch(() => ({})) : {};
        takes = health.runs === "queued" && health.engine === engine;
        if (health.engine && health.engine !== engine) lab.newer();
      }, () => { setTimeout(() => { takes = undefined; }, 60000); });
    }
    return takes;
  };
  lab.askServer = (engine, tell) => {
    lab.takesRuns(engine);
    asked.then(() => tell(takes === true));
  };

  // pack is a message as core/message reads it.
  const pack = (head, body = new Uint8Array()) => {
    const text = encoder.encode(JSON.stringify({ v: 1, ...head }));
    const bytes = new Uint8Array(4 + text.length + body.length);
    new DataView(bytes.buffer).setUint32(0, text.length, true);
    bytes.set(text, 4);
    bytes.set(body, 4 + text.length);
    return bytes;
  };

  // Refusal holds the server's words, none when it was not reached.
  class Refusal extends Error {
    constructor(message, errors) {
      super(message);
      this.errors = errors; // the findings behind it, which the page says in its reader's language
    }
  }

  // client gives the header with the token by which the server tells this page from others behind the same address, so
  // that each has its turns: all who send none share one. It is asked for before the first request that sends something,
  // and again after half of the day that it lasts. Without one the page goes on as others do.
  const clientHeader = "Hadarlab-Client";
  let client = "", asking, askedAt = 0;
  lab.client = async () => {
    if (Date.now() - askedAt > 12 * 3600 * 1000) { asking = undefined; askedAt = Date.now(); }
    asking ||= fetch(lab.base + "api/v1/client", { credentials: "omit", cache: "no-store" }).then(answer => answer.json())
      .then(got => { client = got.client || client; }).catch(() => { asking = undefined; });
    await asking;
    return client ? { [clientHeader]: client } : {};
  };

  const call = async (method, path, body, token) => {
    const headers = body ? { "Content-Type": "application/json", ...await lab.client() } : {};
    if (token) headers.Authorization = "Bearer " + token;
    for (let n = 1; ; n++) {
      let answer;
      try { answer = await fetch(path, { method, credentials: "omit", body, headers }); } catch {
        if (n === tries) throw new Refusal("");
        await new Promise(done => setTimeout(done, n * 300));
        continue;
      }
      if (answer.ok) return answer;
      const wait = Number(answer.headers.get("Retry-After"));
      if ((answer.status === 429 || answer.status === 503) && wait > 0 && n < tries) {
        await new Promise(done => setTimeout(done, wait * 1000));
        continue;
      }
      const problem = await answer.json().catch(() => ({}));
      throw new Refusal(problem.errors?.[0]?.message || problem.detail || "status " + answer.status, problem.errors);
    }
  };

  const over = status => status.state !== "queued" && status.state !== "running";

  // follow listens until what runs at path has ended or is stopped here, and passes news on by name. The browser comes
  // back by itself where the line was cut.
  const follow = (path, signal, hears) => new Promise((done, fail) => {
    if (signal.aborted) return done();
    const news = new EventSource(path + "/events");
    const end = (how, what) => { news.close(); how(what); };
    signal.addEventListener("abort", () => end(done));
    let missed = 0;
    const hear = (name, f) => news.addEventListener(name, e => { missed = 0; f(JSON.parse(e.data)); });
    for (const name in hears) hear(name, hears[name]);
    hear("state", status => { if (over(status)) end(done, status); });
    news.onerror = () => {
      if (news.readyState === EventSource.CLOSED) end(done, ask(path, signal, hears)); // refused: the answer says why
      else if (++missed === tries) end(fail, new Refusal(""));
    };
  });
  const ask = async (path, signal, hears) => {
    const status = await (await call("GET", path)).json();
    return over(status) ? status : follow(path, signal, hears);
  };

  // work has the server do what a request asks, and gives where and how it ended, or how far it is when it was stopped
  // here and goes on for others.
  const work = async (kind, request, signal, hears) => {
    const posted = await (await call("POST", kind, request)).json();
    const path = kind + "/" + posted.id;
    let status = await follow(path, signal, hears);
    if (signal.aborted) {
      const left = call("DELETE", path, undefined, posted.cancel_token);
      status = await (await left.catch(() => call("GET", path))).json(); // it may have ended before
    }
    if (own && status.engine !== own) { // the server has become another since it was asked
      lab.newer();
      throw new Refusal(lab.say("The server has version {0} now, and this page is version {1}. Reload the page, or run it here.")
        .replace("{0}", status.engine).replace("{1}", own));
    }
    return { path, status };
  };

  // runOnServer sends a request and tells what the engine would tell. stopOnServer ends the run; unless all is dropped,
  // what was done by then is told.
  lab.runOnServer = (id, request, tell) => {
    const stop = new AbortController();
    let dropped = false;
    const say = (head, body) => { if (!dropped) tell(pack({ id, ...head }, body)); };

    const collect = async (path, status) => {
      const result = await (await call("GET", path + "/result")).json();
      for (const [i, lane] of status.lanes.entries()) {
        if (lane.outcome === "failed") {
          const errors = (status.errors || []).filter(e => e.path.startsWith("/scenario/policies/" + i + "/"));
          say({ failure: { lane: i, message: errors[0]?.message || "the policy cannot run", errors } });
        } else {
          const trace = await call("GET", path + "/trace/" + i);
          say({ lane: result.runs.shift() }, new Uint8Array(await trace.arrayBuffer()));
        }
      }
    };

    const run = async () => {
      const { path, status } = await work(runs, request, stop.signal, { progress: progress => say({ progress }) });
      if (dropped) return;
      if (!over(status)) { // it goes on for others
        say({ finished: true });
        return;
      }
      const last = status.errors?.at(-1);
      let why = "";
      if (status.state !== "done") why = last?.message || "the run was stopped there";
      await collect(path, status).catch(e => { if (!why) throw e; });
      if (why && !stop.signal.aborted) throw new Refusal(why, last && [last]);
      say({ finished: true });
    };
    run().catch(e => {
      if (stop.signal.aborted) say({ finished: true });
      else say({ failure: { lane: -1, message: e instanceof Refusal ? e.message : String(e), errors: e.errors } });
    });

    lab.stopOnServer = all => { dropped = all; stop.abort(); };
  };

  // sweepOnServer does the same with a sweep, or with replicates where nothing varies; the points come at the end.
  const sweeps = new Map(); // how to stop those under way, by their number
  lab.sweepOnServer = (id, varies, request, tell) => {
    const stop = new AbortController();
    let dropped = false;
    const say = head => { if (!dropped) tell(pack({ id, ...head })); };
    sweeps.set(id, all => { dropped = all; stop.abort(); });

    const run = async () => {
      const heard = { sweep: progress => say({ swept: progress }) };
      const { path, status } = await work(varies ? lab.base + "api/v1/sweeps" : runs, request, stop.signal, heard);
      const ended = over(status) && status.state !== "failed";
      if (!ended && !stop.signal.aborted) {
        const last = status.errors?.at(-1);
        throw new Refusal(last?.message || "the run was stopped there", last && [last]);
      }
      const swept = { done: 0, runs: 0, now: "", ...status.sweep, over: true, stopped: status.state !== "done" };
      const answer = ended && await call("GET", path + "/result").catch(() => null); // none when nothing was done
      if (answer) {
        const result = await answer.json();
        swept.points = varies ? result.points : [{ values: [], runs: result.runs, summary: result.summary }];
      }
      say({ swept });
    };
    run().catch(e => {
      const why = e instanceof Refusal ? e.message : String(e);
      if (stop.signal.aborted) say({ swept: { done: 0, runs: 0, now: "", over: true, stopped: true } });
      else say({ failure: { lane: -1, message: why, errors: e.errors } });
    }).finally(() => sweeps.delete(id));
  };
  lab.stopSweepOnServer = (id, all) => sweeps.get(id)?.(all);
})();
