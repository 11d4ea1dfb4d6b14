// The page in which a student joins a class and predicts, without the program, which loads meanwhile. It needs nothing
// of a secure context. What is typed is kept in the browser until the server has acknowledged it.
//
// Flow: address and what is kept → class, its news (class.js) → where() → one screen, whose live parts follow.
"use strict";
(() => {
  const root = document.documentElement, lab = window.hadarlab;
  const base = new URL("..", document.currentScript.src).pathname; // of the lab, wherever it lies
  const byId = id => document.getElementById(id);

  // Storage: what a browser refuses lasts as long as the tab, in its name, so that the lab has it too.
  let keeps = true, memory = {};
  try { memory = JSON.parse(window.name).hadarlab || {}; } catch { /* nothing is there */ }
  const places = ["localStorage", "sessionStorage"];
  const kept = name => {
    for (const place of places) try { const value = window[place].getItem(name); if (value) return value; } catch { /* the next */ }
    return memory[name] || "";
  };
  const keep = (name, value) => {
    memory[name] = value;
    keeps = false;
    for (const place of places) try {
      if (!keeps && value) { window[place].setItem(name, value); keeps = true; } else { window[place].removeItem(name); keeps ||= !value; }
    } catch { /* the next */ }
    if (!keeps) window.name = JSON.stringify({ hadarlab: memory });
  };
  const parsed = text => { try { return JSON.parse(text) || null; } catch { return null; } };

  // Theme and language, as in shell.js; the catalogue holds this page's texts only.
  const asked = name => (new RegExp("[?&]" + name + "=(\\w+)").exec(location.search) || [])[1];
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const setTheme = () => { root.dataset.theme = asked("theme") || kept("theme") || (dark.matches ? "dark" : "light"); };
  setTheme();
  dark.addEventListener("change", setTheme);
  let tag = (asked("lang") || kept("language") || navigator.language || "en").slice(0, 2) === "de" ? "de" : "en", texts = {};
  const speak = async () => {
    texts = {};
    if (tag === "de") try { texts = await (await fetch(base + "web/words/join.de.json")).json(); } catch { tag = "en"; }
    root.lang = tag;
    document.title = say("Join a class: Hadarlab");
    for (const e of document.querySelectorAll("[data-say]")) e.textContent = say(e.dataset.say ||= e.textContent);
    byId("language").textContent = tag === "de" ? "English" : "Deutsch";
  };
  const say = (key, ...values) => values.reduce((s, v, i) => s.replace("{" + i + "}", () => v), texts[key] || key);

  // el makes an element: properties, then children; texts stay texts.
  const el = (spec, props, ...kids) => {
    const [name, ...classes] = spec.split("."), e = document.createElement(name);
    e.className = classes.join(" ");
    for (const [k, v] of Object.entries(props || {})) k === "hook" ? e.dataset.test = v : k in e && !/^(list|form)$/.test(k) ? e[k] = v : v !== null && v !== false && e.setAttribute(k, v);
    e.append(...kids.flat().filter(kid => kid !== null && kid !== undefined && kid !== false));
    return e;
  };

  // The class. Without a server everything is kept here, and the phases are the student's own.
  let code = "", packed = "", me = null, state = null, assignment = null, entries = [], tallies = [], arrived = 0;
  let trouble = null; // { title, text, ways }: nothing can go on
  let draft = { of: "", answers: {}, vote: {}, sending: "" };
  const mine = "hadarlab.class", drafts = "hadarlab.class.draft", alone = "hadarlab.assign";
  const keepDraft = () => keep(drafts, JSON.stringify(draft));
  const here = () => packed ? "a" + packed.slice(-40) : code;
  const path = () => base + "api/v1/classes/" + code;
  const entry = kind => entries.filter(e => e.kind === kind).at(-1);
  const again = () => assignment.questions.filter(q => q.again);

  // call asks the server. Status 0 = it was not reached.
  const call = async (method, path, body, token) => {
    const stop = new AbortController(), timer = setTimeout(() => stop.abort(), 15000), headers = {};
    if (body) headers["Content-Type"] = "application/json";
    if (token) headers.Authorization = "Bearer " + token;
    try {
      const answer = await fetch(path, { method, headers, body: body && JSON.stringify(body), credentials: "omit", cache: "no-store", signal: stop.signal });
      const text = await answer.text();
      return { status: answer.status, body: parsed(text) || {}, wait: Number(answer.headers.get("Retry-After")) };
    } catch { return { status: 0, body: {}, wait: 0 }; } finally { clearTimeout(timer); }
  };
  // persist calls until the server has answered; meanwhile it says that the network is lost.
  const persist = async (...request) => {
    for (let n = 0; ; n++) {
      const a = await call(...request);
      if (a.status && a.status !== 429 && a.status < 500) { lost(""); return a; }
      lost(a.status === 429 ? "busy" : "lost");
      await new Promise(done => {
        const timer = setTimeout(done, a.wait ? a.wait * 1000 : Math.min(1000 * 2 ** n, 15000));
        addEventListener("online", () => { clearTimeout(timer); done(); }, { once: true });
      });
    }
  };
  // insist calls again where the server has too much to do at once, as when a whole class joins.
  const insist = async (...request) => {
    for (let n = 0; ; n++) {
      const a = await call(...request);
      if (a.status !== 503 || n === 3) return a;
      await new Promise(done => setTimeout(done, 1000 * Math.min(a.wait || 1, 10)));
    }
  };
  const lost = how => {
    const line = byId("lost"), text = how === "" ? "" : how === "busy" ? say("The server is busy. It is asked again in a moment; what you have chosen is kept.") :
      say("The network is lost. What you have chosen is kept here and sent as soon as it is back.");
    if (line.textContent !== text) line.textContent = text;
    line.hidden = !text;
  };
  const tell = text => { byId("spoken").textContent = text; };

  // Bad endings: what happened and what to do.
  const gone = () => ({ title: say("There is no class with this code"), text: say("A code has 8 letters and digits. Compare it with the one on the teacher’s screen; a class that is over is deleted."), ways: [other()] });
  const removed = () => ({ title: say("This device is no longer in the class"), text: say("Your teacher took you out of the class, or you went on with another device. Join again for a new name, or ask your teacher."), ways: [el("button.big", { onclick: () => forget() }, say("Join again"))] });
  const other = () => el("button.big", { onclick: () => { location.hash = ""; forget(true); } }, say("Enter another code"));
  const refusals = {
    "not-now": () => say("This cannot be handed in now: the class has gone on."),
    "answer-first": () => say("Answer the questions first."),
    "given-once": () => say("This is given once, and you have given it."),
    "at-once": () => say("You handed in from two places at once. Send it again."),
    "bad-tag": () => say("A tag has up to 40 letters, digits and signs. Shorten it, or leave it out."),
  };
  const refused = a => {
    const e = a.body.errors?.[0];
    return refusals[e?.code]?.() || e?.message || a.body.detail || say("The server answered with status {0}.", a.status);
  };
  const forget = all => {
    keep(mine, ""); keep(drafts, "");
    me = state = assignment = trouble = null; entries = []; tallies = [];
    draft = { of: "", answers: {}, vote: {}, sending: "" };
    if (all) code = "";
    lab.follow("", () => {});
    render();
  };

  // enter takes up a class that this browser is in.
  const enter = async () => {
    if (draft.of !== here()) draft = { of: here(), answers: {}, vote: {}, sending: "" };
    render();
    if (!await refresh()) return;
    const a = await persist("GET", path() + "/assignment", null, me.token);
    if (a.status !== 200) { stuck(a); return; }
    assignment = a.body;
    news();
    render();
    load();
    for (const kind of ["answers", "vote"]) if (draft.sending === kind) hand(kind);
  };
  const stuck = a => {
    trouble = a.status === 404 || a.status === 410 ? gone() : a.status === 401 || a.status === 403 ? removed() : { title: say("This does not work now"), text: refused(a), ways: [other()] };
    if (a.status === 404 || a.status === 410) keep(mine, "");
    lab.follow("", () => {});
    render();
  };
  const refresh = async () => {
    const a = await persist("GET", path() + "/me", null, me.token);
    if (a.status !== 200) { stuck(a); return false; }
    entries = a.body.entries || []; tallies = a.body.tallies || [];
    hear(a.body.state);
    return true;
  };
  const hear = s => {
    const was = state;
    state = s; arrived = Date.now();
    if (was && was.phase !== s.phase) tell(phaseSays[s.phase]?.() || "");
  };
  // what the class sees of its answers changes with what is revealed, and with the phase.
  const what = () => state && state.revealed.length ? state.revealed + state.phase : "";
  const news = () => lab.follow(path(), (status, text) => {
    if (status === 0) lost("lost");
    else if (status !== 200) stuck({ status, body: parsed(text) || {} });
    else {
      const shown = what();
      lost("");
      hear(parsed(text));
      if (what() === shown) render();
      else setTimeout(() => { if (me && state) refresh().then(render); }, Math.min(1000, 3 * me.n)); // not all at once
    }
  });

  const join = async (typed, mark) => {
    code = folded(typed);
    const a = await insist("POST", path() + "/students", { tag: mark });
    if (a.status === 201) { joined(a.body); return ""; }
    if (a.status === 404 || a.status === 410) return gone().title + ". " + gone().text;
    if (a.status === 0) return say("The server cannot be reached. Look whether you are on the same network as your teacher, and try again.");
    if (a.status === 429) return say("Too many tries from this network. Wait {0} seconds and try again.", a.wait || 60);
    const now = await call("GET", path());
    if (now.body.locked) return say("The class is locked: nobody can join now. Ask your teacher to open it, and try again.");
    if (a.body.errors?.[0]?.code === "class-full") return say("The class is full: nobody more can join.");
    if (now.body.phase === "closed") return say("This class is over: nobody can join any more.");
    return refused(a);
  };
  const back = async (typed, once) => {
    code = folded(typed);
    const a = await insist("POST", path() + "/recover", { code: once.trim() });
    if (a.status === 200 || a.status === 201) { joined(a.body); return ""; }
    if (a.status === 0) return say("The server cannot be reached. Look whether you are on the same network as your teacher, and try again.");
    if (a.status === 429) return say("Too many tries from this network. Wait {0} seconds and try again.", a.wait || 60);
    return say("This one-time code is not right, was used, or is older than 5 minutes. Ask your teacher for another.");
  };
  const joined = body => {
    me = { code, token: body.token, n: body.student.n, name: body.student.name };
    keep(mine, JSON.stringify(me));
    history.replaceState(null, "", base + "join#" + code);
    hear(body.state);
    enter();
  };
  const folded = s => s.toUpperCase().replace(/%20|[^0-9A-Z]/g, "").replace(/O/g, "0").replace(/[IL]/g, "1");
  const spaced = c => c.slice(0, 4) + " " + c.slice(4);

  // hand hands answers in, and does not give up before the server has them.
  const hand = async kind => {
    draft.sending = kind; keepDraft(); render();
    const answers = draft[kind];
    if (packed) entries.push({ student: 1, kind, at_ms: Date.now(), phase: state.phase, answers });
    else {
      const a = await persist("POST", path() + "/entries", { kind, answers }, me.token);
      if (a.status === 201 || a.status === 200) entries.push(a.body);
      else if (a.status === 401 || a.status === 403 || a.status === 404 || a.status === 410) { stuck(a); return; }
      else { // they are there already, as when an answer was lost on its way, or it is too late
        await refresh();
        if (!entry(kind)) { draft.sending = ""; complaint = refused(a); render(); return; }
      }
    }
    draft.sending = ""; draft[kind] = {}; keepDraft();
    if (packed) keepAlone();
    tell(say("Your answer is in."));
    render(true);
  };
  let complaint = "";

  // Without a server: the assignment is in the link.
  const crc = bytes => {
    let c = -1;
    for (const b of bytes) { c ^= b; for (let k = 0; k < 8; k++) c = c & 1 ? c >>> 1 ^ 0xedb88320 : c >>> 1; }
    return ~c >>> 0;
  };
  const most = 256 << 10;
  const unpack = async text => {
    const [, codec, coded, check] = /^1([zj])\.([\w-]+)\.([0-9a-z]{5})/i.exec(text) || [];
    if (!coded) throw new Error();
    let bytes = Uint8Array.from(atob(coded.replace(/-/g, "+").replace(/_/g, "/")), c => c.charCodeAt(0));
    if (codec === "z") {
      const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader(), parts = [];
      for (let n = 0; ;) {
        const { done, value } = await reader.read();
        if (done) break;
        if ((n += value.length) > most) throw new Error();
        parts.push(value);
      }
      bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
    }
    let sum = crc(bytes) >>> 7, want = "";
    for (let k = 0; k < 5; k++, sum >>>= 5) want = "0123456789abcdefghjkmnpqrstvwxyz"[sum & 31] + want;
    if (want !== check.toLowerCase().replace(/o/g, "0").replace(/[il]/g, "1")) throw new Error();
    const a = JSON.parse(new TextDecoder().decode(bytes));
    if (a.kind !== "assignment" || !Array.isArray(a.questions)) throw new Error();
    return a;
  };
  const enterAlone = async () => {
    if (typeof DecompressionStream !== "function") trouble = { title: say("This link cannot be opened"), text: say("This browser is too old to read it. Use a newer one, or another device."), ways: [] };
    else try { assignment = await unpack(packed); } catch {
      trouble = { title: say("This link cannot be opened"), text: say("It was cut short or changed on its way. Ask your teacher for it again, or for the file, which the lab opens."), ways: [other()] };
    }
    if (trouble) { render(); return; }
    const had = parsed(kept(alone));
    const pick = list => { const all = list.split(" "); return all[Math.floor(Math.random() * all.length)]; };
    me = { n: 1, name: had && had.packed === packed ? had.name : pick(root.dataset.qualities || "quiet") + " " + pick(root.dataset.animals || "heron") };
    entries = had && had.packed === packed ? had.entries : [];
    state = { phase: "predict", revealed: [], counts: {} };
    if (draft.of !== here()) draft = { of: here(), answers: {}, vote: {}, sending: "" };
    keepAlone();
    render();
    load();
  };
  const keepAlone = () => keep(alone, JSON.stringify({ packed, name: me.name, entries }));

  // The program comes into the browser's cache, behind everything else.
  let loaded = null;
  const load = async () => {
    if (loaded || navigator.connection?.saveData) return;
    loaded = { bytes: 0, done: false };
    try {
      const reader = (await fetch(base + "web/app.wasm", { priority: "low" })).body.getReader();
      for (let shown = 0; ;) {
        const { done, value } = await reader.read();
        if (done) break;
        loaded.bytes += value.length;
        if (loaded.bytes - shown > 5e5) { shown = loaded.bytes; follow(); }
      }
      loaded.done = true;
    } catch { loaded = null; }
    follow();
  };

  // Screens. live holds what follows the news without being drawn anew.
  const phaseSays = { predict: () => say("Now predict."), run: () => say("Now run it."), discuss: () => say("Now discuss with your neighbours, and answer again."), change: () => say("Now change one thing."), closed: () => say("The class is over.") };
  const stepNames = { predict: () => say("Predict"), run: () => say("Run"), discuss: () => say("Discuss"), change: () => say("Change"), closed: () => say("Done") };
  let screen = "", live = [];
  const follow = () => { for (const f of live) f(); };
  const lively = (e, f) => { const g = () => f(e); live.push(g); g(); return e; };
  const where = () => {
    if (trouble) return "trouble";
    if (!me) return "code";
    if (!assignment || !state) return "coming";
    const phase = state.phase;
    if (!entry("answers")) return phase === "lobby" ? "lobby" : phase === "closed" ? "closed" : "predict";
    if (phase === "closed") return "closed";
    return (phase === "discuss" || phase === "change") && !entry("vote") && again().length ? "vote" : "done";
  };
  const render = moves => {
    const at = where(), key = [at, tag, at === "code" ? code : "", at === "done" ? state.phase : "", draft.sending, complaint, entries.length, JSON.stringify(tallies)].join("|");
    const who = byId("me");
    who.hidden = byId("leave").hidden = !me;
    if (me) who.replaceChildren(...around(say("you are {0}"), el("b", null, me.name)));
    if (key === screen) { follow(); return; }
    const main = byId("main"), inside = main.contains(document.activeElement), first = screen === "";
    const focus = document.activeElement?.id;
    screen = key; live = [];
    main.replaceChildren(...[at === "code" || at === "trouble" || at === "coming" ? null : steps(at), ...screens[at]()].filter(Boolean));
    main.dataset.screen = at;
    if (!keeps && me) main.append(el("p.soft", { role: "note" }, say("This browser keeps nothing for this page: do not close or reload it.")));
    const same = focus && byId(focus);
    if (moves || inside && !same) { const h = main.querySelector("h1") || main; h.tabIndex = -1; h.focus(); scrollTo(0, 0); }
    else if (inside) same.focus();
    else if (first) scrollTo(0, 0);
  };
  const around = (text, e) => { const [a, b] = text.split("{0}"); return [a, e, b || ""]; };
  const steps = at => {
    const names = (assignment.plan || []).map(s => s.phase).filter(p => p !== "lobby");
    let now = at === "predict" || at === "lobby" ? "predict" : at === "vote" ? "discuss" : at === "closed" ? "closed" : state.phase === "predict" || state.phase === "lobby" ? "run" : state.phase;
    const i = names.indexOf(now);
    return el("ol.steps", { "aria-label": say("Steps of the class") }, names.map((p, k) => el("li", { "data-step": k < i ? "past" : "", "aria-current": k === i ? "step" : null }, stepNames[p]())));
  };
  const form = (send, ...kids) => {
    const wrong = el("p.wrong", { role: "alert" });
    const f = el("form", { noValidate: true, onsubmit: async event => {
      event.preventDefault();
      const button = f.querySelector("button.big");
      button.disabled = true; wrong.textContent = "";
      const problem = await send(f);
      button.disabled = false;
      if (problem && f.isConnected) { wrong.textContent = problem; f.querySelector("input").focus(); }
    } }, ...kids.slice(0, -1), wrong, kids.at(-1));
    return f;
  };
  const field = (id, label, hint, props) => el("label.field", null, label, el("input", { type: "text", id, autocomplete: "off", spellcheck: false, ...props }), hint && el("span.soft", null, hint));
  const eight = f => folded(f.value).length === 8;

  const situation = () => el("section.card", { "aria-labelledby": "h-sit" }, el("h2", { id: "h-sit" }, say("The situation")), el("p", null, say(assignment.situation)));
  const clock = () => lively(el("p.soft.mid", { hook: "clock" }), e => {
    const left = state.ends_ms ? Math.ceil((state.ends_ms - state.now_ms - (Date.now() - arrived)) / 60000) : 0;
    e.textContent = left > 1 ? say("about {0} minutes left", left) : left === 1 ? say("about a minute left") : "";
  });
  const waiting = () => packed ? null : el("section.card", { "aria-labelledby": "h-wait" }, el("h2", { id: "h-wait" }, say("While you wait for the others")),
    lively(el("p", { hook: "counts" }), e => { const c = state.counts; e.textContent = state.phase === "discuss" && entry("vote") ? say("{0} of {1} have answered again.", c.voted, c.committed) : say("{0} of {1} have answered.", c.committed, c.joined); }),
    lively(el("progress", { "aria-label": say("Answers") }), e => { e.max = Math.max(1, state.counts.joined); e.value = state.counts.committed; }));
  const program = () => lively(el("p.soft.mid", { hook: "program" }), e => {
    e.textContent = !loaded ? "" : loaded.done ? say("The lab’s program is here: it opens at once.") : say("The lab’s program is loading: {0} MB so far.", (loaded.bytes / 1e6).toFixed(1));
  });
  const labAddress = () => base + (packed ? "#assign=" + packed : "#class=" + code);
  const labLink = label => el("a.big", { href: labAddress(), hook: "open-lab" }, label);

  // ask is the form of questions. What is chosen is kept at once.
  const ask = (questions, kind, button, note) => {
    const busy = draft.sending === kind, given = draft[kind], marks = [];
    const radios = (q, member, value, label, more) => el("label" + (member === "option" ? ".option" : ""), null,
      el("input", { type: "radio", name: kind + "-" + q.id + "-" + member, id: kind + "-" + q.id + "-" + member + "-" + value, value, checked: given[q.id]?.[member] === value, disabled: busy, onchange: () => {
        draft.of = here(); (given[q.id] ||= { option: "", sure: 0 })[member] = value; keepDraft();
        for (const mark of marks) mark(false);
      } }), label, more);
    const parts = questions.map((q, i) => {
      const need = el("p.wrong", { id: "need-" + q.id });
      marks.push(force => {
        const g = given[q.id] || {}, text = g.option && g.sure ? "" : !force && !need.textContent ? "" : !g.option ? say("Choose an answer.") : say("Say how sure you are.");
        need.textContent = text;
        return !text;
      });
      return el("div.question", { hook: "question", "data-question": q.id, "aria-disabled": busy ? "true" : null },
        el("fieldset.options" + (q.options.every(o => !o.note && o.text.length < 18) ? ".short" : ""), { "aria-describedby": "need-" + q.id }, el("legend.ask", null, say(q.text)),
          q.options.map(o => radios(q, "option", o.id, el("span", null, say(o.text)), o.note && el("span.note", null, say(o.note))))),
        el("fieldset.sure", null, el("legend", null, say("How sure are you?"), questions.length > 1 && el("span.vh", null, " " + say(q.text))),
          el("div", null, [1, 2, 3, 4, 5].map(n => radios(q, "sure", n, String(n), n === 1 ? el("span.vh", null, say("a guess")) : n === 5 ? el("span.vh", null, say("certain")) : null))),
          el("p.ends", { "aria-hidden": "true" }, el("span", null, say("a guess")), el("span", null, say("certain")))), need);
    });
    return el("form", { noValidate: true, onsubmit: event => {
      event.preventDefault();
      complaint = "";
      const bad = marks.map(mark => !mark(true)).indexOf(true);
      if (bad < 0) { hand(kind); return; }
      const q = questions[bad], group = parts[bad].querySelectorAll("fieldset")[given[q.id]?.option ? 1 : 0];
      tell(say(q.text) + " " + parts[bad].querySelector(".wrong").textContent);
      group.querySelector("input").focus();
      group.scrollIntoView({ block: "center" });
    } }, parts, el("button.big", { disabled: busy, hook: "commit" }, busy ? say("Sending…") : button), el("p.soft.mid", null, note), complaint && el("p.problem", { role: "alert" }, complaint));
  };

  // said is what the student has answered, beside what is right where that is known.
  const text = (q, id) => { const o = q.options.find(o => o.id === id); return o ? say(o.text) : "—"; };
  const said = kind => {
    const e = entry(kind), right = Object.fromEntries(tallies.map(t => [t.id, t.right]));
    if (!e) return null;
    const known = assignment.questions.some(q => right[q.id]);
    return el("section.card", { hook: "said-" + kind }, el("h2", null, kind === "vote" ? say("You said after the discussion") : say("You said")),
      el("table", null, known && el("thead", null, el("tr", null, el("td"), el("th", { scope: "col" }, say("you said")), el("th", { scope: "col" }, say("it is")))),
        el("tbody", null, assignment.questions.filter(q => e.answers?.[q.id]).map(q => el("tr", null, el("th", { scope: "row" }, say(q.text)),
          el("td", null, el("b", null, text(q, e.answers[q.id].option)), el("div.soft", null, say("Confidence {0} of 5", e.answers[q.id].sure))),
          known && el("td", null, right[q.id] ? [el("b", null, text(q, right[q.id])), el("div.soft", null, right[q.id] === e.answers[q.id].option ? "✓ " + say("you were right") : say("you said something else"))] : "")))))
      , receipt(e));
  };
  const receipt = e => el("p.soft", { hook: "receipt" }, packed ? say("Kept here at {0}, to be handed in at the end.", time(e.at_ms)) : around(say("Committed at {1}, receipt {0}.").replace("{1}", time(e.at_ms)), el("b.hash", null, short(e.hash))));
  const time = ms => new Date(ms).toLocaleTimeString(tag, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const short = hash => (hash || "").slice(0, 8).toUpperCase();

  // named is what a pointer into the scenario leads to, by the names in it: j3, gpus.
  const named = path => {
    let at = assignment.scenario, names = [];
    for (const step of path.split("/").slice(1)) {
      at = at?.[step];
      if (at?.id || !/^(scenario|cluster|\d+)$/.test(step)) names.push(at?.id || at?.model || step);
    }
    return names.filter(n => !/^(jobs|nodes|rows|policies)$/.test(n)).join(", ");
  };

  // bars are how the class answered a question that the teacher has revealed.
  const sum = list => list.reduce((a, b) => a + b, 0);
  const bars = t => {
    const q = assignment.questions.find(q => q.id === t.id), voted = t.voted > 0 && (entry("vote") || state.phase !== "discuss"), all = t.options.map(o => voted ? o.vote : o.sure), top = Math.max(1, ...all.map(sum));
    if (!q) return null;
    return el("section.card", { hook: "bars", "data-question": t.id }, el("h2", null, say(q.text)), el("p.soft", null, voted ? say("How the class answers now") : say("How the class answered")),
      el("table.bars", null, el("tbody", null, t.options.map((o, i) => {
        const [a, b, c] = [all[i][3] + all[i][4], all[i][2], all[i][0] + all[i][1]], n = a + b + c, right = t.right === o.id;
        const bar = el("div.bar", { "aria-hidden": "true" }, [a, b, c].map(k => el("i", { hidden: !k })));
        [a, b, c].forEach((k, j) => { bar.children[j].style.width = 100 * k / top + "%"; });
        return el("tr", { "data-right": right ? "true" : null }, el("th", { scope: "row" }, text(q, o.id)), el("td", null, bar),
          el("td.n", null, String(n), right && " ✓ " + say("right"), el("span.vh", null, " " + say("{0} sure, {1} fairly, {2} guess", a, b, c))));
      }))), el("p.key", { "aria-hidden": "true" }, el("i"), say("sure, 4 or 5"), el("i"), say("fairly, 3"), el("i"), say("a guess, 1 or 2")));
  };

  const screens = {
    code() {
      if (root.dataset.site) return [el("h1", null, say("Join a class")), el("p", { hook: "no-server" }, say("This site has no server, so that no code leads to a class here. Open the link that your teacher gave you."))];
      const title = lively(el("p.soft", { hook: "class-title" }), e => { e.textContent = state ? say(state.title) : ""; });
      const codeField = (id, props) => { const f = field(id, say("Class code"), say("8 letters and digits, from the teacher’s screen"), { className: "code", autocapitalize: "characters", maxLength: 12, value: code ? spaced(code) : "", ...props }); return f; };
      const need = say("The code has 8 letters and digits.");
      return [el("h1", null, say("Join a class")), title,
        form(f => eight(f["code"]) ? join(f["code"].value, f["tag"].value.trim()) : need, codeField("code", { autofocus: !code }),
          el("details", null, el("summary", null, say("I was given a private tag")), field("tag", say("Private tag"), say("Only one that your teacher handed out, so that results can be matched. Never your name."), { maxLength: 40 })),
          el("button.big", { hook: "do-join" }, say("Join"))),
        el("p.soft.mid", null, say("You get a name, such as quiet heron. Nothing about you is asked or stored.")),
        el("details", { hook: "lost-phone" }, el("summary", null, say("I lost my phone, or this is another device")),
          el("p.soft", null, say("Ask your teacher for a one-time code for your name. It goes on here with all that you have handed in.")),
          form(f => eight(f["code2"]) ? back(f["code2"].value, f["once"].value) : need, codeField("code2"), field("once", say("One-time code"), "", { autocapitalize: "characters" }), el("button.big", null, say("Go on with my name"))))];
    },
    coming: () => [el("h1", null, say("Going into the class…"))],
    trouble: () => [el("h1", null, trouble.title), el("div.problem", { role: "alert", hook: "trouble" }, el("p", null, trouble.text)), ...trouble.ways],
    lobby: () => [el("h1", null, say("You are in. It begins soon.")),
      el("section.card.mid", null, el("p.soft", null, say("You are")), el("p.name", { hook: "name" }, me.name), el("p.soft", null, say("Others know you by this name only."))),
      lively(el("p.mid", { hook: "counts" }), e => { const n = state.counts.joined; e.textContent = n === 1 ? say("You are the first.") : say("{0} are here.", n); }),
      el("section.card", null, el("h2", null, say(assignment.title)), el("p", null, say(assignment.goal || ""))),
      el("p.soft.mid", null, say("This page goes on by itself when your teacher starts.")), program()],
    predict: () => [el("h1", null, say("What will happen?")), packed && el("p.soft", null, say("Answer before you run it. Your teacher gets your answers when you hand them in.")), situation(), clock(),
      ask(assignment.questions, "answers", say("Commit my answer"), say("Cannot be changed afterwards. Run opens next.")), waiting()],
    done: () => [el("h1", null, state.phase === "change" ? say("Now change one thing.") : state.phase === "discuss" ? say("Your answers are in.") : say("Your answer is in. Now run it.")),
      state.phase === "change" && assignment.task && el("section.card", null, el("h2", null, say("The task")), el("p", null, say(assignment.task.text))),
      labLink(state.phase === "change" ? say("Open the lab") : say("Run both policies")), program(), said("vote"), ...tallies.map(bars), said("answers"), waiting(), situation()],
    vote: () => [el("h1", null, say("And what do you say now?")), el("p.soft", null, say("Talk with your neighbours, look into the lab, then answer again.")), clock(), ...tallies.map(bars),
      ask(again(), "vote", say("Commit my second answer"), say("Cannot be changed afterwards.")), el("p.mid", null, el("a", { href: labAddress(), hook: "open-lab" }, say("Look in the lab"))), said("answers"), waiting()],
    closed() {
      const last = entry("submission"), sentence = entry("sentence");
      return [el("h1", null, say("The class is over. This is your report.")), el("p.soft", null, say(assignment.title) + ", " + me.name + (me.n ? " (" + me.n + ")" : "")), said("answers") || el("p", null, say("You have not answered.")), said("vote"),
        sentence && el("section.card", null, el("h2", null, say("Why, in your words")), el("p", null, sentence.text)),
        last && el("section.card", null, el("h2", null, say("What you changed")), (last.changes || []).map(c => el("p", null, el("b", null, named(c.path)), ": ", say("{0} to {1}", c.from, c.to))), receipt(last)),
        ...tallies.map(bars), labLink(say("The whole report, in the lab")), el("button", { onclick: () => print(), hook: "print" }, say("Print"))];
    },
  };

  // begin goes where the address says, else where this browser was.
  const begin = async () => {
    const mark = location.hash.slice(1), link = /^(?:a|assign)=(.+)$/.exec(mark);
    trouble = null; assignment = state = null; entries = []; tallies = []; packed = ""; me = null;
    draft = parsed(kept(drafts)) || draft;
    lab.follow("", () => {});
    if (link) { packed = link[1].replace(/&.*/, ""); await enterAlone(); return; }
    const had = parsed(kept(mine));
    code = folded(mark.split("&")[0]);
    if (had && had.token && (!code || code === had.code)) { code = had.code; me = had; await enter(); return; }
    render();
    if (code.length !== 8) return;
    const a = await call("GET", path());
    if (me) return;
    if (a.status === 200) { state = a.body; follow(); }
    else if (a.status === 404 || a.status === 410) { trouble = gone(); render(); }
  };

  addEventListener("DOMContentLoaded", async () => {
    await speak();
    byId("language").onclick = async () => { tag = tag === "de" ? "en" : "de"; keep("language", tag); await speak(); render(); };
    byId("theme").onclick = () => { keep("theme", root.dataset.theme === "dark" ? "light" : "dark"); setTheme(); root.dataset.theme = kept("theme"); };
    byId("leave").onclick = () => {
      if (!confirm(packed ? say("Leave? Your answers are deleted here.") : say("Leave the class? This device can then not go on as {0}.", me.name))) return;
      if (packed) { keep(alone, ""); packed = ""; }
      history.replaceState(null, "", base + "join");
      forget(true);
    };
    addEventListener("hashchange", () => { screen = ""; begin(); });
    addEventListener("offline", () => { if (me && !packed) lost("lost"); });
    setInterval(follow, 10000);
    await begin();
  });
})();
