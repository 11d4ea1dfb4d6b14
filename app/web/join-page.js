// What the page in which a student joins stands on: storage, theme, language and elements. It needs nothing of a secure
// context.
"use strict";
(() => {
  const root = document.documentElement, lab = window.hadarlab, join = lab.join = /** @type {Join} */ ({});
  const script = /** @type {HTMLScriptElement} */ (document.currentScript);
  lab.base = new URL("..", script.src).pathname; // of the lab, wherever it lies

  join.parsed = text => { try { return JSON.parse(text) || null; } catch { return null; } };

  // Storage: what a browser refuses lasts as long as the tab, in its name, so that the lab has it too.
  let keeps = true;
  /** @type {Record<string, string>} */
  const memory = join.parsed(window.name)?.hadarlab || {};
  const places = /** @type {const} */ (["localStorage", "sessionStorage"]);
  join.keeps = () => keeps;
  join.kept = name => {
    for (const place of places) {
      try { const value = window[place].getItem(name); if (value) return value; } catch { /* the next */ }
    }
    return memory[name] || "";
  };
  join.keep = (name, value) => {
    memory[name] = value;
    keeps = false;
    for (const place of places) {
      try {
        if (!keeps && value) { window[place].setItem(name, value); keeps = true; }
        else { window[place].removeItem(name); keeps ||= !value; }
      } catch { /* the next */ }
    }
    if (!keeps) window.name = JSON.stringify({ hadarlab: memory });
  };

  // Theme and language, as in shell.js; the catalogue holds this page's texts only.
  /** @type {(name: string) => string} */
  const asked = name => (new RegExp("[?&]" + name + "=(\\w+)").exec(location.search) || [])[1] || "";
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const setTheme = () => {
    root.dataset.theme = asked("theme") || join.kept("theme") || (dark.matches ? "dark" : "light");
  };
  setTheme();
  dark.addEventListener("change", setTheme);

  let tag = (asked("lang") || join.kept("language") || navigator.language || "en").slice(0, 2) === "de" ? "de" : "en";
  /** @type {Record<string, string>} */
  let texts = {};
  join.language = () => tag;
  join.say = (key, ...values) => values.reduce((/** @type {string} */ s, v, i) =>
    s.replace("{" + i + "}", () => String(v)), texts[key] || key);
  // number writes a number as the lab and the walls do: with the catalogue's marks, not the browser's.
  join.number = (v, options) => v.toLocaleString("en", options)
    .replace(/[.,]/g, mark => mark === "," ? join.say(",") : join.say("."));
  // digits3 rounds v > 0 to three digits as the walls do: by what a number is in binary, so 4.395 becomes 4.39, and a
  // half to even. toLocaleString rounds what is written, and says 4.4.
  join.digits3 = v => {
    const exact = v.toExponential(25), even = /^\d\.\d[02468]50*e/.test(exact);
    return join.number(+(even ? exact.replace(/50*e/, "e") : v.toPrecision(3)), { maximumSignificantDigits: 3 });
  };
  // lab is an address in the lab, in the language that this page's address asks for, if it does.
  join.lab = part => lab.base + (asked("lang") ? "?lang=" + tag : "") + part;
  join.speak = async () => {
    texts = {};
    if (tag === "de") {
      try { texts = await (await fetch(lab.base + "web/words/join.de.json")).json(); } catch { tag = "en"; }
    }
    root.lang = tag;
    document.title = join.say("Join a class: Hadarlab");
    for (const e of document.querySelectorAll("[data-say]")) {
      e.textContent = join.say(e.dataset.say ||= e.textContent || "");
    }
    document.getElementById("language").textContent = tag === "de" ? "English" : "Deutsch";
  };
  addEventListener("DOMContentLoaded", () => {
    document.getElementById("language").onclick = async () => {
      tag = tag === "de" ? "en" : "de";
      join.keep("language", tag);
      await join.speak();
      join.draw();
      join.render();
    };
    document.getElementById("theme").onclick = () => {
      const theme = root.dataset.theme === "dark" ? "light" : "dark";
      join.keep("theme", theme);
      root.dataset.theme = theme;
    };
  });

  // el makes an element: properties, then children; texts stay texts.
  join.el = (spec, props, ...kids) => {
    const [name, ...classes] = spec.split("."), e = document.createElement(name);
    e.className = classes.join(" ");
    for (const [k, v] of Object.entries(props || {})) {
      if (k === "hook") e.dataset.test = v;
      else if (k in e && !/^(list|form)$/.test(k)) /** @type {any} */ (e)[k] = v;
      else if (v !== null && v !== false) e.setAttribute(k, v);
    }
    for (const kid of /** @type {any[]} */ (kids).flat(Infinity)) {
      if (kid !== null && kid !== undefined && kid !== false) e.append(kid);
    }
    return e;
  };
  join.around = (text, e) => {
    const [before, after] = text.split("{0}");
    return [document.createTextNode(before), e, document.createTextNode(after || "")];
  };

  // What is lively follows the news without being drawn anew.
  /** @type {(() => void)[]} */
  let live = [];
  join.follow = () => { for (const f of live) f(); };
  join.forgetLively = () => { live = []; };
  join.lively = (e, f) => {
    const g = () => f(/** @type {any} */ (e));
    live.push(g);
    g();
    return e;
  };
})();
