// How the pages ask their server: one answer, however it comes out, and one rule of when it is asked again.
"use strict";
(() => {
  const lab = window.hadarlab ||= /** @type {Lab} */ ({});
  const decoder = new TextDecoder();
  lab.silence = 30000;

  /** @type {(status: number, bytes: Uint8Array<ArrayBuffer>, wait: number) => Answer} */
  const answered = (status, bytes, wait) => {
    const text = () => decoder.decode(bytes);
    return { status, ok: status >= 200 && status < 300, wait, bytes, text,
      json() { try { return JSON.parse(text()) || {}; } catch { return {}; } } };
  };

  // once asks once. What was cut off on its way was not answered, and what only reads is cut off when nothing of its
  // answer has come for a while: a network that changes, or a server that is stuck, may leave a request without an end.
  /** @type {(method: string, path: string, asked: Asked) => Promise<Answer>} */
  const once = async (method, path, { body, token, headers, limit, signal, keepalive }) => {
    const stop = new AbortController(), end = () => stop.abort();
    limit ??= method === "GET" ? lab.silence : 0;
    let timer = limit && setTimeout(end, limit);
    /** @type {Record<string, string>} */
    const head = { ...headers };
    if (body) head["Content-Type"] = "application/json";
    if (token) head.Authorization = "Bearer " + token;
    if (signal?.aborted) end();
    signal?.addEventListener("abort", end);
    try {
      const answer = await fetch(path,
        { method, headers: head, body, credentials: "omit", cache: "no-store", signal: stop.signal, keepalive });
      if (timer) { clearTimeout(timer); timer = setTimeout(end, 4 * limit); }
      const bytes = new Uint8Array(await answer.arrayBuffer());
      return answered(answer.status, bytes, Number(answer.headers.get("Retry-After")) || 0);
    } catch { return answered(0, new Uint8Array(), 0); } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
    }
  };

  // rest waits that long, or until the network is back or nobody wants the answer any more.
  /** @type {(ms: number, signal?: AbortSignal) => Promise<void>} */
  const rest = (ms, signal) => new Promise(done => {
    const on = () => {
      clearTimeout(timer);
      removeEventListener("online", on);
      signal?.removeEventListener("abort", on);
      done();
    };
    const timer = setTimeout(on, ms);
    addEventListener("online", on);
    signal?.addEventListener("abort", on);
  });

  // pause is how long after n tries the next one comes, in ms: as the server says and a little later, else up to twice
  // as long as before. Chance parts those who lost the server in one moment, as a whole class does.
  /** @type {(n: number, wait: number, first: number, patience: number) => number} */
  const pause = (n, wait, first, patience) => wait ? Math.min(wait * 1000, patience) * (1 + Math.random() / 4)
    : Math.min(first * 2 ** (n - 1), 15000, patience) * (1 + Math.random()) / 2;

  /** @type {(answer: Answer) => boolean} */
  const busy = answer => answer.status === 0 || answer.status === 429 || answer.status >= 500;

  lab.ask = async (method, path, asked = {}) => {
    const { tries = 1, again = busy, first = 1000, patience = Infinity, lost = () => {}, signal } = asked;
    for (let n = 1; ; n++) {
      const answer = await once(method, path, asked);
      if (n >= tries || signal?.aborted || !again(answer)) { lost(""); return answer; }
      lost(answer.status === 429 ? "busy" : "lost");
      await rest(pause(n, answer.wait, first, patience), signal);
      if (signal?.aborted) return answered(0, new Uint8Array(), 0);
    }
  };
})();
