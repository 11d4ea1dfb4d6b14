// What lessons, pictures, printing and the foot of the window need of the browser; see page.js.
"use strict";
(() => {
  const lab = window.hadarlab;

  // Where the window stood when the reader last pressed something, or was put since then.
  /** @type {number | null} */
  let stood = null;
  addEventListener("click", () => { stood = scrollY; }, true);

  // Something may be drawn with the coming frames only. The sheet of a lesson and the bar cover parts of the window.
  // Whoever has scrolled away meanwhile is left alone. Of what a short line heads, some is to be seen too.
  lab.reveal = (selector, tries = 10) => {
    const element = lab.seen(selector, tries < 5);
    if (!element) {
      if (tries > 0) requestAnimationFrame(() => lab.reveal(selector, tries - 1));
      return;
    }
    const sheet = document.querySelector(".guide");
    const fixed = sheet && getComputedStyle(sheet).position === "fixed";
    const bottom = fixed ? sheet.getBoundingClientRect().top : innerHeight;
    const bar = document.querySelector(".top");
    const top = bar && getComputedStyle(bar).position === "sticky" ? bar.offsetHeight : 0;
    const box = element.getBoundingClientRect();
    if (stood !== null && Math.abs(scrollY - stood) > 100) return;
    if (box.top < top || box.bottom + (box.height < 120 ? 120 : 0) > bottom) {
      lab.letGo();
      const below = box.top + scrollY; // what is seen from the top of the page is shown from there, under its headline
      scrollTo({ top: below + Math.min(box.height, 240) < bottom ? 0 : below - top - 4, behavior: "instant" });
    }
    if (stood !== null) stood = scrollY;
  };

  // Whether a larger part of a panel is in the window: more than a strip of 120 px at its foot, or than an end in its
  // upper third.
  lab.inSight = selector => {
    const box = lab.seen(selector, false)?.getBoundingClientRect();
    return !!box && box.bottom > 0.3 * innerHeight && box.top < innerHeight - 120;
  };

  // Calls f whenever one of the panels may have come into sight, or gone. One that is not drawn is looked for again.
  lab.onSight = (f, ...panels) => {
    /** @type {(selector: string) => void} */
    const watch = selector => {
      const all = [...document.querySelectorAll(selector)];
      if (!all.length) { setTimeout(watch, 500, selector); return; }
      const observer = new IntersectionObserver(() => {
        f();
        if (!all.every(element => element.isConnected)) { observer.disconnect(); watch(selector); }
      }, { rootMargin: "-30% 0px -120px" });
      for (const element of all) observer.observe(element);
    };
    panels.forEach(watch);
  };

  lab.downloadPNG = (name, svg) => {
    const picture = new Image();
    picture.onload = () => {
      const canvas = document.createElement("canvas");
      canvas.width = 2 * picture.width;
      canvas.height = 2 * picture.height;
      canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
      canvas.toBlob(async blob => {
        if (blob) lab.download(name, "image/png", new Uint8Array(await blob.arrayBuffer()));
      }, "image/png");
    };
    picture.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svg);
  };

  lab.print = () => setTimeout(() => print(), 0); // it blocks, so not within the program's turn
  // A document in lines, with its own names: what a list holds has a line to itself.
  /** @type {(v: any) => string} */
  const flat = v => typeof v !== "object" ? String(v)
    : Object.entries(v).map(([k, x]) => (Array.isArray(v) ? "" : k + " ") + flat(x)).join(", ");
  /** @type {(name: string, v: any) => string[]} */
  const inLines = (name, v) => Array.isArray(v) ? v.map(x => name + ": " + flat(x))
    : Object.values(Object(v)).some(Array.isArray) ? Object.entries(v).flatMap(([k, x]) => inLines(k, x))
      : [name + ": " + flat(v)];
  lab.onPrint = says => addEventListener("beforeprint", () => {
    const link = document.getElementById("print-link"), all = document.getElementById("print-scenario");
    if (!link || !all) return; // a board has a report of its own
    const [address, ...lines] = says().split("\n"), { scenario = {} } = JSON.parse(lines.pop() || "");
    link.textContent = address;
    all.textContent = [...lines, ...inLines("", scenario)].join("\n");
  });

  // Words that explain themselves: a box below the word, where there is room, says what it means, under the mouse, the
  // keyboard's focus or a finger, until one of these goes on or Escape is pressed. It takes no place in the page, and
  // no click from what lies below a button.
  /** @type {HTMLElement | null} */
  let word = null;
  /** @type {(next: HTMLElement | null) => void} */
  const explain = next => {
    const box = document.getElementById("meaning");
    if (!box || !box.showPopover) return;
    if (word && word !== next) box.hidePopover();
    word = next;
    if (!word) return;
    box.textContent = word.dataset.means || "";
    box.style.pointerEvents = word.matches(".term") ? "" : "none";
    box.showPopover();
    beside(box, word);
  };
  /** @type {(box: HTMLElement, word: Element) => void} */
  const beside = (box, word) => {
    const at = word.getBoundingClientRect(), low = at.bottom + 4;
    const most = document.documentElement.clientWidth - box.offsetWidth - 8;
    box.style.left = Math.max(8, Math.min(at.left, most)) + "px";
    box.style.top = (low + box.offsetHeight > innerHeight - 8 ? at.top - box.offsetHeight - 4 : low) + "px";
  };
  /** @type {(event: Event) => Partial<HTMLElement>} what was pointed to; a window or a document has no such members */
  const target = event => /** @type {HTMLElement} */ (event.target);
  /** @type {(event: Event) => HTMLElement | null} */
  const nearest = event => target(event).closest?.("[data-means]") || null;
  addEventListener("pointerover", event => { if (!target(event).closest?.("#meaning")) explain(nearest(event)); });
  addEventListener("focusin", event => { if (target(event).matches?.(":focus-visible")) explain(nearest(event)); });
  addEventListener("focusout", event => { if (event.target === word) explain(null); });
  addEventListener("click", event => { if (target(event).matches?.(".term")) explain(nearest(event)); });
  addEventListener("scroll", () => {
    const box = document.getElementById("meaning");
    if (word && box) beside(box, word);
  }, { capture: true, passive: true });
  addEventListener("keydown", event => {
    if (event.key !== "Escape" || !word) return;
    event.stopImmediatePropagation();
    explain(null);
  }, true);
})();
