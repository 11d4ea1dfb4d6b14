// The shell: theme, address and module, before anything is drawn. It runs first and blocks, so it is small.
"use strict";
(() => {
  const root = document.documentElement;

  // Storage: a browser that forbids it throws where it is only looked at, which the program could not catch.
  const none = { length: 0, key: () => null, getItem: () => null, setItem() { throw new Error("storage is forbidden"); }, removeItem() {}, clear() {} };
  for (const name of ["localStorage", "sessionStorage"]) {
    try { window[name].length; } catch { Object.defineProperty(window, name, { value: none, configurable: true }); }
  }

  // Theme: the address, then what was chosen here before, then the system.
  const asked = /[?&]theme=(light|dark)\b/.exec(location.search);
  const system = matchMedia("(prefers-color-scheme: dark)");
  const remembered = () => { try { return localStorage.getItem("theme"); } catch { return null; } };
  const setTheme = () => { root.dataset.theme = (asked && asked[1]) || remembered() || (system.matches ? "dark" : "light"); };
  setTheme();
  system.addEventListener("change", setTheme);

  // Address: what the reader opened, before the program's router sees it. A fragment that is not
  // well-formed would stop the router, so it is taken out.
  const read = () => ({ path: location.pathname, query: location.search, fragment: location.hash.slice(1).replace(/^main$/, "") }); // #main is the page itself
  const tidy = () => {
    const address = read();
    try { decodeURIComponent(location.hash); } catch { history.replaceState(null, "", location.pathname + location.search); }
    return address;
  };
  let opened = tidy();

  // An embed is a view to look at, in another site's page. It keeps nothing.
  const embedded = /^\/e(\/|$)/.test(location.pathname);
  if (embedded) root.dataset.embed = "true";

  // Opening: a link, or what this tab had, takes the place of the example; that is not shown meanwhile.
  const kept = () => { try { return sessionStorage.getItem("hadarlab") && !/[?&]safe\b/.test(location.search); } catch { return false; } };
  if (opened.fragment || /^\/(s\/|o$|%(25)?23)/.test(opened.path) || embedded || kept()) root.dataset.opening = "true";

  // Module: fetched at once, compiled while it arrives, shared with the engine's workers.
  const expected = () => Number(root.dataset.bytes) || 8.5e6;
  const fetchModule = async () => {
    if (typeof WebAssembly !== "object") throw new Error("WebAssembly is switched off");
    const answer = await fetch("/web/app.wasm");
    if (!answer.ok) throw new Error("the program is not on the server (status " + answer.status + ")");
    let arrived = 0;
    const counted = answer.body.pipeThrough(new TransformStream({
      transform(chunk, out) {
        arrived += chunk.byteLength;
        const bar = document.getElementById("load");
        if (bar) bar.value = Math.min(arrived / expected(), 1);
        out.enqueue(chunk);
      },
      flush() {
        // The page and its program are published together: another size is another version's program.
        if (root.dataset.bytes && arrived !== Number(root.dataset.bytes)) throw new Error("the site is being updated just now; reload the page");
      },
    }));
    return WebAssembly.compileStreaming(new Response(counted, { headers: { "Content-Type": "application/wasm" } }));
  };
  const module = fetchModule();
  module.catch(() => {}); // reported below

  // tell shows a sentence in place of the load bar; what was drawn at build time stays.
  const tell = text => {
    delete root.dataset.opening;
    const aside = document.getElementById("app-wasm-loader");
    document.getElementById("app-wasm-loader-label").textContent = text;
    aside.hidden = false;
    document.getElementById("load").hidden = true;
    for (const table of document.querySelectorAll("[data-twin]")) table.hidden = false;
  };

  const env = { GOAPP_VERSION: "", GOAPP_INTERNAL_URLS: "null", GOAPP_STATIC_RESOURCES_URL: "", GOAPP_ROOT_PREFIX: "" };
  window.goappGetenv = name => env[name];
  window.hadarlab = {
    module,
    embedded,
    address: () => { const a = opened || read(); opened = null; return a; },
    tidy,
    unveil: () => { delete root.dataset.opening; },
    toggleTheme() {
      root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
      try { localStorage.setItem("theme", root.dataset.theme); } catch { /* it lasts as long as the page */ }
    },
  };

  addEventListener("DOMContentLoaded", async () => {
    const go = new Go();
    let instance;
    try {
      instance = await WebAssembly.instantiate(await module, go.importObject);
    } catch (error) {
      tell("Editing is unavailable: " + error.message + ". The result below was computed when this page was built; its tables hold every number.");
      return;
    }
    const ended = go.run(instance);
    document.getElementById("load").hidden = true;
    await ended;
    tell("The page’s program has stopped. Reload to go on; what you edited in this tab is kept.");
  });
})();
