// The shell: theme, address and module, before anything is drawn. It runs first and blocks, so it is small.
"use strict";
(() => {
  const root = document.documentElement;

  // Storage: a browser that forbids it throws where it is only looked at, which the program could not catch.
  const none = { length: 0, key: () => null, getItem: () => null, removeItem() {}, clear() {},
    setItem() { throw new Error("storage is forbidden"); } };
  for (const name of /** @type {const} */ (["localStorage", "sessionStorage"])) {
    try { window[name].length; } catch { Object.defineProperty(window, name, { value: none, configurable: true }); }
  }

  // Place: the lab is the folder above this script's. Its own addresses begin with / wherever it lies, and base takes
  // the place of that in what the browser is told.
  const script = /** @type {HTMLScriptElement} */ (document.currentScript);
  const { pathname: base, href } = new URL("..", script.src);
  /** @type {(path: string) => string} */
  const at = path => base + path.slice(1);
  const path = () => "/" + location.pathname.slice(base.length)
    .replace(/(^|\/)(index\.html)?$/, ""); // a static host has folders

  // toggle sets a mark of the root, or takes it away, and remembers it: it lasts as long as the page where it cannot.
  /** @type {(mark: string) => void} */
  const toggle = mark => {
    const on = !root.dataset[mark];
    if (on) root.dataset[mark] = "true"; else delete root.dataset[mark];
    try {
      if (on) localStorage.setItem(mark, "true"); else localStorage.removeItem(mark);
    } catch { /* not remembered */ }
  };

  // Theme: the address, then what was chosen here before, then the system.
  const asked = /[?&]theme=(light|dark)\b/.exec(location.search);
  const system = matchMedia("(prefers-color-scheme: dark)");
  const remembered = () => { try { return localStorage.getItem("theme"); } catch { return null; } };
  const setTheme = () => {
    root.dataset.theme = (asked && asked[1]) || remembered() || (system.matches ? "dark" : "light");
  };
  setTheme();
  system.addEventListener("change", setTheme);

  // Patterns upon the colours of jobs: on paper and in the system's own colours always, else where they were chosen.
  try { if (localStorage.getItem("patterns")) root.dataset.patterns = "true"; } catch { /* without */ }

  // The first screen has one picture and three figures; whoever has asked for more evidence has all of it at once.
  try { if (localStorage.getItem("evidence")) root.dataset.evidence = "true"; } catch { /* the first screen */ }

  // An embed is a view to look at, in another site's page. It keeps nothing.
  const embedded = /^\/e(\/|$)/.test(path());
  if (embedded) root.dataset.embed = "true";

  // Language: the address, then what was chosen here before, then the browser. Embeds keep nothing and read nothing
  // kept. The catalogue comes beside the module; without it the page speaks English, which needs none.
  /** @type {(tag: string) => string} */
  const spoken = tag => tag === "de" ? tag : "en";
  const wanted = () => {
    const told = /[?&]lang=(\w+)/.exec(location.search);
    let chosen = null;
    try { chosen = embedded ? null : localStorage.getItem("language"); } catch { /* the browser's */ }
    return spoken(told ? told[1] : chosen || (navigator.language || "en").slice(0, 2));
  };
  /** @type {(tag: string) => Promise<string>} */
  const fetchWords = async tag => {
    if (tag === "en") return "";
    const answer = await fetch(at("/web/words/" + tag + ".json"));
    if (!answer.ok) throw new Error("status " + answer.status);
    return answer.text();
  };
  /** @type {string | null} */
  let words = "";
  /** @type {Record<string, string>} */
  let texts = {};
  /** @type {(file: string) => void} */
  const take = file => { texts = file ? JSON.parse(file) : {}; words = file; };
  const worded = fetchWords(wanted()).then(take).catch(() => { words = null; });
  /** @type {(key: string) => string} */
  const say = key => texts[key] || key;
  let title = "";

  // Address: what the reader opened, before the program's router sees it. A fragment that is not
  // well-formed would stop the router, so it is taken out.
  const read = () => ({ path: path(), query: location.search,
    fragment: location.hash.slice(1).replace(/^main$/, "") }); // #main is the page itself
  const tidy = () => {
    const address = read();
    try { decodeURIComponent(location.hash); } catch {
      history.replaceState(history.state, "", location.pathname + location.search);
    }
    return address;
  };
  /** @type {Address | null} */
  let opened = tidy();
  addEventListener("hashchange", () => { if (opened) opened = tidy(); }); // a link followed before the program is there

  // Opening: a link, or what this tab had, takes the place of the example; that is not shown meanwhile.
  const safe = /[?&]safe\b/.test(location.search);
  const kept = () => { try { return sessionStorage.getItem("hadarlab") && !safe; } catch { return false; } };
  if (opened.fragment || /^\/(s\/|o$|%(25)?23)/.test(opened.path) || embedded || kept()) root.dataset.opening = "true";

  // Module: fetched at once, compiled while it arrives, shared with the engine's workers.
  const expected = () => Number(root.dataset.bytes) || 8.5e6;
  const fetchModule = async () => {
    if (typeof WebAssembly !== "object") throw new Error("WebAssembly is switched off");
    const answer = await fetch(at("/web/app.wasm"));
    if (!answer.ok || !answer.body) throw new Error("the program is not on the server (status " + answer.status + ")");
    spawnFirst();
    // The browser compiles it by itself; a copy is counted: to lead all through a script takes the page 0.2 s.
    const copy = /** @type {ReadableStream<Uint8Array>} */ (answer.clone().body).getReader();
    const count = async () => {
      let arrived = 0;
      for (let part = await copy.read(); !part.done; part = await copy.read()) {
        arrived += part.value.byteLength;
        const bar = document.getElementById("load");
        if (bar) bar.value = Math.min(arrived / expected(), 1);
      }
      // The page and its program are published together: another size is another version's program.
      if (root.dataset.bytes && arrived !== Number(root.dataset.bytes)) {
        throw new Error("the site is being updated just now; reload the page");
      }
    };
    const typed = answer.headers.get("Content-Type")?.startsWith("application/wasm");
    const program = typed ? answer : new Response(answer.body, { headers: { "Content-Type": "application/wasm" } });
    const compiled = WebAssembly.compileStreaming(program);
    compiled.catch(() => {}); // a wrong size is told first
    await count();
    return compiled;
  };
  const module = fetchModule();
  module.catch(() => {}); // reported below

  // Engine: its worker loads its scripts while the module is on its way and starts beside the page's program, since the
  // first edit waits for the later of the two. What it says before the page listens is kept for it.
  /** @type {(of: Promise<WebAssembly.Module>) => Engine} */
  const spawn = of => {
    const worker = new Worker(at("/web/engine.js"));
    /** @type {Event[]} */
    const early = [];
    worker.onmessage = event => { early.push(event); };
    worker.onerror = event => { event.preventDefault(); early.push(event); };
    of.then(m => worker.postMessage(m), error => {
      worker.terminate();
      worker.dispatchEvent(new ErrorEvent("error", { message: String(error.message || error), cancelable: true }));
    });
    return { worker, early };
  };
  /** @type {Engine | null} */
  let waiting = null;
  const spawnFirst = () => { try { waiting = spawn(module); } catch { /* the page will try again, and say so */ } };

  // The engine that also runs programs which somebody wrote is fetched for the first one; what failed is tried anew.
  /** @type {Promise<WebAssembly.Module> | null} */
  let programsModule = null;
  const fetchPrograms = async () => {
    try {
      const answer = await fetch(at("/web/programs.wasm"));
      if (!answer.ok) throw new Error("status " + answer.status);
      return await WebAssembly.compileStreaming(answer);
    } catch (error) {
      programsModule = null;
      throw error;
    }
  };

  // tell shows a sentence in place of the load bar; what was drawn at build time stays.
  /** @type {(text: string) => void} */
  const tell = text => {
    delete root.dataset.opening;
    const aside = document.getElementById("app-wasm-loader"), reload = document.getElementById("reload");
    document.getElementById("app-wasm-loader-label").textContent = text;
    reload.textContent = say("Reload");
    reload.onclick = () => location.reload();
    aside.hidden = false;
    document.getElementById("load").hidden = true;
  };

  // end says that the program is no more, whatever the page shows then: what it drew last is not true any longer.
  const end = () => {
    root.dataset.ended = "true";
    for (const element of document.querySelectorAll("main, header .state")) element.dataset.state = "error";
    for (const element of document.querySelectorAll("header .state")) element.textContent = say("Stopped");
    if (embedded) tell(say("The program of this view has stopped. Reload it."));
    else if (lab.unkept) {
      tell(say("The page’s program has stopped. Reload. " +
        "Your browser keeps nothing for this tab, so that your edits are lost."));
    } else tell(say("The page’s program has stopped. Reload, your work is kept."));
  };

  // run runs the program until it ends. That is told by its promise when it exits, as it does after a panic, and by
  // what it throws into the browser's calls when the machine traps, as without memory or stack.
  /** @type {(go: Go, instance: WebAssembly.Instance) => Promise<void>} */
  const run = async (go, instance) => {
    const resume = go._resume;
    await new Promise((/** @type {(ended: void) => void} */ over) => {
      go._resume = () => {
        try { resume.call(go); } catch (error) { over(); throw error; }
      };
      go.run(instance).catch(error => console.error(error)).then(over);
    });
    // Timers and listeners of the program are left. wasm_exec.js calls for a timer until the program takes it off the
    // list, which nobody will do now.
    go._resume = () => {};
    go._scheduledTimeouts.clear();
    end();
  };

  /** @type {Record<string, string>} */
  const env = { GOAPP_VERSION: "", GOAPP_INTERNAL_URLS: "null", GOAPP_STATIC_RESOURCES_URL: "", GOAPP_ROOT_PREFIX: "" };
  window.goappGetenv = name => env[name];
  const lab = window.hadarlab = /** @type {Lab} */ ({
    base,
    site: !!root.dataset.site, // files alone, without a server
    home: href.slice(0, -1),
    embedded,
    safe,
    engine(programs) {
      if (programs) return spawn(programsModule ??= fetchPrograms());
      const engine = waiting || spawn(module);
      waiting = null;
      return engine;
    },
    address() { const a = opened || read(); opened = null; return a; },
    tidy,
    say,
    words: () => words,
    async speak(tag, done) {
      try { take(await fetchWords(tag)); } catch { done("", false); return; }
      try { if (!embedded) localStorage.setItem("language", tag); } catch { /* it lasts as long as the page */ }
      done(words, true);
    },
    spoken(tag) {
      root.lang = tag;
      document.title = say(title ||= document.title);
      for (const element of document.querySelectorAll("[data-say]")) {
        element.dataset.say ||= element.textContent || "";
        element.textContent = say(element.dataset.say || "");
      }
    },
    early: -1,
    unveil: () => { delete root.dataset.opening; },
    toggleTheme() {
      root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
      try { localStorage.setItem("theme", root.dataset.theme); } catch { /* it lasts as long as the page */ }
    },
    togglePatterns: () => toggle("patterns"),
    toggleEvidence() {
      toggle("evidence");
      dispatchEvent(new Event("resize")); // the plots have another width
    },
  });

  // The number of the first screen can be changed before the program is there: what comes of each of its values came
  // with the page. The program takes over from there.
  addEventListener("click", event => {
    const button = /** @type {Element} */ (event.target).closest(".page[data-static] .one button");
    const one = /** @type {HTMLElement | null | undefined} */ (button?.closest(".one"));
    if (!button || !one) return;
    const more = !!button.previousElementSibling, n = Number(one.dataset.gpus) + (more ? 1 : -1);
    const early = /** @type {HTMLTemplateElement | null} */ (document.getElementById("early-" + n));
    if (!early) return;
    for (const part of [...early.content.children]) {
      const own = "." + [...part.classList].join(".");
      document.querySelector("main > " + own + ", .mid > " + own)?.replaceWith(part.cloneNode(true));
    }
    /** @type {HTMLElement | null} */ (document.querySelector(".one button:" + (more ? "last" : "first") + "-child"))
      ?.focus();
    lab.early = n;
  });

  // What the reader has opened or shut before the program was there stays so, and the keyboard stays where it is: the
  // program's page, which takes the place of the first one, is drawn alike.
  /** @type {Set<HTMLElement>} */
  const turned = new Set();
  /** @type {HTMLElement | null} */
  let held = null;
  /** @type {(event: Event) => HTMLElement} */
  const target = event => /** @type {HTMLElement} */ (event.target);
  addEventListener("click", event => {
    const fold = target(event).closest(".page[data-static] summary")?.parentElement;
    if (fold) turned.add(fold);
  });
  addEventListener("focusin", event => { held = target(event); });
  addEventListener("pointerdown", () => { held = null; });
  /** @type {(first: Element) => void} */
  const carry = first => new MutationObserver((_, observer) => {
    if (first.isConnected) return;
    observer.disconnect();
    /** @type {(e: HTMLElement) => any} */
    const now = e => {
      const i = [...first.querySelectorAll(e.localName)].indexOf(e);
      return document.querySelectorAll(".page " + e.localName)[i];
    };
    for (const e of turned) now(e)?.toggleAttribute("open", e.hasAttribute("open"));
    if (held) now(held)?.focus();
  }).observe(document.body, { childList: true });

  addEventListener("DOMContentLoaded", async () => {
    carry(document.body.children[0]);
    const go = new Go();
    let instance;
    try {
      instance = await WebAssembly.instantiate(await module, go.importObject);
      await worded;
    } catch (error) {
      await worded;
      const why = error instanceof Error ? error.message : String(error);
      tell(say("Editing is unavailable: {0}. The result below was computed when this page was built; " +
        "its tables hold every number.").replace("{0}", why));
      for (const table of document.querySelectorAll("[data-twin]")) table.hidden = false;
      return;
    }
    document.getElementById("load").hidden = true;
    run(go, instance);
  });
})();
