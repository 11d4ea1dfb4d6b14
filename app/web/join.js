// The page in which a student joins a class and predicts, without the program, which loads meanwhile.
//
// Flow: address and what is kept → class and its news (join-class.js) → where → one screen (join-screens.js), whose
// lively parts follow. Nothing but render draws.
"use strict";
(() => {
  const join = window.hadarlab.join, { student, say, el, entry } = join;

  /** @type {(s: Student) => s is Joined} */
  const isIn = s => !!(s.me && s.assignment && s.state);
  /** @type {(s: Joined) => string} */
  const where = s => {
    const { phase } = s.state, votes = join.votes();
    if (phase === "homework") return join.place(s);
    if (!entry("answers")) return phase === "lobby" ? "lobby" : phase === "closed" ? "closed" : "predict";
    if (phase === "closed") return "closed";
    const voting = s.packed ? votes === "vote" : phase === votes || votes === "discuss" && phase === "change";
    if (voting && !entry("vote") && join.again().length) return "vote";
    return s.packed || join.told() ? "done" : "wait";
  };
  /** @type {(s: Student) => { at: string, draw: () => Kid[] }} */
  const screenOf = s => {
    if (s.trouble || !isIn(s)) {
      const at = s.trouble ? "trouble" : s.me ? "coming" : "code";
      return { at, draw: () => [join.entrance[at](s)] };
    }
    const at = where(s);
    return { at, draw: () => [join.steps(s, at), join.screens[at](s)] };
  };

  // render draws the screen anew where it is another, and has what is lively follow where it is the same.
  let shown = "";
  join.render = moves => {
    const s = student, { at, draw } = screenOf(s);
    const part = at === "code" ? [s.code]
      : s.state?.phase === "homework" ? [s.pace, s.state.opens_ms, s.state.closes_ms, s.assignment?.task?.text]
        : at === "done" || at === "wait" ? [s.state?.phase, s.state?.lab_locked] : [];
    const key = [at, join.language(), part, s.draft.sending,
      s.complaint, s.entries.length, JSON.stringify(s.tallies)].join("|");
    const who = document.getElementById("me");
    who.hidden = document.getElementById("leave").hidden = !s.me;
    if (s.me) who.replaceChildren(...join.around(say("you are {0}"), el("b", null, s.me.name)));
    if (key === shown) { join.follow(); return; }
    const main = document.getElementById("main"), inside = main.contains(document.activeElement), first = shown === "";
    const focus = document.activeElement?.id;
    shown = key;
    join.forgetLively();
    main.replaceChildren(...el("div", null, draw()).childNodes);
    main.dataset.screen = at;
    if (!join.keeps() && s.me) {
      main.append(el("p.soft", { role: "note" },
        say("This browser keeps nothing for this page: do not close or reload it.")));
    }
    const same = focus ? document.getElementById(focus) : null;
    if (moves || inside && !same) {
      const title = main.querySelector("h1") || main;
      title.tabIndex = -1;
      title.focus();
      scrollTo(0, 0);
    } else if (inside) same?.focus();
    else if (first) scrollTo(0, 0);
  };
  join.tell = text => { document.getElementById("spoken").textContent = text; };

  addEventListener("DOMContentLoaded", async () => {
    await join.speak();
    document.getElementById("leave").onclick = () => {
      const sure = student.packed ? say("Leave? Your answers are deleted here.")
        : say("Leave the class? This device can then not go on as {0}.", student.me?.name);
      if (confirm(sure)) join.leave();
    };
    addEventListener("hashchange", () => { shown = ""; join.begin(); });
    addEventListener("offline", () => { if (student.me && !student.packed) join.lost("lost"); });
    setInterval(join.follow, 10000);
    await join.begin();
  });
})();
