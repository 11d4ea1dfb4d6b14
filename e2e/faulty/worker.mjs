// The worker over a database that fails as one behind a network does. A test says which statements: POST /faults takes
// a list of {match, fate, ms, times}; the first whose match is part of a statement decides its fate, so often:
//   fails  it is not made      lost  it is made and its answer is lost      late  it is made ms later
import worker from "../../build/edge/worker.mjs";

let faults = [];

const lost = () => new Error("D1_ERROR: Network connection lost.");

async function meets(sql, make) {
  const fault = faults.find(f => f.times > 0 && sql.includes(f.match));
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

export default {
  async fetch(request, env, ctx) {
    if (new URL(request.url).pathname === "/faults") {
      const left = faults.reduce((n, f) => n + f.times, 0);
      faults = await request.json();
      return Response.json({ left });
    }
    return worker.fetch(request, over(env), ctx);
  },
  queue: (batch, env, ctx) => worker.queue(batch, over(env), ctx),
  scheduled: (event, env, ctx) => worker.scheduled(event, over(env), ctx),
};
