// What the program needs of the browser, as plain functions with plain callbacks: promises and exceptions
// end here.
"use strict";
(() => {
  const lab = window.hadarlab;
  const encoder = new TextEncoder();

  lab.boot = () => document.getElementById("hadarlab-boot").textContent;

  // The address. These listeners come before the program's router and keep it out: there is one page.
  let moved = () => {};
  lab.after = (ms, f) => { setTimeout(f, ms); };
  lab.setAddress = path => history.replaceState(null, "", path);
  lab.onAddress = f => { moved = f; };
  addEventListener("popstate", event => { event.stopImmediatePropagation(); lab.tidy(); moved(); });
  addEventListener("click", event => { if (event.target.closest("a[href]")) event.stopImmediatePropagation(); });

  lab.keep = (name, value) => { try { sessionStorage.setItem(name, value); return true; } catch { return false; } };
  lab.kept = name => { try { return sessionStorage.getItem(name) || ""; } catch { return ""; } };

  // What the browser keeps for all tabs, until it is forgotten. Asking for that to last is all that a page can do.
  lab.store = (name, value) => {
    try { localStorage.setItem(name, value); } catch { return false; }
    if (navigator.storage && navigator.storage.persist) navigator.storage.persist().catch(() => {});
    return true;
  };
  lab.stored = name => { try { return localStorage.getItem(name) || ""; } catch { return ""; } };
  lab.now = () => new Date().toLocaleString(document.documentElement.lang || [], { dateStyle: "medium", timeStyle: "short" });

  lab.copy = async (text, done) => {
    try { await navigator.clipboard.writeText(text); done(true); } catch { done(false); }
  };

  lab.fetch = async (method, path, body, done) => {
    let status = 0, bytes = null;
    try {
      const options = { method, credentials: "omit" };
      if (body) Object.assign(options, { body: encoder.encode(body), headers: { "Content-Type": "application/json" } });
      const answer = await fetch(path, options);
      bytes = new Uint8Array(await answer.arrayBuffer());
      status = answer.status;
    } catch { status = 0; }
    done(status, bytes);
  };

  lab.download = (name, type, bytes) => {
    const url = URL.createObjectURL(new Blob([bytes], { type }));
    const a = document.createElement("a");
    a.href = url;
    a.download = name;
    a.click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  };

  const readFile = async (file, most, done) => {
    if (file.size > most) {
      done(file.name, null, lab.say("It has {0} bytes; the page takes up to {1}. The command line takes more: hadarlab import FILE.").replace("{0}", file.size).replace("{1}", most));
      return;
    }
    try { done(file.name, new Uint8Array(await file.arrayBuffer()), ""); }
    catch { done(file.name, null, lab.say("The browser could not read it.")); }
  };
  lab.pickFile = (accept, most, done) => {
    const input = document.createElement("input");
    input.type = "file";
    input.accept = accept;
    input.onchange = () => { if (input.files[0]) readFile(input.files[0], most, done); };
    input.click();
  };
  lab.onDrop = (most, done) => {
    addEventListener("dragover", event => { if (event.dataTransfer.types.includes("Files")) event.preventDefault(); });
    addEventListener("drop", event => {
      const file = event.dataTransfer.files[0];
      if (!file) return;
      event.preventDefault();
      readFile(file, most, done);
    });
  };

  // hold keeps what was scrolled to where it is while the parts above it are still being drawn, unless the reader goes on.
  const hold = element => {
    const { top } = element.getBoundingClientRect(), end = performance.now() + 1000;
    let gone = false;
    for (const event of ["wheel", "touchstart", "pointerdown", "keydown"]) addEventListener(event, () => { gone = true; }, { once: true, passive: true, capture: true });
    const look = () => {
      if (gone || !element.isConnected || performance.now() > end) return;
      const moved = element.getBoundingClientRect().top - top;
      if (Math.abs(moved) > 2) scrollBy({ top: moved, behavior: "instant" });
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  };

  // The element may be drawn with the coming frames only.
  lab.focus = (selector, tries = 10) => {
    const element = document.querySelector(selector);
    if (element) {
      element.focus();
      if (element.matches("[data-scroll]")) { element.scrollIntoView({ block: element.offsetHeight > innerHeight - 64 ? "start" : "nearest" }); hold(element); }
    } else if (tries > 0) requestAnimationFrame(() => lab.focus(selector, tries - 1));
  };

  // A field that is left tells the program, which must not be waiting for us then.
  lab.enter = selector => setTimeout(() => {
    const field = document.querySelector(selector);
    if (field) { field.focus(); field.select(); }
  });

  lab.width = selector => {
    const element = document.querySelector(selector);
    return element ? Math.round(element.getBoundingClientRect().width) : 0;
  };
  lab.point = (element, event) => {
    const box = element.getBoundingClientRect();
    return { x: (event.clientX - box.left) / box.width, y: event.clientY - box.top };
  };
  lab.closest = (event, attribute) => {
    const element = event.target.closest("[" + attribute + "]");
    return element ? element.getAttribute(attribute) : "";
  };

  // The engine's worker gets the compiled module and, from then on, bytes.
  lab.worker = (message, failure) => {
    const worker = new Worker("/web/engine.js");
    let stopped = false;
    worker.onmessage = event => { if (!stopped) message(new Uint8Array(event.data)); };
    worker.onerror = event => { event.preventDefault(); if (!stopped) failure(event.message || lab.say("the engine could not be started")); };
    lab.module.then(module => worker.postMessage(module));
    return {
      post: bytes => worker.postMessage(bytes.buffer, [bytes.buffer]),
      stop: () => { stopped = true; worker.terminate(); },
    };
  };
})();
