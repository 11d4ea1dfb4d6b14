// A run on the server, told in the messages of the engine's worker: the page shows it like one of its own. See page.js.
"use strict";
(() => {
  const lab = window.hadarlab;
  const encoder = new TextEncoder();
  const runs = "/api/v1/runs";
  const tries = 5; // to reach the server, further and further apart

  // takesRuns says whether the server is known to have a queue for runs of this engine. It is asked once; where it was
  // not reached, again after a minute.
  let takes;
  lab.takesRuns = engine => {
    if (takes === undefined) {
      takes = false;
      fetch("/healthz", { credentials: "omit", cache: "no-store" }).then(async answer => {
        const health = answer.ok ? await answer.json().catch(() => ({})) : {};
        takes = health.runs === "queued" && health.engine === engine;
      }, () => setTimeout(() => { takes = undefined; }, 60000));
    }
    return takes;
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

  // client is the token by which the server tells this page from others behind the same address, so that each has its
  // turns. It is the server's, and lasts as long as the page.
  const clientHeader = "Hadarlab-Client";
  let client = "";

  const call = async (method, path, body, token) => {
    const headers = {};
    if (body) headers["Content-Type"] = "application/json";
    if (body && client) headers[clientHeader] = client;
    if (token) headers.Authorization = "Bearer " + token;
    for (let n = 1; ; n++) {
      let answer;
      try { answer = await fetch(path, { method, credentials: "omit", body, headers }); } catch {
        if (n === tries) throw new Refusal("");
        await new Promise(done => setTimeout(done, n * 300));
        continue;
      }
      client = answer.headers.get(clientHeader) || client;
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

  // runOnServer sends a request and tells what the engine would tell. stopOnServer ends the run; unless all is dropped,
  // what was done by then is told.
  lab.runOnServer = (id, request, tell) => {
    const stop = new AbortController();
    let dropped = false;
    const say = (head, body) => { if (!dropped) tell(pack({ id, ...head }, body)); };
    const over = status => status.state !== "queued" && status.state !== "running";

    // follow listens until the run has ended or is stopped here. The browser comes back by itself where the line was cut.
    const follow = path => new Promise((done, fail) => {
      if (stop.signal.aborted) return done();
      const news = new EventSource(path + "/events");
      const end = (how, what) => { news.close(); how(what); };
      stop.signal.addEventListener("abort", () => end(done));
      let missed = 0;
      const hear = (name, f) => news.addEventListener(name, e => { missed = 0; f(JSON.parse(e.data)); });
      hear("progress", progress => say({ progress }));
      hear("state", status => { if (over(status)) end(done, status); });
      news.onerror = () => {
        if (news.readyState === EventSource.CLOSED) end(done, ask(path)); // refused: the answer says why
        else if (++missed === tries) end(fail, new Refusal(""));
      };
    });
    const ask = async path => {
      const status = await (await call("GET", path)).json();
      return over(status) ? status : follow(path);
    };

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
      const posted = await (await call("POST", runs, request)).json();
      const path = runs + "/" + posted.id;
      let status = await follow(path);
      if (stop.signal.aborted) {
        const left = call("DELETE", path, undefined, posted.cancel_token);
        status = await (await left.catch(() => call("GET", path))).json(); // it may have ended before
      }
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
})();
