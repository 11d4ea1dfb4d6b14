// What pages of a class hear from its server, for the page in which a student joins and for the lab.
"use strict";
(() => {
  const lab = window.hadarlab ||= {};

  // follow tells every message about a class, as its text with status 200. Status 0 says that the server is not reached;
  // it is tried again, further and further apart. Any other says that there is nothing to hear, and why. A server that
  // cannot hold a stream open ends it after one message, and says when to come again. Each call ends the one before.
  let end = () => {};
  lab.follow = (path, tell) => {
    end();
    end = () => {};
    if (!path) return;
    let news = null, timer = 0, missed = 0, heard = false, over = false;
    end = () => { over = true; clearTimeout(timer); if (news) news.close(); removeEventListener("online", now); };
    const hear = text => { missed = 0; heard = true; tell(200, text); };
    const again = ms => { clearTimeout(timer); timer = setTimeout(open, ms); };
    const lost = () => { tell(0, ""); again(Math.min(1000 * 2 ** missed++, 15000)); };
    const ask = async () => {
      let answer, text;
      try {
        answer = await fetch(path, { credentials: "omit", cache: "no-store" });
        text = await answer.text();
      } catch { if (!over) lost(); return; }
      if (over) return;
      if (answer.status === 429 || answer.status >= 500) lost();
      else if (!answer.ok) tell(answer.status, text);
      else { hear(text); again(JSON.parse(text).poll_ms || 3000); }
    };
    const open = () => {
      if (over) return;
      if (typeof EventSource !== "function") { ask(); return; }
      heard = false;
      if (news) news.close();
      news = new EventSource(path + "/events");
      news.onmessage = event => hear(event.data);
      news.onerror = () => {
        if (over) return;
        if (news.readyState === EventSource.CLOSED) { ask(); return; } // refused, or given up: the answer says why
        if (!heard) tell(0, ""); // the browser tries again by itself
        heard = false;
      };
    };
    const now = () => { missed = 0; open(); };
    addEventListener("online", now);
    open();
  };
})();
