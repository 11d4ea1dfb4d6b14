// What the program needs of the browser, as plain functions with plain callbacks: promises and exceptions
// end here.
"use strict";
(() => {
  const lab = window.hadarlab;
  const encoder = new TextEncoder();

  /** @type {(event: Event) => HTMLElement} what an event is of */
  const target = event => /** @type {HTMLElement} */ (event.target);

  lab.boot = () => document.getElementById("hadarlab-boot").textContent;

  // The address. These listeners come before the program's router and keep it out: there is one page.
  let moved = () => {};
  lab.after = (ms, f) => { setTimeout(f, ms); };
  lab.setAddress = (path, opening, push) =>
    history[push ? "pushState" : "replaceState"]({ tab, opening }, "", path || undefined);
  lab.opening = () => history.state?.tab === tab ? history.state.opening : 0;
  lab.onAddress = f => { moved = f; };
  addEventListener("popstate", event => { event.stopImmediatePropagation(); lab.tidy(); moved(); });
  addEventListener("click", event => { if (target(event).closest("a[href]")) event.stopImmediatePropagation(); });

  lab.keep = (name, value) => {
    try { sessionStorage.setItem(name, value); lab.unkept = false; } catch { lab.unkept = true; }
    return !lab.unkept;
  };
  lab.kept = name => { try { return sessionStorage.getItem(name) || ""; } catch { return ""; } };
  lab.unkeep = name => { try { sessionStorage.removeItem(name); } catch { /* nothing is kept */ } };
  lab.keptNames = prefix => {
    try { return Object.keys(sessionStorage).filter(name => name.startsWith(prefix)).join("\n"); } catch { return ""; }
  };
  // What the browser remembers with an address counts from where this tab's history began.
  const tab = !lab.safe && lab.kept("hadarlab-tab") || Date.now() + "-" + Math.random();
  if (!lab.embedded) lab.keep("hadarlab-tab", tab);

  // What the browser keeps for all tabs, until it is forgotten. Asking for that to last is all that a page can do.
  lab.store = (name, value) => {
    try { localStorage.setItem(name, value); } catch { if (!value) window.name = ""; return false; }
    if (navigator.storage && navigator.storage.persist) navigator.storage.persist().catch(() => {});
    return true;
  };
  // What a browser refuses to keep, the page in which a student joins hands on in the tab's name.
  lab.stored = name => {
    for (const place of /** @type {const} */ (["localStorage", "sessionStorage"])) {
      try { const value = window[place].getItem(name); if (value) return value; } catch { /* the next */ }
    }
    try { return JSON.parse(window.name).hadarlab[name] || ""; } catch { return ""; }
  };
  lab.now = () =>
    new Date().toLocaleString(document.documentElement.lang || [], { dateStyle: "medium", timeStyle: "short" });
  lab.when = (ms, language) => new Date(ms).toLocaleString(language === "en" ? "en-GB" : language,
    { weekday: "long", day: "numeric", month: "long", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  lab.local = ms => {
    if (!ms) return "";
    const at = new Date(ms);
    return new Date(ms - at.getTimezoneOffset() * 60000).toISOString().slice(0, 16);
  };
  lab.moment = local => new Date(local).getTime() || 0;

  lab.copy = async (text, done) => {
    let copied = true;
    try { await navigator.clipboard.writeText(text); } catch {
      // Over plain http there is none: the field itself is selected.
      const fields = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll(".copyrow input"));
      const field = [...fields].find(e => e.value === text);
      if (field) field.select();
      copied = !!field && document.execCommand("copy");
    }
    done(copied);
  };

  // A change that says what is to be is asked for again where a busy server has not made it.
  lab.fetch = async (method, path, token, body, done) => {
    const asked = body ? { token, body: encoder.encode(body), headers: await lab.client() } : { token };
    const answer = await lab.ask(method, path,
      { ...asked, tries: method === "PATCH" ? 3 : 1, first: 300, again: a => a.status === 503 });
    done(answer.status, answer.status ? answer.bytes : null);
  };

  lab.download = (name, type, ...parts) => {
    const url = URL.createObjectURL(new Blob(parts, { type }));
    const a = document.createElement("a");
    a.href = url;
    a.download = name;
    a.click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  };

  /** @type {(file: File, most: number, now: () => unknown, done: Chosen) => Promise<void>} */
  const readFile = async (file, most, now, done) => {
    const chosen = now();
    if (file.size > most) {
      const why =
        lab.say("It has {0} bytes; the page takes up to {1}. The command line takes more: hadarlab import FILE.");
      done(file.name, null, why.replace("{0}", String(file.size)).replace("{1}", String(most)), chosen);
      return;
    }
    let bytes;
    try { bytes = new Uint8Array(await file.arrayBuffer()); }
    catch { done(file.name, null, lab.say("The browser could not read it."), chosen); return; }
    done(file.name, bytes, "", chosen);
  };
  // A board takes the work of a whole class at once, the lab one scenario.
  const many = () => !!document.querySelector("main.board");
  /** @type {(files: FileList | null | undefined, most: number, now: () => unknown, done: Chosen) => void} */
  const readFiles = (files, most, now, done) => {
    for (const file of [...files || []].slice(0, many() ? Infinity : 1)) readFile(file, most, now, done);
  };
  lab.pickFile = (accept, most, now, done) => {
    const input = document.createElement("input");
    input.type = "file";
    input.accept = accept;
    input.multiple = many();
    input.onchange = () => readFiles(input.files, most, now, done);
    input.click();
  };
  lab.onDrop = (most, now, done) => {
    addEventListener("dragover", event => { if (event.dataTransfer?.types.includes("Files")) event.preventDefault(); });
    addEventListener("drop", event => {
      if (!event.dataTransfer?.files.length) return;
      event.preventDefault();
      readFiles(event.dataTransfer.files, most, now, done);
    });
  };

  // hold keeps an element where it is in the window while what stands above it is still being drawn: for some ms, and
  // as long after a run. It ends when the reader goes on, the window changes its size, or something else scrolls. The
  // browser's own anchoring helps, but where the element itself grows: its anchor may be below that, and to follow it
  // looks like a reader's scroll. Then it stands back.
  lab.letGo = () => {};
  /** @type {(element: Element, ms: number, grows?: boolean) => void} */
  const hold = (element, ms, grows) => {
    lab.letGo();
    let left = ms, last = performance.now();
    const box = /** @type {HTMLElement} */ (scroller(element));
    const stands = () => element.getBoundingClientRect().top;
    const top = stands(), ended = new AbortController(), { signal } = ended;
    const anchors = box === document.scrollingElement ? document.body : box; // on the root it does nothing
    let at = top, scrolled = box.scrollTop;
    if (grows) anchors.style.overflowAnchor = "none";
    lab.letGo = () => { ended.abort(); anchors.style.overflowAnchor = ""; };
    for (const event of ["wheel", "touchstart", "pointerdown", "keydown", "resize"]) {
      addEventListener(event, () => lab.letGo(), { passive: true, capture: true, signal });
    }
    const look = () => {
      if (signal.aborted) return;
      // While the page is busy no frame comes, and nothing can be put in its place: that time does not count.
      left -= Math.min(performance.now() - last, 50);
      last = performance.now();
      if (document.getElementById("main")?.dataset.state === "running") left = ms;
      const by = box.scrollTop - scrolled, now = stands();
      if (!element.isConnected || left < 0 || Math.abs(by) > 2 && Math.abs(now - at + by) <= 2) {
        lab.letGo();
        return;
      }
      if (Math.abs(now - top) > 2) box.scrollBy({ top: now - top, behavior: "instant" });
      at = stands();
      scrolled = box.scrollTop;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  };
  /** @type {(element: Element) => Element} what scrolls when an element is to move: a sheet, or the page */
  const scroller = element => {
    for (let e = element.parentElement; e && e !== document.body; e = e.parentElement) {
      if (e.scrollHeight > e.clientHeight && /auto|scroll/.test(getComputedStyle(e).overflowY)) return e;
    }
    return document.scrollingElement || document.documentElement;
  };
  // A number that is changed stays under the finger, though with the winner the lanes above it grow or shrink by a
  // whole window, some time after the tap: few browsers see to that, and none always.
  for (const event of ["click", "input"]) addEventListener(event, event => {
    const changed = target(event).closest?.(".stepper, .field, [type=range]");
    if (changed) hold(changed, 5000);
  }, true);

  // What is folded away is opened, up to the summary that is always in sight.
  /** @type {(element: Element) => void} */
  const unfold = element => {
    /** @type {Element | null | undefined} */
    let fold = element.matches("summary") ? element.parentElement?.parentElement : element;
    while (fold = fold?.closest("details:not([open])")) fold.setAttribute("open", "");
  };
  // A menu shuts when the reader goes on elsewhere.
  for (const event of ["click", "focusin"]) addEventListener(event, event => {
    for (const menu of document.querySelectorAll(".drop[open]")) {
      if (!menu.contains(target(event))) menu.removeAttribute("open");
    }
  });

  // seen is the first match that is drawn. One that stands behind "More evidence" is brought out from there.
  /** @type {(element: Element | null) => boolean} */
  const drawn = element => {
    while (element && getComputedStyle(element).display !== "none") element = element.parentElement;
    return !element;
  };
  lab.seen = (selector, bring) => {
    const all = [...document.querySelectorAll(selector)];
    if (all.length && bring && !all.some(drawn)) {
      document.documentElement.dataset.evidence = "true";
      dispatchEvent(new Event("resize"));
    }
    return all.find(drawn);
  };

  // The element may be drawn with the coming frames only. A panel that stands below the timeline, not beside it, may
  // yet grow: it is put at the top. What lies under a dialog that is about to go is waited for too. On a touch screen
  // no text gets the keyboard that nobody has touched: it would come up over half of what there is to read first.
  lab.focus = (selector, tries = 10) => {
    const element = /** @type {HTMLElement | undefined} */ (lab.seen(selector, tries < 5));
    const dialog = document.querySelector("dialog:modal");
    if (element instanceof HTMLTextAreaElement && matchMedia("(hover: none) and (pointer: coarse)").matches) return;
    if (element && (!dialog || dialog.contains(element))) {
      unfold(element);
      lab.letGo();
      element.focus();
      if (element.matches("[data-scroll]")) {
        const below = innerWidth < 1180 || element.offsetHeight > innerHeight - 64;
        element.scrollIntoView({ block: below ? "start" : "nearest" });
        hold(element, 1000, true);
      }
    } else if (tries > 0) requestAnimationFrame(() => lab.focus(selector, tries - 1));
  };

  lab.showModal = id => {
    const dialog = /** @type {HTMLDialogElement | null} */ (document.getElementById(id));
    if (dialog && !dialog.open) dialog.showModal();
  };

  // A field that is left tells the program, which must not be waiting for us then.
  lab.enter = selector => setTimeout(() => {
    const field = /** @type {HTMLInputElement | null} */ (document.querySelector(selector));
    if (field) { field.focus(); field.select(); }
  });

  // Fields and parts of the editor say which value they stand for. Where the value has no field, the first of those
  // that share most of its pointer is the nearest; that is known only when everything has been drawn.
  lab.field = "";
  addEventListener("focusin", event => {
    const field = target(event).closest?.(".editor [data-path]");
    if (field) lab.field = field.getAttribute("data-path") || "";
  });
  lab.pointTo = (path, from, to, tries = 10) => {
    if (!path && selectText(from, to)) return;
    const steps = path.split("/");
    /** @type {HTMLElement | null} */
    let nearest = null;
    let most = 0;
    for (const field of document.querySelectorAll(".editor :is(input, select, summary, textarea)[data-path]")) {
      const own = (field.dataset.path || "").split("/");
      let n = 0;
      while (n < own.length && own[n] === steps[n]) n++;
      if (field.dataset.path === path) { n = Infinity; tries = 0; }
      if (n > most) { nearest = field; most = n; }
    }
    if (tries > 0) { requestAnimationFrame(() => lab.pointTo(path, from, to, tries - 1)); return; }
    if (!nearest) return;
    unfold(nearest);
    nearest.focus({ preventScroll: true });
    if (nearest instanceof HTMLInputElement) nearest.select();
    lab.letGo();
    nearest.scrollIntoView({ block: "center" });
  };

  // The program counts bytes, a text area UTF-16 units. How far down a selection begins, a copy tells that ends there.
  /** @type {(...bytes: [number, number]) => boolean} */
  const selectText = (...bytes) => {
    const area = /** @type {HTMLTextAreaElement | null} */ (document.getElementById("editor-json"));
    if (!area) return false;
    const utf8 = encoder.encode(area.value);
    const [from, to] = bytes.map(n => new TextDecoder().decode(utf8.subarray(0, n)).length);
    const copy = /** @type {HTMLTextAreaElement} */ (area.cloneNode());
    copy.removeAttribute("id");
    const width = area.offsetWidth + "px";
    Object.assign(copy.style, { position: "absolute", visibility: "hidden", width, minHeight: 0, height: 0 });
    copy.value = area.value.slice(0, from);
    area.after(copy);
    const down = copy.scrollHeight;
    copy.remove();
    area.focus({ preventScroll: true });
    area.setSelectionRange(from, to);
    area.scrollTop = down - area.clientHeight / 2;
    area.scrollIntoView({ block: "nearest" });
    return true;
  };
  // A cursor that has come to rest says so by an event of its own.
  let resting = 0;
  for (const moved of ["click", "keyup", "select"]) addEventListener(moved, event => {
    const area = /** @type {HTMLTextAreaElement} */ (event.target);
    if (area.id !== "editor-json") return;
    clearTimeout(resting);
    resting = setTimeout(() => {
      lab.field = "";
      const detail = encoder.encode(area.value.slice(0, area.selectionStart)).length;
      area.dispatchEvent(new CustomEvent("caret", { detail }));
    }, 200);
  });

  // What the keys at the places of W, A, S and D are called here, where the browser says it.
  const walking = ["KeyW", "KeyA", "KeyS", "KeyD"];
  lab.layout = f => navigator.keyboard?.getLayoutMap?.().then(
    map => f(walking.map(code => map.get(code) ?? "").join(" ")), () => {});

  lab.width = selector => {
    const element = document.querySelector(selector);
    return element ? Math.round(element.getBoundingClientRect().width) : 0;
  };
  lab.point = (element, event) => {
    const box = element.getBoundingClientRect();
    return { x: (event.clientX - box.left) / box.width, y: event.clientY - box.top };
  };
  lab.closest = (event, attribute) => {
    const element = target(event).closest("[" + attribute + "]");
    return element ? element.getAttribute(attribute) : "";
  };

  // The engine's worker has the compiled module from the shell and gets, from then on, bytes.
  lab.worker = (programs, message, failure) => {
    const { worker, early } = lab.engine(programs);
    let stopped = false;
    worker.onmessage = event => { if (!stopped) message(new Uint8Array(event.data)); };
    worker.onerror = event => {
      event.preventDefault();
      if (!stopped) failure(event.message || lab.say("the engine could not be started"));
    };
    setTimeout(() => {
      for (const event of early) {
        if (event.type === "message") worker.onmessage?.(/** @type {MessageEvent} */ (event));
        else worker.onerror?.(/** @type {ErrorEvent} */ (event));
      }
    });
    return {
      post: bytes => worker.postMessage(bytes.buffer, [bytes.buffer]),
      stop: () => { stopped = true; worker.terminate(); },
    };
  };
})();
