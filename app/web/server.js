// A run on the server, told in the messages of the engine's worker: the page shows it like one of its own. See page.js.
"use strict";
(() => {
  const lab = window.hadarlab;
  const encoder = new TextEncoder();
  const runs = lab.base + "api/v1/runs";

  // takesRuns says whether the server is known to have a queue for runs of this engine. It is asked once; where it was
  // not reached, again after a minute. askServer tells it when it is known.
  /** @type {boolean | undefined} */
  let takes;
  let asked = Promise.resolve(), own = "";
  /** @type {(engine: string) => Promise<void>} */
  const examine = async engine => {
    const answer = await lab.ask("GET", lab.base + "healthz");
    if (!answer.status) { setTimeout(() => { takes = undefined; }, 60000); return; }
    const health = answer.ok ? answer.json() : {};
    takes = health.runs === "queued" && health.engine === engine;
    if (health.engine && health.engine !== engine) lab.newer();
  };
  lab.takesRuns = engine => {
    own = engine;
    if (takes === undefined) {
      takes = false;
      if (!lab.site) asked = examine(engine);
    }
    return takes;
  };
  lab.askServer = (engine, tell) => {
    lab.takesRuns(engine);
    asked.then(() => tell(takes === true));
  };

  // pack is a message as core/message reads it.
  /** @type {(head: object, body?: Uint8Array) => Uint8Array} */
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
    /** @param {string} message @param {Finding[]} [errors] */
    constructor(message, errors) {
      super(message);
      this.errors = errors; // the findings behind it, which the page says in its reader's language
    }
  }

  // client gives the header with the token by which the server tells this page from others behind the same address, so
  // that each has its turns: all who send none share one. It is asked for before the first request that sends
  // something, and again after half of the day that it lasts. Without one the page goes on as others do.
  /** @type {Promise<void> | undefined} */
  let asking;
  let client = "", askedAt = 0;
  const introduce = async () => {
    const answer = await lab.ask("GET", lab.base + "api/v1/client");
    client = answer.json().client || client;
    if (!answer.status) asking = undefined;
  };
  lab.client = async () => {
    if (Date.now() - askedAt > 12 * 3600 * 1000) { asking = undefined; askedAt = Date.now(); }
    await (asking ||= introduce());
    /** @type {Record<string, string>} */
    const none = {};
    return client ? { "Hadarlab-Client": client } : none;
  };

  // call asks until the server has answered, five times at most. What it refuses is thrown.
  const tries = 5;
  /** @type {(method: string, path: string, body?: Uint8Array<ArrayBuffer>, token?: string) => Promise<Answer>} */
  const call = async (method, path, body, token) => {
    const headers = body ? await lab.client() : {};
    const answer = await lab.ask(method, path, { body, token, headers, tries, first: 300,
      again: a => a.status === 0 || (a.status === 429 || a.status === 503) && a.wait > 0 });
    if (answer.ok) return answer;
    if (answer.status === 0) throw new Refusal("");
    const problem = answer.json();
    throw new Refusal(problem.errors?.[0]?.message || problem.detail || "status " + answer.status, problem.errors);
  };

  // read is what an answer holds that must be JSON.
  /** @type {(...asked: Parameters<typeof call>) => Promise<any>} */
  const read = async (...asked) => JSON.parse((await call(...asked)).text());

  /** @type {(status: RunStatus) => boolean} */
  const over = status => status.state !== "queued" && status.state !== "running";

  // follow listens until what runs at path has ended or is stopped here, and passes news on by name. The browser comes
  // back by itself where the line was cut.
  /** @typedef {Record<string, (what: any) => void>} Hears by the name of an event */
  /** @type {(path: string, signal: AbortSignal, hears: Hears) => Promise<RunStatus | undefined>} */
  const follow = (path, signal, hears) => new Promise((done, fail) => {
    if (signal.aborted) { done(undefined); return; }
    const news = new EventSource(path + "/events");
    signal.addEventListener("abort", () => { news.close(); done(undefined); });
    let missed = 0;
    /** @type {(name: string, f: (what: any) => void) => void} */
    const hear = (name, f) => news.addEventListener(name, e => { missed = 0; f(JSON.parse(e.data)); });
    for (const name in hears) hear(name, hears[name]);
    hear("state", status => { if (over(status)) { news.close(); done(status); } });
    news.onerror = () => {
      if (news.readyState === EventSource.CLOSED) done(ask(path, signal, hears)); // refused: the answer says why
      else if (++missed === tries) { news.close(); fail(new Refusal("")); }
    };
  });
  /** @type {(...followed: Parameters<typeof follow>) => Promise<RunStatus | undefined>} */
  const ask = async (path, signal, hears) => {
    const status = await read("GET", path);
    return over(status) ? status : follow(path, signal, hears);
  };

  // work has the server do what a request asks, and gives where and how it ended, or how far it is when it was stopped
  // here and goes on for others.
  /** @typedef {{ path: string, status: RunStatus }} Worked */
  /** @type {(kind: string, request: Uint8Array<ArrayBuffer>, signal: AbortSignal, hears: Hears) => Promise<Worked>} */
  const work = async (kind, request, signal, hears) => {
    const posted = await read("POST", kind, request);
    const path = kind + "/" + posted.id;
    let status = await follow(path, signal, hears);
    if (!status || signal.aborted) {
      const left = read("DELETE", path, undefined, posted.cancel_token);
      status = /** @type {RunStatus} */ (await left.catch(() => read("GET", path))); // it may have ended before
    }
    if (own && status.engine !== own) { // the server has become another since it was asked
      lab.newer();
      const why = lab.say("The server has version {0} now, and this page is version {1}. " +
        "Reload the page, or run it here.");
      throw new Refusal(why.replace("{0}", status.engine).replace("{1}", own));
    }
    return { path, status };
  };

  // runOnServer sends a request and tells what the engine would tell. stopOnServer ends the run; unless all is dropped,
  // what was done by then is told.
  lab.runOnServer = (id, request, tell) => {
    const stop = new AbortController();
    let dropped = false;
    /** @type {(head: object, body?: Uint8Array) => void} */
    const say = (head, body) => { if (!dropped) tell(pack({ id, ...head }, body)); };

    /** @type {(path: string, status: RunStatus) => Promise<void>} */
    const collect = async (path, status) => {
      const result = await read("GET", path + "/result");
      for (const [i, lane] of status.lanes.entries()) {
        if (lane.outcome === "failed") {
          const errors = (status.errors || []).filter(e => e.path.startsWith("/scenario/policies/" + i + "/"));
          say({ failure: { lane: i, message: errors[0]?.message || "the policy cannot run", errors } });
        } else {
          const trace = await call("GET", path + "/trace/" + i);
          say({ lane: result.runs.shift() }, trace.bytes);
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
  /** @type {Map<number, (all: boolean) => void>} */
  const sweeps = new Map(); // how to stop those under way, by their number
  lab.sweepOnServer = (id, varies, request, tell) => {
    const stop = new AbortController();
    let dropped = false;
    /** @type {(head: object) => void} */
    const say = head => { if (!dropped) tell(pack({ id, ...head })); };
    sweeps.set(id, all => { dropped = all; stop.abort(); });

    const run = async () => {
      /** @type {Hears} */
      const heard = { sweep: progress => say({ swept: progress }) };
      const { path, status } = await work(varies ? lab.base + "api/v1/sweeps" : runs, request, stop.signal, heard);
      const ended = over(status) && status.state !== "failed";
      if (!ended && !stop.signal.aborted) {
        const last = status.errors?.at(-1);
        throw new Refusal(last?.message || "the run was stopped there", last && [last]);
      }
      /** @type {Record<string, any>} */
      const swept = { done: 0, runs: 0, now: "", ...status.sweep, over: true, stopped: status.state !== "done" };
      const result = ended && await read("GET", path + "/result").catch(() => null); // none when nothing was done
      if (result) {
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
