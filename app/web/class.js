// A class for its pages, the one in which a student joins and the lab: its code as people type it, and its news.
"use strict";
(() => {
  const lab = window.hadarlab;

  // code is a class's code written in one way, as core/class has it too: e2e/scripts/test.mjs holds both to one table.
  lab.code = typed => typed.replace(/%20|[^0-9A-Za-z]/g, "").toUpperCase().replace(/O/g, "0").replace(/[IL]/g, "1");

  // follow tells every message about a class, as its text with status 200. Status 0 says that the server is not reached
  // now; it is asked again until it is. Any other says that there is nothing to hear, and why. A server that cannot
  // hold a stream open ends it after one message, and says when to come again. A stream whose first message does not
  // come is given up. Each call ends the one before.
  let end = () => {};
  lab.follow = (path, tell) => {
    end();
    end = () => {};
    if (!path) return;
    /** @type {EventSource | undefined} */
    let news;
    let asking = new AbortController(), timer = 0, heard = false, rest = 0;
    const quiet = () => { clearTimeout(timer); asking.abort(); news?.close(); news = undefined; };
    end = () => { quiet(); removeEventListener("online", open); };
    /** @type {(text: string) => void} */
    const hear = text => {
      heard = true;
      clearTimeout(timer);
      rest = JSON.parse(text).poll_ms || 3000;
      tell(200, text);
    };
    const waits = () => {
      clearTimeout(timer);
      timer = setTimeout(() => { quiet(); ask(); }, rest + lab.silence);
    };
    const ask = async () => {
      const { signal } = asking = new AbortController();
      const answer = await lab.ask("GET", path, { tries: Infinity, signal, lost: how => { if (how) tell(0, ""); } });
      if (signal.aborted) return;
      if (!answer.ok) { tell(answer.status, answer.text()); return; }
      hear(answer.text());
      timer = setTimeout(open, rest);
    };
    const open = () => {
      quiet();
      if (typeof EventSource !== "function") { ask(); return; }
      heard = false;
      waits();
      const mine = news = new EventSource(path + "/events");
      mine.onmessage = event => hear(event.data);
      mine.onerror = () => {
        if (mine !== news) return;
        if (mine.readyState === EventSource.CLOSED) { ask(); return; } // refused, or given up: the answer says why
        if (!heard) tell(0, ""); // the browser tries again by itself
        heard = false;
        waits();
      };
    };
    addEventListener("online", open);
    open();
  };
})();
