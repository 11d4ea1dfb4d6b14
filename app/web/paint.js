// Bars by the thousand on a canvas, from one buffer of numbers (draw.Bulk32): left and right as shares of
// the width, top and height in px, kind, hue, hatch, job, rows. A canvas repaints itself when its size, the theme or
// the part of the time axis that is seen changes.
"use strict";
(() => {
  /** @typedef {{ y: number, high: number, left: Float32Array, right: Float32Array, hue: Uint8Array }} Line a GPU's */
  /** @typedef {{ rects: Float32Array, fields: number, names: string[], width?: number, height?: number,
   *    lines?: Line[], image?: ImageData }} Shown */
  /** @type {Map<HTMLCanvasElement, Shown>} */
  const shown = new Map();
  let seen = [0, 1]; // part of the axis, as shares of it
  const [BAR, IDLE, STALL, HOLD, MERGE, TIE, DOWN] = [0, 1, 2, 3, 4, 5, 6];

  // Every browser that runs the program has a plane to draw on.
  /** @type {(canvas: HTMLCanvasElement, how?: CanvasRenderingContext2DSettings) => CanvasRenderingContext2D} */
  const plane = (canvas, how) => /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", how));

  // Colours and hatches of the theme, and the widths of names: looked up once, not in each frame.
  /** @typedef {ReturnType<palette> & { patterns: (CanvasPattern | null)[], pixels?: number[] }} Theme */
  /** @type {Theme | null} */
  let theme = null;
  /** @type {Map<string, number>} */
  const widths = new Map();
  /** @type {(c: CanvasRenderingContext2D, name: string) => number} */
  const widthOf = (c, name) => {
    const of = c.font + name;
    let wide = widths.get(of);
    if (wide === undefined) widths.set(of, wide = c.measureText(name).width);
    return wide;
  };

  const palette = () => {
    const style = getComputedStyle(document.documentElement);
    /** @type {(name: string) => string} */
    const get = name => style.getPropertyValue(name).trim();
    const jobs = [{ fill: "", edge: "", text: "" }]; // hue 0 is no job's
    for (let i = 1; i <= 8; i++) {
      const job = "--job-" + i;
      jobs.push({ fill: get(job), edge: get(job + "-edge"), text: get(job + "-text") });
    }
    return { jobs, surface: get("--surface"), hatch: get("--hatch"), idle: get("--warn-line"),
      idleFill: get("--warn-bg"), down: get("--ink-3"),
      fonts: ["600 12px " + get("--font"), "600 15px " + get("--font")] };
  };

  // patterns lie upon colours by choice, and where those are the system's own
  const plain = () => !document.documentElement.dataset.patterns && !matchMedia("(forced-colors: active)").matches;

  // hatches are drawn once for each theme: the strokes of the SVG patterns.
  const strokes = [[], [[0, 8, 8, 0]], [[2, 2, 3, 2], [6, 6, 7, 6]], [[0, 0, 8, 8]], [[0, 3, 8, 3]], [[3, 0, 3, 8]],
    [[0, 3, 8, 3], [3, 0, 3, 8]]];
  /** @type {(context: CanvasRenderingContext2D, colour: string) => (CanvasPattern | null)[]} */
  const hatches = (context, colour) => strokes.map(lines => {
    if (!lines.length || plain()) return null;
    const tile = document.createElement("canvas");
    tile.width = tile.height = 8;
    const draw = plane(tile);
    draw.strokeStyle = colour;
    draw.lineWidth = 1.6;
    for (const [x0, y0, x1, y1] of lines) {
      draw.beginPath();
      draw.moveTo(x0, y0);
      draw.lineTo(x1, y1);
      draw.stroke();
    }
    return context.createPattern(tile, "repeat");
  });

  /** @type {(canvas: HTMLCanvasElement) => void} */
  const draw = canvas => {
    const data = shown.get(canvas);
    const width = canvas.clientWidth, height = canvas.clientHeight;
    if (!data || !width || !height) return;
    const scale = devicePixelRatio || 1;
    const wide = Math.round(width * scale), high = Math.round(height * scale);
    if (canvas.width !== wide) canvas.width = wide;
    if (canvas.height !== high) canvas.height = high;
    const c = plane(canvas);
    c.setTransform(scale, 0, 0, scale, 0, 0);
    c.clearRect(0, 0, width, height);
    c.textBaseline = "middle";
    if (!theme) { const colours = palette(); theme = { ...colours, patterns: hatches(c, colours.hatch) }; }
    const p = theme, patterns = p.patterns, { rects, fields, names } = data;
    const [from, to] = seen, stretch = width / (to - from);
    /** @type {number[]} */
    const painted = []; // by height: half px up to which a row is painted, so that what shares one is painted once
    let hidden = false; // the latest bar was left out, and so are its pauses
    for (let i = 0; i + fields <= rects.length; i += fields) {
      const kind = rects[i + 4];
      if (hidden && kind >= STALL && kind <= MERGE) continue;
      let left = (rects[i] - from) * stretch, right = (rects[i + 1] - from) * stretch;
      if (kind === BAR || kind === IDLE) {
        const row = rects[i + 2] * 2 + (kind === IDLE ? 1e5 : 0), end = Math.floor(right * 2);
        hidden = right <= 0 || left >= width || end <= painted[row] && right - left < 0.5;
        if (hidden) continue;
        painted[row] = end;
      } else if (right < 0 || left > width || kind === TIE && right - left < 9) continue;
      if (kind !== TIE) { left = Math.max(left, -4); right = Math.min(right, width + 4); }
      const x = left, w = Math.max(right - left, 0.7), y = rects[i + 2], h = rects[i + 3];
      if (kind === IDLE) {
        c.fillStyle = p.idleFill;
        c.fillRect(x, y, w, h);
        if (w > 6 && h > 5) {
          c.strokeStyle = p.idle;
          c.setLineDash([3, 2]);
          c.lineWidth = 1;
          c.strokeRect(x + 0.5, y + 0.5, w - 1, h - 1);
          c.setLineDash([]);
        } else { c.fillStyle = p.idle; c.fillRect(x, y + h / 2 - 0.5, w, 1); }
        continue;
      }
      if (kind === DOWN) {
        c.fillStyle = p.down;
        c.fillRect(x, y, w, h);
        continue;
      }
      if (kind === STALL || kind === HOLD) {
        c.globalAlpha = kind === STALL ? 0.7 : 0.5;
        c.fillStyle = p.surface;
        c.fillRect(x, y + 1, w, h - 2);
        c.globalAlpha = 1;
        continue;
      }
      const job = p.jobs[rects[i + 5]];
      if (kind === MERGE) {
        c.fillStyle = job.edge;
        c.fillRect(x, y, Math.max(w, 2), h);
        continue;
      }
      if (kind === TIE) {
        c.fillStyle = p.surface;
        c.fillRect(x - 2, y, 4, h);
        c.fillStyle = job.edge;
        c.fillRect(x - 1, y, 2, h);
        continue;
      }
      c.fillStyle = job.fill;
      c.fillRect(x, y, w, h);
      const pattern = patterns[rects[i + 6]];
      if (pattern && w > 9 && h >= 5) { c.fillStyle = pattern; c.fillRect(x, y, w, h); }
      if (w > 2.5 && h >= 4) {
        c.strokeStyle = job.edge;
        c.lineWidth = 1;
        c.strokeRect(x + 0.5, y + 0.5, w - 1, h - 1);
      } else { c.fillStyle = job.edge; c.fillRect(x, y, 0.6, h); }
      if (h >= 12 && w > 18) { // a row that is lower than large text has small text
        const large = h >= 17 ? 1 : 0;
        c.font = p.fonts[large];
        const name = names[rects[i + 7]] || "", wide = widthOf(c, name), at = Math.max(x, 0);
        if (wide + 8 <= x + w - at) {
          c.fillStyle = job.fill;
          c.fillRect(at + 2, y + h / 2 - 7 - large, wide + 5, 14 + 2 * large);
          c.fillStyle = job.text;
          c.fillText(name, at + 4.5, y + h / 2 + 0.5);
        }
      }
    }
  };

  // rgba is a colour of the theme as one pixel.
  const probe = plane(document.createElement("canvas"), { willReadFrequently: true });
  /** @type {(colour: string) => number} */
  const pixel = colour => {
    probe.fillStyle = colour;
    probe.fillRect(0, 0, 1, 1);
    return new Uint32Array(probe.getImageData(0, 0, 1, 1).data.buffer)[0];
  };

  // index sorts bars and idle stretches by the GPU they lie on, for quick: what is on one GPU lies one after
  // the other in time. GPUs that share a line of pixels are shown by the first of them.
  /** @type {(shown: Shown, down: number) => Line[]} */
  const index = ({ rects, fields }, down) => {
    /** @type {Map<number, { y: number, top: number, high: number, rects: number[] }>} */
    const lines = new Map();
    for (let i = 0; i + fields <= rects.length; i += fields) {
      if (rects[i + 4] > IDLE && rects[i + 4] !== DOWN) continue;
      const rowHeight = rects[i + 3] / rects[i + 8], end = rects[i + 2] + rects[i + 3] - rowHeight / 2;
      for (let top = rects[i + 2]; top < end; top += rowHeight) {
        const y = Math.round(top);
        let line = lines.get(y);
        if (!line) lines.set(y, line = { y, top, high: Math.max(1, Math.round(top + rowHeight) - y), rects: [] });
        if (Math.abs(line.top - top) < 1e-3) line.rects.push(i);
      }
    }
    return [...lines.values()].map(({ y, high, rects: list }) => {
      list.sort((a, b) => rects[a] - rects[b]);
      return { y, high, left: Float32Array.from(list, i => rects[i]), right: Float32Array.from(list, i => rects[i + 1]),
        hue: Uint8Array.from(list, i => rects[i + 4] === IDLE ? 0 : rects[i + 4] === DOWN ? down : rects[i + 5]) };
    });
  };

  // ending is the first of a line's rectangles, from i on, that ends after a share of the axis. It leaps, because what
  // it looks for is near.
  /** @type {(right: Float32Array, i: number, share: number) => number} */
  const ending = (right, i, share) => {
    let leap = 1, low = i;
    while (i < right.length && right[i] <= share) { low = i + 1; i += leap; leap *= 2; }
    let high = Math.min(i, right.length);
    while (low < high) {
      const middle = (low + high) >> 1;
      if (right[middle] <= share) low = middle + 1; else high = middle;
    }
    return low;
  };

  // quick paints colours alone, a line of pixels for each GPU, for the frames of a gesture: tens of thousands of bars
  // in a few ms, since what ends within a painted pixel is leapt over. Hatches and names come back at rest.
  /** @type {(canvas: HTMLCanvasElement) => void} */
  const quick = canvas => {
    const data = shown.get(canvas);
    if (!data?.width || !data.height) return;
    const { width, height } = data;
    if (!theme) { draw(canvas); return; }
    theme.pixels ??= [theme.idleFill, ...theme.jobs.slice(1).map(j => j.fill), theme.down].map(pixel);
    data.lines ??= index(data, theme.jobs.length);
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    const c = plane(canvas);
    let image = data.image;
    if (image?.width !== width || image.height !== height) image = data.image = c.createImageData(width, height);
    const all = new Uint32Array(image.data.buffer), colours = theme.pixels;
    const [from, to] = seen, stretch = width / (to - from);
    for (const { y, high, left, right, hue } of data.lines) {
      const line = all.subarray(y * width, (y + 1) * width);
      line.fill(0);
      let x = 0;
      for (let i = ending(right, 0, from); i < left.length && x < width; i = ending(right, i + 1, from + x / stretch)) {
        const x0 = Math.max(x, Math.floor((left[i] - from) * stretch));
        if (x0 >= width) break;
        x = Math.min(width, Math.max(x0 + 1, Math.floor((right[i] - from) * stretch)));
        line.fill(colours[hue[i]], x0, x);
      }
      for (let n = 1; n < high; n++) all.copyWithin((y + n) * width, y * width, (y + 1) * width);
    }
    c.putImageData(image, 0, 0);
  };

  // One canvas a frame, so that no frame is long.
  /** @type {Set<HTMLCanvasElement>} */
  const waiting = new Set();
  const next = () => {
    const [canvas] = waiting;
    waiting.delete(canvas);
    if (canvas.isConnected) draw(canvas); else shown.delete(canvas);
    if (waiting.size) requestAnimationFrame(next);
  };
  /** @type {(canvas: HTMLCanvasElement) => void} */
  const plan = canvas => {
    if (!waiting.size) requestAnimationFrame(next);
    waiting.add(canvas);
  };
  const themes = new MutationObserver(() => { theme = null; for (const canvas of shown.keys()) plan(canvas); });
  themes.observe(document.documentElement, { attributeFilter: ["data-theme", "data-patterns"] });
  const sizes = new ResizeObserver(entries => {
    for (const { target, contentRect } of entries) {
      const canvas = /** @type {HTMLCanvasElement} */ (target);
      const data = shown.get(canvas); // sizes are kept: to ask for them in a gesture would lay the page out
      if (data) [data.width, data.height] = [Math.round(contentRect.width), Math.round(contentRect.height)];
      plan(canvas);
    }
  });

  // look shows a part of the axis. During a gesture all canvases follow within the frame. What is shown already is not
  // painted again: the program tells its window whenever the cursor moves.
  let rough = false;
  window.hadarlab.look = (from, to, atOnce) => {
    if (from === seen[0] && to === seen[1] && !rough) return;
    seen = [from, to];
    rough = atOnce;
    for (const canvas of shown.keys()) {
      if (!canvas.isConnected) shown.delete(canvas);
      else if (atOnce) quick(canvas);
      else plan(canvas);
    }
  };

  window.hadarlab.paint = (id, bytes, fields, names) => {
    const canvas = /** @type {HTMLCanvasElement | null} */ (document.getElementById(id));
    if (!canvas) return;
    const known = shown.get(canvas);
    const rects = new Float32Array(bytes.buffer);
    shown.set(canvas, { rects, fields, names: names.split("\n"), width: known?.width, height: known?.height });
    if (known) plan(canvas);
    else sizes.observe(canvas); // plans it at once, and on every change of size
  };
})();
