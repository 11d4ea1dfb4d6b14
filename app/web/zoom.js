// Zoom and pan of the time axis that lanes and charts share. A gesture never waits for the program: the
// pictures stand in per cent of their width, so that they are made wider and moved, and the canvases repaint
// from their buffers. When the hand rests the program is told, and draws ticks and labels anew.
//
// Windows are pairs of shares of the whole axis.
"use strict";
(() => {
  const lab = window.hadarlab;
  const rest = 140; // ms without a movement
  let base = [0, 1]; // what the program has drawn
  let now = [0, 1]; // what is seen
  let least = 1e-3; // narrowest window
  /** @type {(from: number, to: number) => void} */
  let tell = () => {};
  let timer = 0, frame = 0;
  const root = document.documentElement;
  const moving = () => timer !== 0;

  const show = () => {
    frame = 0;
    lab.look(now[0], now[1], moving()); // before the styles: it asks for sizes, and would lay the page out in between
    const span = now[1] - now[0], away = base[0] !== now[0] || base[1] !== now[1];
    if (!away && !root.hasAttribute("data-zooming")) return; // as drawn, and so it was
    root.toggleAttribute("data-zooming", away);
    // Each by itself: a property of the root would restyle the page.
    for (const { style } of document.querySelectorAll("[data-axis] > svg")) {
      style.width = away ? 100 * (base[1] - base[0]) / span + "%" : "";
      style.marginLeft = away ? 100 * (base[0] - now[0]) / span + "%" : "";
    }
  };

  /** @type {(from: number, span: number) => void} */
  const move = (from, span) => {
    span = Math.min(1, Math.max(least, span));
    from = Math.min(1 - span, Math.max(0, from));
    if (from === now[0] && span === now[1] - now[0]) return;
    now = [from, from + span];
    clearTimeout(timer);
    timer = setTimeout(() => { timer = 0; tell(now[0], now[1]); }, rest);
    if (!frame) frame = requestAnimationFrame(show);
  };
  /** @type {(factor: number, at: number) => void} */
  const zoom = (factor, at) => { // at = share of the window that stays where it is
    const span = now[1] - now[0], wider = Math.min(1, Math.max(least, span * factor));
    move(now[0] + at * (span - wider), wider);
  };
  /** @type {(shares: number) => void} */
  const pan = shares => move(now[0] + shares * (now[1] - now[0]), now[1] - now[0]);

  // zoomed is called whenever the program has drawn a window.
  lab.zoomed = (from, to, narrowest, done) => {
    base = [from, to];
    least = narrowest;
    tell = done;
    if (!moving()) now = [from, to];
    show();
  };

  /** @type {(event: Event) => Element | null | undefined} */
  const plot = event => /** @type {Element} */ (event.target).closest?.("[data-axis=time]");
  /** @type {(box: DOMRect, x: number) => number} */
  const share = (box, x) => (x - box.left) / box.width;

  addEventListener("wheel", event => {
    const on = plot(event);
    if (!on || !on.clientWidth) return;
    const box = on.getBoundingClientRect(), unit = event.deltaMode === 1 ? 16 : 1;
    const sideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (event.ctrlKey || event.metaKey) {
      zoom(Math.exp(Math.min(60, Math.max(-60, event.deltaY * unit)) * 0.006), share(box, event.clientX));
    } else if (now[1] - now[0] < 1 && sideways) pan((event.deltaX || event.deltaY) * unit / box.width);
    else return;
    event.preventDefault();
  }, { passive: false });

  // One pointer drags, two pinch. A drag is no click.
  /** @type {Map<number, { on: Element, x: number, start: number }>} */
  const held = new Map();
  /** @type {{ span: number, at: number } | null} */
  let grip = null;
  let dragged = false;
  addEventListener("pointerdown", event => {
    const on = plot(event);
    if (!on || event.button !== 0) return;
    if (!held.size) dragged = false;
    held.set(event.pointerId, { on, x: event.clientX, start: event.clientX });
    grip = null;
  });
  addEventListener("pointermove", event => {
    const hand = held.get(event.pointerId);
    if (!hand) return;
    const box = hand.on.getBoundingClientRect();
    if (held.size === 1) {
      if (now[1] - now[0] >= 1 || !dragged && Math.abs(event.clientX - hand.start) < 5) return;
      dragged = true;
      pan((hand.x - event.clientX) / box.width);
      hand.x = event.clientX;
      return;
    }
    hand.x = event.clientX;
    const [a, b] = [...held.values()].map(h => share(box, h.x));
    const wide = Math.max(Math.abs(a - b), 0.02), middle = (a + b) / 2;
    const span = now[1] - now[0];
    if (!grip) grip = { span: span * wide, at: now[0] + middle * span };
    dragged = true;
    const next = Math.min(1, Math.max(least, grip.span / wide));
    move(grip.at - middle * next, next);
  });
  /** @type {const} */ (["pointerup", "pointercancel"]).forEach(end => addEventListener(end, event => {
    held.delete(event.pointerId);
    grip = null;
  }));
  addEventListener("click", event => {
    if (dragged && plot(event)) { event.stopPropagation(); event.preventDefault(); }
    dragged = false;
  }, true);

  // Bars of a lane that was run anew after an edit come from where they stood, by job and number; new ones are marked
  // for a moment. Where motion is not wanted, those that moved are marked, too.
  /** @type {Map<string, { run: string | undefined, bars: Map<string, Record<string, string>> }>} */
  const stood = new Map();
  const known = new WeakSet(); // pictures in it: another one is drawn whenever a bar moves
  lab.glide = () => {
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    for (const lane of /** @type {Iterable<HTMLElement>} */ (document.getElementById("lanes")?.children ?? [])) {
      const name = lane.getAttribute("aria-labelledby") || "", was = stood.get(name), run = lane.dataset.hash;
      const plot = lane.querySelector("[data-role=plot]");
      if (!plot) continue;
      if (was && known.has(plot)) { was.run = run; continue; }
      known.add(plot);
      const anew = !!was && was.run !== run && !!lane.querySelector("[data-role=ghosts]");
      const bars = new Map(), count = /** @type {Record<string, number>} */ ({});
      for (const bar of /** @type {NodeListOf<HTMLElement>} */ (lane.querySelectorAll("[data-role=bar]"))) {
        const job = bar.dataset.job || "", key = job + " " + (count[job] = (count[job] || 0) + 1);
        const at = /** @type {Record<string, string>} */ ({});
        for (const side of ["x", "y", "width", "height"]) {
          const value = bar.getAttribute(side) || "0";
          at[side] = value.endsWith("%") ? value : value + "px";
        }
        bars.set(key, at);
        if (!anew) continue;
        const from = was.bars.get(key);
        const moved = !!from && Object.keys(at).some(side => from[side] !== at[side]);
        if (moved && !still) bar.animate([from, at], { duration: 350, easing: "ease-out" });
        else if (!from || moved) {
          bar.querySelector("[data-part=box]")?.animate([{ strokeWidth: "5px", stroke: "var(--accent)" }, {}], 900);
        }
      }
      stood.set(name, { run, bars });
    }
  };
})();
