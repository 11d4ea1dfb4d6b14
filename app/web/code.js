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

  // fits are the names that begin as what stands before the caret, with what they mean and an example.
  /** @type {(field: Field) => { begun: string, names: string[][] }} */
  const fits = field => {
    const begun = /(?:[A-Za-z_]\w*\.)?\w*$/.exec(field.value.slice(0, field.selectionEnd || 0))?.[0] || "";
    if (begun.length < 2) return { begun, names: [] };
    return { begun, names: (field.dataset.code || "").split("\n").map(line => line.split("\t"))
      .filter(([name]) => name.startsWith(begun) && name.replace(/\(.*/, "") !== begun).slice(0, 6) };
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
