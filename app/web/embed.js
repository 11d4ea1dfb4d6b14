// The conversation of an embed with the page around it. Only that page is listened to, and it is told
// something only after it has said hello, at the origin from which it said so; "ready" alone goes to anyone,
// and it holds nothing.
"use strict";
(() => {
  const lab = window.hadarlab;
  let peer = ""; // origin of the page around, "" = it has not said hello
  /** @type {object | null} */
  let latest = null;
  const send = () => { if (latest && peer && peer !== "null") window.parent.postMessage(latest, peer); };

  lab.tell = (job, round, time_s) => {
    latest = { type: "hadarlab:select", job, round, time_s };
    send();
  };
  lab.onMessage = f => {
    if (window.parent === window) return;
    addEventListener("message", event => {
      const data = event.data;
      if (event.source !== window.parent || !data || typeof data.type !== "string") return;
      if (data.type === "hadarlab:hello" && peer === "") {
        peer = event.origin;
        send();
      } else if (event.origin === peer) {
        const known = Number.isSafeInteger(data.round) && data.round < 2 ** 31;
        f(data.type, typeof data.job === "string" ? data.job : "", known ? data.round : -1);
      }
    });
    window.parent.postMessage({ type: "hadarlab:ready", version: 1 }, "*");
  };
})();
