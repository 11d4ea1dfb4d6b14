// What the scripts that both pages load do by themselves, tried in Node: a class's code, held to the table of
// core/class, and when a server is asked again.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import vm from "node:vm";

const read = path => readFileSync(new URL("../../" + path, import.meta.url), "utf8");

// page runs the scripts where nobody has to wait: a pause is noted and over at once. answers are [status, Retry-After]
// in their order, the last one for ever; 0 is a network that is lost.
const page = (...answers) => {
  const pauses = [], asked = [];
  const window = { addEventListener() {}, removeEventListener() {}, clearTimeout() {}, AbortController, TextDecoder,
    setTimeout(f, ms) { pauses.push(ms); queueMicrotask(f); return 1; },
    async fetch(path, options) {
      asked.push(options.method + " " + path + " " + (options.headers.Authorization || ""));
      const [status, wait] = answers.length > 1 ? answers.shift() : answers[0];
      if (status === 0) throw new TypeError("lost");
      return new Response("{}", { status, headers: wait ? { "Retry-After": String(wait) } : {} });
    } };
  window.window = window;
  vm.createContext(window);
  for (const script of ["ask.js", "class.js"]) vm.runInContext(read("app/web/" + script), window, { filename: script });
  return { lab: window.hadarlab, pauses, asked };
};

{
  const { lab } = page([200]);
  for (const [typed, want] of JSON.parse(read("core/class/testdata/codes.json"))) {
    assert.equal(lab.code(typed), want, JSON.stringify(typed));
  }
}

{ // Once, unless more is asked for.
  const { lab, asked } = page([503, 1]);
  assert.equal((await lab.ask("GET", "/x", { token: "t" })).status, 503);
  assert.deepEqual(asked, ["GET /x Bearer t"]);
}

{ // Until it is answered: further and further apart, never all at once, and not before the server wants it.
  const { lab, pauses } = page([0], [0], [0], [0], [0], [0], [503], [429, 60], [200]), told = [];
  const answer = await lab.ask("POST", "/x", { tries: Infinity, lost: how => told.push(how) });
  assert.ok(answer.ok);
  assert.deepEqual(told, [...Array(7).fill("lost"), "busy", ""]);
  assert.equal(pauses.length, 8);
  for (const [i, whole] of [1000, 2000, 4000, 8000, 15000, 15000, 15000].entries()) {
    assert.ok(pauses[i] >= whole / 2 && pauses[i] <= whole, "pause " + i + ": " + pauses[i]);
  }
  assert.ok(pauses[7] >= 60000 && pauses[7] <= 75000, "after 60 s: " + pauses[7]);
}

{ // A refusal is an answer; who waits before a button waits no longer than they would.
  const { lab, pauses, asked } = page([503, 30], [409]);
  const answer = await lab.ask("POST", "/x", { tries: 4, patience: 10000, again: a => a.status === 503 });
  assert.equal(answer.status, 409);
  assert.equal(asked.length, 2);
  assert.ok(pauses[0] >= 10000 && pauses[0] <= 12500, String(pauses[0]));
}

{ // Who has gone asks no more.
  const stop = new AbortController(), { lab, asked } = page([0]);
  const lost = () => { if (asked.length === 3) stop.abort(); };
  const answer = await lab.ask("GET", "/x", { tries: Infinity, signal: stop.signal, lost });
  assert.equal(answer.status, 0);
  assert.equal(asked.length, 3);
}

console.log("the scripts keep to their rules");
