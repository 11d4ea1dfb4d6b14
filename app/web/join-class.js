// A student in a class: what the page shows of it, asked of the server and handed in there. What is typed is kept in
// the browser until the server has acknowledged it. Without a server everything is kept here, and the phases are the
// student's own.
"use strict";
(() => {
  const root = document.documentElement, lab = window.hadarlab, join = lab.join, { say, kept, keep, parsed } = join;
  const mine = "hadarlab.class", drafts = "hadarlab.class.draft", alone = "hadarlab.assign"; // names in storage

  /** @type {(of: string) => Draft} */
  const fresh = of => ({ of, answers: {}, vote: {}, sending: "" });
  /** @type {Student} */
  const s = join.student = { code: "", packed: "", me: null, state: null, arrived: 0, assignment: null, entries: [],
    pace: "", tallies: [], draft: fresh(""), complaint: "", trouble: null, picture: null, loaded: null };
  const keepDraft = () => keep(drafts, JSON.stringify(s.draft));
  const here = () => s.packed ? "a" + s.packed.slice(-40) : s.code;
  const path = () => lab.base + "api/v1/classes/" + s.code;
  const token = () => s.me?.token;
  join.entry = kind => s.entries.filter(e => e.kind === kind).at(-1);
  join.again = () => s.assignment?.questions.filter(q => q.again) || [];
  // told says whether what is right is told; votes is the phase in which one answers again: discuss in plans of before.
  join.told = () => !!s.state && (!!s.state.told_ms || ["run", "change", "closed"].includes(s.state.phase));
  join.votes = () => s.assignment?.plan?.some(step => step.phase === "vote") ? "vote" : "discuss";

  // Three ways to ask. persist does not end before the server has answered, and says meanwhile that the network is
  // lost; insist asks again where the server has too much to do at once, as when a whole class joins; call asks once.
  const limit = 15000;
  /** @type {(method: string, path: string, body?: object) => Promise<Answer>} */
  const persist = (method, path, body) => lab.ask(method, path,
    { body: body && JSON.stringify(body), token: token(), limit, tries: Infinity, lost: join.lost });
  /** @type {(method: string, path: string, body: object) => Promise<Answer>} */
  const insist = (method, path, body) => lab.ask(method, path,
    { body: JSON.stringify(body), limit, tries: 4, patience: 10000, again: a => a.status === 503 });
  /** @type {(method: string, path: string) => Promise<Answer>} */
  const call = (method, path) => lab.ask(method, path, { limit });

  join.lost = how => {
    const line = document.getElementById("lost");
    const text = how === "" ? "" : how === "busy"
      ? say("The server is busy. It is asked again in a moment; what you have chosen is kept.")
      : say("The network is lost. What you have chosen is kept here and sent as soon as it is back.");
    if (line.textContent !== text) line.textContent = text;
    line.hidden = !text;
  };

  // Bad endings: what happened and what to do.
  /** @type {(a: Answer) => boolean} */
  const noClass = a => a.status === 404 || a.status === 410;
  /** @type {(a: Answer) => boolean} */
  const notMine = a => a.status === 401 || a.status === 403;
  /** @type {(title: string, text: string, way: "other" | "again" | "") => void} */
  const end = (title, text, way) => { s.trouble = { title, text, way }; };
  const gone = () => ({ title: say("There is no class with this code"),
    text: say("A code has 8 letters and digits. Compare it with the one on the teacher’s screen; " +
      "a class that is over is deleted.") });
  /** @type {(a: Answer) => void} */
  const stuck = a => {
    if (noClass(a)) { end(gone().title, gone().text, "other"); keep(mine, ""); }
    else if (notMine(a)) {
      end(say("This device is no longer in the class"),
        say("Your teacher took you out of the class, or you went on with another device. " +
          "Join again for a new name, or ask your teacher."), "again");
    } else end(say("This does not work now"), refused(a), "other");
    lab.follow("", () => {});
    join.render();
  };
  /** @type {Record<string, () => string>} */
  const refusals = {
    "not-now": () => say("This cannot be handed in now: the class has gone on."),
    "not-open": () => say("It has not opened yet."),
    "homework-over": () => say("The homework has closed: nothing more is taken."),
    "answer-first": () => say("Answer the questions first."),
    "given-once": () => say("This is given once, and you have given it."),
    "at-once": () => say("You handed in from two places at once. Send it again."),
    "tag-not-listed": () => say("This class takes only tags of your teacher’s list, and this is none of them. " +
      "Look how yours is written, or ask your teacher."),
    "tag-taken": () => say("Somebody is in the class with this tag already. If it is you on another device, " +
      "ask your teacher for a one-time code, and go on with it below."),
    "bad-tag": () => say("A tag has up to 40 letters, digits and signs. Shorten it, or leave it out."),
  };
  /** @type {(a: Answer) => string} */
  const refused = a => {
    const { errors, detail } = a.json(), e = errors?.[0];
    return refusals[e?.code]?.() || e?.message || detail || say("The server answered with status {0}.", a.status);
  };
  join.forget = all => {
    keep(mine, ""); keep(drafts, "");
    leave();
    s.draft = fresh("");
    if (all) s.code = "";
    lab.follow("", () => {});
    join.render();
  };
  const leave = () => {
    Object.assign(s,
      { me: null, state: null, assignment: null, trouble: null, entries: [], tallies: [], picture: null });
    drawing = "";
    clearTimeout(waiting);
  };

  // enter takes up a class that this browser is in.
  const enter = async () => {
    if (s.draft.of !== here()) s.draft = fresh(here());
    join.render();
    if (!await refresh()) return;
    const a = await persist("GET", path() + "/assignment");
    if (a.status !== 200) { stuck(a); return; }
    s.assignment = a.json();
    news();
    join.render();
    later();
    if (s.draft.sending) join.hand(s.draft.sending);
  };
  const refresh = async () => {
    const a = await persist("GET", path() + "/me");
    if (a.status !== 200) { stuck(a); return false; }
    const me = a.json();
    s.entries = me.entries || [];
    s.tallies = me.tallies || [];
    s.pace = me.pace || "";
    hear(me.state);
    return true;
  };
  /** @type {(state: ClassState) => void} */
  const hear = state => {
    const was = s.state;
    s.state = state;
    s.arrived = Date.now();
    if (was && was.phase !== state.phase) join.tell(join.phaseSays(state.phase));
    if (!was || was.phase !== state.phase) later();
    join.ring();
    if (join.told() && s.assignment?.task?.text === "") again();
    draw();
  };
  // again fetches the assignment once the run is told: before, it says nothing of its task.
  const again = async () => {
    const of = s.code, a = await persist("GET", path() + "/assignment");
    if (a.status !== 200 || of !== s.code) return;
    s.assignment = a.json();
    join.render();
  };
  // The runs, from when they are told on: a picture, for which nobody needs the lab.
  let drawing = "";
  const draw = async () => {
    const at = join.language() + s.code;
    if (s.packed || !s.me || !join.told() || drawing === at) return;
    drawing = at;
    await new Promise(done => setTimeout(done, turn()));
    const a = await lab.ask("GET", path() + "/picture?lang=" + join.language(), { token: token(), limit, tries: 4 });
    if (drawing !== at || !s.me) return;
    s.picture = a.status === 200 ? a.json() : null; // a server that cannot draw it leads to the lab
    if (!a.ok) drawing = ""; // with the next news
    join.follow();
  };
  join.draw = () => { draw(); };
  /** @type {() => number} not all at once */
  const turn = () => Math.min(1000, 3 * (s.me?.n || 0));
  // what the class sees of its answers changes with what is revealed, and with the phase.
  const what = () => s.state && s.state.revealed.length ? s.state.revealed + s.state.phase : "";
  const news = () => lab.follow(path(), (status, text) => {
    if (status === 0) join.lost("lost");
    else if (status !== 200) stuck({ ...none, status, json: () => parsed(text) || {} });
    else {
      const shown = what();
      join.lost("");
      hear(parsed(text));
      if (what() === shown) join.render();
      else setTimeout(() => { if (s.me && s.state) refresh().then(() => join.render()); }, turn());
    }
  });
  /** @type {Answer} */
  const none = { status: 0, ok: false, wait: 0, bytes: new Uint8Array(), text: () => "", json: () => ({}) };

  join.join = async (typed, mark) => {
    s.code = lab.code(typed);
    const a = await insist("POST", path() + "/students", { tag: mark });
    if (a.status === 201) { joined(a.json()); return ""; }
    if (noClass(a)) return gone().title + ". " + gone().text;
    if (a.status === 0) return unreached();
    if (a.status === 429) return say("Too many tries from this network. Wait {0} seconds and try again.", a.wait || 60);
    const now = (await call("GET", path())).json();
    if (now.code) { s.state = now; join.follow(); } // it may ask for a tag
    if (now.locked) return say("The class is locked: nobody can join now. Ask your teacher to open it, and try again.");
    if (a.json().errors?.[0]?.code === "class-full") return say("The class is full: nobody more can join.");
    if (now.phase === "closed" || now.closes_ms <= now.now_ms) {
      return say("This class is over: nobody can join any more.");
    }
    return refused(a);
  };
  const unreached = () => say("The server cannot be reached. " +
    "Look whether you are on the same network as your teacher, and try again.");
  join.back = async (typed, once) => {
    s.code = lab.code(typed);
    const a = await insist("POST", path() + "/recover", { code: once.trim() });
    if (a.ok) { joined(a.json()); return ""; }
    if (a.status === 0) return unreached();
    if (a.status === 429) return say("Too many tries from this network. Wait {0} seconds and try again.", a.wait || 60);
    return say("This one-time code is not right, was used, or is older than 5 minutes. Ask your teacher for another.");
  };
  /** @type {(body: any) => void} */
  const joined = body => {
    s.me = { code: s.code, token: body.token, n: body.student.n, name: body.student.name };
    keep(mine, JSON.stringify(s.me));
    history.replaceState(null, "", lab.base + "join#" + s.code);
    hear(body.state);
    enter();
  };

  // What is chosen is kept at once. hand hands answers in, and does not give up before the server has them.
  join.choose = (kind, question, part) => {
    s.draft.of = here();
    Object.assign(s.draft[kind][question] ||= { option: "", sure: 0 }, part);
    keepDraft();
  };
  join.hand = async kind => {
    s.draft.sending = kind;
    s.complaint = "";
    keepDraft();
    join.render();
    const answers = s.draft[kind];
    if (s.packed) s.entries.push({ student: 1, kind, at_ms: Date.now(), phase: s.state?.phase, answers });
    else {
      const a = await persist("POST", path() + "/entries", { kind, answers });
      if (a.status === 201 || a.status === 200) s.entries.push(a.json());
      else if (noClass(a) || notMine(a)) { stuck(a); return; }
      else { // they are there already, as when an answer was lost on its way, or it is too late
        await refresh();
        if (!join.entry(kind)) {
          s.draft.sending = "";
          s.complaint = refused(a);
          join.render();
          return;
        }
      }
    }
    s.draft.sending = "";
    s.draft[kind] = {};
    keepDraft();
    if (s.packed) { keepAlone(); later(); }
    if (s.state?.phase === "homework") { // the task is the student's now
      later();
      await refresh();
      await again();
    }
    join.tell(say("Your answer is in."));
    join.render(true);
  };

  // Without a server.
  const enterAlone = async () => {
    const title = say("This link cannot be opened");
    if (typeof DecompressionStream !== "function") {
      end(title, say("This browser is too old to read it. Use a newer one, or another device."), "");
    } else {
      try { s.assignment = await join.unpack(s.packed); } catch {
        end(title, say("It was cut short or changed on its way. Ask your teacher for it again, " +
          "or for the file, which the lab opens."), "other");
      }
    }
    if (s.trouble) { join.render(); return; }
    const last = parsed(kept(alone)), had = last && last.packed === s.packed ? last : null;
    /** @type {(list: string) => string} */
    const pick = list => { const all = list.split(" "); return all[Math.floor(Math.random() * all.length)]; };
    const name = () => pick(root.dataset.qualities || "quiet") + " " + pick(root.dataset.animals || "heron");
    s.me = { code: "", token: "", n: 1, name: had ? had.name : name(), tag: had ? had.tag : "" };
    s.entries = had ? had.entries : [];
    s.state = { title: "", phase: "predict", now_ms: 0, revealed: [], counts: { joined: 0, committed: 0, voted: 0 } };
    if (s.draft.of !== here()) s.draft = fresh(here());
    keepAlone();
    join.render();
    later();
  };
  const keepAlone = () => keep(alone, JSON.stringify(
    { packed: s.packed, name: s.me?.name, tag: s.me?.tag || undefined, entries: s.entries }));
  join.leave = () => {
    if (s.packed) { keep(alone, ""); s.packed = ""; }
    history.replaceState(null, "", lab.base + "join");
    join.forget(true);
  };

  // The lab's program is 3 MB and more, which a lobby's network does not carry for all at once: it comes from the
  // discussion on, in the turns that the server's numbers give. Of N students the nth begins when n of N parts of four
  // fifths of the phase are over; where that has no end, or is later than the discussion, of a minute. Who opens the
  // lab before has it at once. Without a server it comes after the answers.
  let waiting = 0;
  const later = () => {
    clearTimeout(waiting);
    const { state, me } = s;
    if (s.loaded || !state || !me || state.phase === "lobby" || state.phase === "closed") return;
    if (s.packed || state.phase === "homework") { if (join.entry("answers")) load(); return; }
    if (state.phase === "predict") return;
    const all = Math.max(1, state.counts.joined), part = (me.n - 1) % all / all, since = state.since_ms || state.now_ms;
    const spread = state.phase === "discuss" && state.ends_ms ? .8 * (state.ends_ms - since) : 60000;
    waiting = setTimeout(load, Math.max(0, since + part * spread - state.now_ms));
  };
  const load = async () => {
    if (s.loaded || navigator.connection?.saveData) return;
    /** @type {NonNullable<Student["loaded"]>} */
    const loaded = s.loaded = { bytes: 0, done: false };
    try {
      const reader = (await fetch(lab.base + "web/app.wasm", { priority: "low" })).body?.getReader();
      for (let shown = 0; reader;) {
        const { done, value } = await reader.read();
        if (done) break;
        loaded.bytes += value.length;
        if (loaded.bytes - shown > 5e5) { shown = loaded.bytes; join.follow(); }
      }
      loaded.done = true;
      join.ready();
    } catch { s.loaded = null; }
    join.follow();
  };

  // ready has the board count who has the program, or is opening it, as who leaves this page for the lab.
  join.ready = () => {
    if (!s.packed && s.me) lab.ask("POST", path() + "/ready", { token: token(), limit, tries: 3, keepalive: true });
  };

  // begin goes where the address says, else where this browser was.
  join.begin = async () => {
    const mark = location.hash.slice(1), link = /^(?:a|assign)=(.+)$/.exec(mark);
    leave();
    s.packed = "";
    s.draft = parsed(kept(drafts)) || s.draft;
    lab.follow("", () => {});
    if (link) { s.packed = link[1].replace(/&.*/, ""); await enterAlone(); return; }
    const had = parsed(kept(mine));
    s.code = lab.code(mark.split("&")[0]);
    if (had && had.token && (!s.code || s.code === had.code)) {
      s.code = had.code;
      s.me = had;
      await enter();
      return;
    }
    join.render();
    if (s.code.length !== 8) return;
    const a = await call("GET", path());
    if (s.me) return;
    if (a.status === 200) { s.state = a.json(); join.follow(); }
    else if (noClass(a)) { end(gone().title, gone().text, "other"); join.render(); }
  };
})();
