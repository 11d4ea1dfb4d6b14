// What writing a formula or a program needs of the browser: names that fit, and for a program Tab, and lines that begin
// where the last one did. The field is the page's own; what is typed for the writer is typed as by hand, so that undo
// takes it back.
"use strict";
(() => {
  /** @type {(text: string) => boolean} */
  const type = text => document.execCommand("insertText", false, text);
  /** @typedef {HTMLTextAreaElement | HTMLInputElement} Field */
  /** @type {(target: EventTarget | null) => Field | null} */
  const written = target => (target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement) &&
    target.dataset.code ? target : null;
  /** @type {(target: EventTarget | null) => HTMLTextAreaElement | null} */
  const source = target => target instanceof HTMLTextAreaElement && target.dataset.code ? target : null;
  /** @type {(field: HTMLTextAreaElement) => string} */
  const before = field => field.value.slice(0, field.selectionStart);
  let leaving = false; // Esc was pressed: Tab leaves

  // kind is what a name stands for: the object that bears it, as job, else one of the list that it is taken from, by
  // the text alone: what follows in the line first, as in [j. for j in view.jobs], then the last place before it.
  /** @type {Record<string, string>} */
  const lists = { jobs: "job", waiting: "job", arrived: "job", slots: "slot" };
  const list =
    /^(?:(?:sorted|reversed|list|tuple|enumerate)\(|\[\s*\w+\s+for\s+\w+\s+in\s|\s)*(view\.)?(\w+)\b(?![[(.])/;
  /** @type {(text: string, pattern: string) => string} */
  const last = (text, pattern) => [...text.matchAll(RegExp(pattern, "gm"))].pop()?.[1] || "";
  /** @type {(text: string, of: string, deep?: number) => string} */
  const one = (text, of, deep = 0) => {
    const [, view, name] = list.exec(of) || [];
    if (!name || deep > 3) return "";
    return view ? lists[name] || "" : one(text, last(text, `^\\s*${name}\\s*=(?!=)(.*)`), deep + 1);
  };
  /** @type {(field: Field, name: string) => string} */
  const kind = (field, name) => {
    const at = field.selectionEnd || 0, text = field.value.slice(0, at), rest = field.value.slice(at).split("\n")[0];
    const loop = `\\bfor\\s+(?:\\w+\\s*,\\s*)?${name}\\s+in\\b(.*)`;
    if (RegExp(`\\bdef\\s+key\\(\\s*${name}\\b`).test(text)) return "job";
    return one(text, last(rest, loop)) ||
      one(text, last(text, `(?:sorted|min|max)\\((.*)\\blambda\\s+${name}\\s*:`)) ||
      one(text, last(text, loop)) || one(text, last(text, `^\\s*${name}\\s*=\\s*(?:min|max)\\((.*)`)) ||
      one(text, last(text, `^\\s*${name}\\s*=\\s*(.*)\\[-?\\w+\\]\\s*$`));
  };

  // fits are the names that begin as what stands before the caret, with what they mean and an example.
  /** @type {(field: Field) => { begun: string, names: string[][] }} */
  const fits = field => {
    const begun = /(?:[A-Za-z_]\w*\.)?\w*$/.exec(field.value.slice(0, field.selectionEnd || 0))?.[0] || "";
    if (begun.length < 2) return { begun, names: [] };
    let all = (field.dataset.code || "").split("\n").map(line => line.split("\t"));
    const [of, member] = begun.split(".");
    const as = member !== undefined && !all.some(([name]) => name.startsWith(of + ".")) && kind(field, of);
    if (as) {
      all = all.filter(([name]) => name.startsWith(as + "."))
        .map(([name, ...says]) => [of + name.slice(as.length), ...says]);
    }
    return { begun, names: all.filter(([name]) => name.startsWith(begun) && name.replace(/\(.*/, "") !== begun)
      .slice(0, 6) };
  };
  /** @type {(name: string, begun: string) => void} */
  const complete = (name, begun) => {
    type(name.replace(/\(.*/, name.endsWith("()") ? "()" : "(").slice(begun.length));
  };

  // hint shows them beneath the field; a press writes one, and in a program Tab the first.
  /** @type {(field: Field) => void} */
  const hint = field => {
    const list = document.getElementById(field.id + "-hints");
    const { begun, names } = fits(field);
    list?.replaceChildren(...names.map(([name, means, example], at) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "btn";
      button.dataset.kind = "quiet";
      const code = document.createElement("code");
      code.textContent = name;
      button.append(code, " " + means + (at || !source(field) ? "" : " ⇥"));
      if (example) {
        const such = document.createElement("code");
        such.className = "such";
        such.textContent = example;
        button.append(such);
      }
      button.addEventListener("mousedown", event => event.preventDefault()); // the caret stays where it is
      button.addEventListener("click", () => { field.focus(); complete(name, begun); });
      return button;
    }));
  };

  addEventListener("input", event => {
    const field = written(event.target);
    if (field) hint(field);
  });
  // A line begins where the last one did, and deeper behind a colon. Keyboards of phones tell of no key.
  addEventListener("beforeinput", event => {
    const field = source(event.target);
    if (!field || event.inputType !== "insertLineBreak" || !event.cancelable) return;
    event.preventDefault();
    const line = before(field).replace(/^[^]*\n/, ""), indent = /^ */.exec(line)?.[0] || "";
    type("\n" + indent + (/:\s*(#.*)?$/.test(line) ? "    " : ""));
  });
  addEventListener("keydown", event => {
    const field = source(event.target);
    if (!field || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") leaving = true;
    else if (event.key === "Tab" && !event.shiftKey && !leaving) {
      event.preventDefault();
      const { begun, names } = fits(field);
      if (names.length && field.selectionStart === field.selectionEnd) complete(names[0][0], begun);
      else type(" ".repeat(4 - before(field).replace(/^[^]*\n/, "").length % 4));
    }
    if (event.key !== "Escape") leaving = false;
  });
})();
