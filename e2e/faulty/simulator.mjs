// The simulator over a database that fails as one behind a network does, and as one of another version. A test says
// which: POST /faults takes a list of {match, fate, ms, times}; the first whose match is part of a statement decides its
// fate, so often:
//   fails  it is not made      lost  it is made and its answer is lost      late  it is made ms later
// and the first whose path a request has decides that of its answer:
//   older  it is that of another engine      holds  all but its beginning comes when there are other faults
// It answers how many faults are left, and GET too how often a held answer has waited: who goes away ends that.
import worker from "../../worker/cmd/edge/local/simulator.mjs";

let faults = [], waits = 0;

const lost = () => new Error("D1_ERROR: Network connection lost.");

async function meets(sql, make) {
  const fault = faults.find(f => f.times > 0 && f.match && sql.includes(f.match));
  if (!fault) return make();
  fault.times--;
  switch (fault.fate) {
    case "fails": throw lost();
    case "lost": await make(); throw lost();
  }
  await new Promise(done => setTimeout(done, fault.ms));
  return make();
}

const whole = Symbol();

function statement(real, sql) {
  return new Proxy(real, {
    get(_, name) {
      switch (name) {
        case whole: return { real, sql };
        case "bind": return (...values) => statement(real.bind(...values), sql);
        case "all": case "first": case "raw": case "run": return (...a) => meets(sql, () => real[name](...a));
      }
      return real[name];
    },
  });
}

function database(real) {
  return new Proxy(real, {
    get(_, name) {
      switch (name) {
        case "prepare": return sql => statement(real.prepare(sql), sql);
        case "batch": return list => meets(list.map(s => s[whole].sql).join(";\n"),
          () => real.batch(list.map(s => s[whole].real)));
      }
      const value = real[name];
      return typeof value === "function" ? value.bind(real) : value;
    },
  });
}

const over = env => ({ ...env, DB: database(env.DB) });

async function older(answer) {
  const text = (await answer.text()).replaceAll(/"engine":"[^"]*"/g, '"engine":"0.0.1"');
  return new Response(text, answer);
}

function held(answer) {
  const from = answer.body.getReader(), before = faults;
  let begun = false;
  return new Response(new ReadableStream({
    async pull(to) {
      if (begun && faults === before) { // no request may wait for a promise of another
        waits++;
        await new Promise(done => setTimeout(done, 20));
        return to.enqueue(new TextEncoder().encode(": held\n\n"));
      }
      const { done, value } = await from.read();
      if (done) return to.close();
      begun ||= value.length > 0;
      to.enqueue(value);
    },
  }), answer);
}

export default {
  async fetch(request, env, ctx) {
    const { pathname } = new URL(request.url);
    if (pathname === "/faults") {
      const left = faults.reduce((n, f) => n + f.times, 0);
      if (request.method === "POST") faults = await request.json();
      return Response.json({ left, waits });
    }
    const answer = await worker.fetch(request, over(env), ctx);
    const fault = faults.find(f => f.times > 0 && f.path === pathname);
    if (!fault) return answer;
    fault.times--;
    return fault.fate === "older" ? older(answer) : held(answer);
  },
  queue: (batch, env, ctx) => worker.queue(batch, over(env), ctx),
};
