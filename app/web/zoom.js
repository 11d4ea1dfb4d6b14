// Zoom and pan of the time axis that lanes, strip and charts share. A gesture never waits for the program: the
// pictures stand in per cent of their width, so that they are made wider and moved, and the canvases repaint
// from their buffers. When the hand rests the program is told, and draws ticks and labels anew.
//
// Windows are pairs of shares of the whole axis.
"use strict";
(() => {
  const lab = window.hadarlab;
  const rest = 140;           // ms without a movement
  let base = [0, 1];          // what the program has drawn
  let now = [0, 1];           // what is seen
  let least = 1e-3;           // narrowest window
  let tell = () => {};
  let timer = 0, frame = 0;
  const root = document.documentElement;
  const moving = () => timer !== 0;

  const show = () => {
    frame = 0;
    lab.look(now[0], now[1], moving()); // before the styles: it asks for sizes, and would lay the page out in between
    const span = now[1] - now[0], away = base[0] !== now[0] || base[1] !== now[1];
    root.toggleAttribute("data-zooming", away);
    for (const { style } of document.querySelectorAll("[data-axis=time] > svg")) { // each by itself: a property of the root would restyle the page
      style.width = away ? 100 * (base[1] - base[0]) / span + "%" : "";
      style.marginLeft = away ? 100 * (base[0] - now[0]) / span + "%" : "";
    }
  };

  const move = (from, span) => {
    span = Math.min(1, Math.max(least, span));
    from = Math.min(1 - span, Math.max(0, from));
    if (from === now[0] && span === now[1] - now[0]) return;
    now = [from, from + span];
    clearTimeout(timer);
    timer = setTimeout(() => { timer = 0; tell(now[0], now[1]); }, rest);
    if (!frame) frame = requestAnimationFrame(show);
  };
  const zoom = (factor, at) => { // at = share of the window that stays where it is
    const span = now[1] - now[0], wider = Math.min(1, Math.max(least, span * factor));
    move(now[0] + at * (span - wider), wider);
  };
  const pan = shares => move(now[0] + shares * (now[1] - now[0]), now[1] - now[0]);

  // zoomed is called whenever the program has drawn a window.
  lab.zoomed = (from, to, narrowest, done) => {
    base = [from, to];
    least = narrowest;
    tell = done;
    if (!moving()) now = [from, to];
    show();
  };

  const plot = event => event.target.closest && event.target.closest("[data-axis=time]");
  const share = (box, x) => (x - box.left) / box.width;

  addEventListener("wheel", event => {
    const on = plot(event);
    if (!on || !on.clientWidth) return;
    const box = on.getBoundingClientRect(), unit = event.deltaMode === 1 ? 16 : 1;
    if (event.ctrlKey || event.metaKey) zoom(Math.exp(Math.min(60, Math.max(-60, event.deltaY * unit)) * 0.006), share(box, event.clientX));
    else if (now[1] - now[0] < 1 && (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))) pan((event.deltaX || event.deltaY) * unit / box.width);
    else return;
    event.preventDefault();
  }, { passive: false });

  // One pointer drags, two pinch. A drag is no click.
  const held = new Map();
  let dragged = false, grip = null;
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
    const [a, b] = [...held.values()].map(h => share(box, h.x)), wide = Math.max(Math.abs(a - b), 0.02), middle = (a + b) / 2;
    const span = now[1] - now[0];
    if (!grip) grip = { span: span * wide, at: now[0] + middle * span };
    dragged = true;
    const next = Math.min(1, Math.max(least, grip.span / wide));
    move(grip.at - middle * next, next);
  });
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, event => { held.delete(event.pointerId); grip = null; });
  addEventListener("click", event => {
    if (dragged && plot(event)) { event.stopPropagation(); event.preventDefault(); }
    dragged = false;
  }, true);
})();
