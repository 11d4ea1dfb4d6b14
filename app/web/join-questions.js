// Questions of an assignment, asked and answered: the form, what the student has said, and how the class answered.
"use strict";
(() => {
  const join = window.hadarlab.join, { say, el, around } = join, s = join.student;

  // ask is the form of questions. What is chosen is kept at once.
  join.ask = (questions, kind, button, note) => {
    const busy = s.draft.sending === kind;
    const chosen = () => { for (const a of asked) a.look(false); };
    const asked = questions.map(q => question(q, kind, busy, questions.length > 1, chosen));
    const send = (/** @type {Event} */ event) => {
      event.preventDefault();
      s.complaint = "";
      const bad = asked.map(a => a.look(true)).findIndex(wrong => wrong !== "");
      if (bad < 0) { join.hand(kind); return; }
      const { fieldset, wrong } = asked[bad].missing();
      join.tell(say(questions[bad].text) + " " + wrong);
      fieldset.querySelector("input")?.focus();
      fieldset.scrollIntoView({ block: "center" });
    };
    return el("form", { noValidate: true, onsubmit: send }, asked.map(a => a.element),
      el("button.big", { disabled: busy, hook: "commit" }, busy ? say("Sending…") : button),
      el("p.soft.mid", null, note), s.complaint && el("p.problem", { role: "alert" }, s.complaint));
  };

  // question is one of them. look says what is missing, and shows it where it is forced to or has shown something.
  /** @type {(q: ClassQuestion, kind: Round, busy: boolean, several: boolean, chosen: () => void) =>
   *    { element: HTMLElement, look(force: boolean): string, missing(): { fieldset: HTMLElement, wrong: string } }} */
  const question = (q, kind, busy, several, chosen) => {
    const given = () => s.draft[kind][q.id] || { option: "", sure: 0 };
    /** @type {(member: "option" | "sure", value: string | number, label: Kid, more?: Kid) => HTMLElement} */
    const radio = (member, value, label, more) => {
      const name = kind + "-" + q.id + "-" + member;
      return el("label" + (member === "option" ? ".option" : ""), null, el("input", { type: "radio", name,
        id: name + "-" + value, value, checked: given()[member] === value, disabled: busy,
        onchange() { join.choose(kind, q.id, { [member]: value }); chosen(); } }), label, more);
    };
    const guess = () => say("a guess"), certain = () => say("certain");
    /** @type {(n: number) => HTMLElement} */
    const sure = n => radio("sure", n, String(n), n === 1 ? el("span.vh", null, guess())
      : n === 5 ? el("span.vh", null, certain()) : null);
    const short = q.options.every(o => !o.note && o.text.length < 18);
    /** @type {(o: ClassOption) => HTMLElement} */
    const option = o =>
      radio("option", o.id, el("span", null, say(o.text)), o.note && el("span.note", null, say(o.note)));
    const options = el("fieldset.options" + (short ? ".short" : ""), { "aria-describedby": "need-" + q.id },
      el("legend.ask", null, say(q.text)), q.options.map(option));
    const confidence = el("fieldset.sure", null,
      el("legend", null, say("How sure are you?"), several && el("span.vh", null, " " + say(q.text))),
      el("div", null, [1, 2, 3, 4, 5].map(sure)),
      el("p.ends", { "aria-hidden": "true" }, el("span", null, guess()), el("span", null, certain())));
    const need = el("p.wrong", { id: "need-" + q.id });
    const element = el("div.question",
      { hook: "question", "data-question": q.id, "aria-disabled": busy ? "true" : null }, options, confidence, need);
    return { element,
      look(force) {
        const { option, sure } = given();
        const wrong = option && sure ? "" : !force && !need.textContent ? ""
          : !option ? say("Choose an answer.") : say("Say how sure you are.");
        need.textContent = wrong;
        return wrong;
      },
      missing: () => ({ fieldset: given().option ? confidence : options, wrong: need.textContent || "" }),
    };
  };

  // said is what the student has answered, beside what is right where that is known.
  /** @type {(q: ClassQuestion, id: string) => string} */
  const text = (q, id) => { const o = q.options.find(o => o.id === id); return o ? say(o.text) : "—"; };
  join.said = kind => {
    const e = join.entry(kind), questions = s.assignment?.questions || [];
    if (!e) return null;
    /** @type {Record<string, string>} */
    const right = Object.fromEntries(s.tallies.map(t => [t.id, t.right]));
    const known = questions.some(q => right[q.id]);
    /** @type {(q: ClassQuestion, answer: ClassAnswer) => Kid} */
    const verdict = (q, answer) => {
      const same = right[q.id] === answer.option ? "✓ " + say("you were right") : say("you said something else");
      return right[q.id] ? [el("b", null, text(q, right[q.id])), el("div.soft", null, same)] : "";
    };
    /** @type {(q: ClassQuestion) => Kid} */
    const row = q => {
      const answer = e.answers?.[q.id];
      return answer && el("tr", null, el("th", { scope: "row" }, say(q.text)),
        el("td", null, el("b", null, text(q, answer.option)),
          el("div.soft", null, say("Confidence {0} of 5", answer.sure))),
        known && el("td", null, verdict(q, answer)));
    };
    const title = e.practice ? say("You said, as practice") : kind === "vote" ? say("You said after the discussion")
      : say("You said");
    const head = known && el("thead", null, el("tr", null, el("td"), el("th", { scope: "col" }, say("you said")),
      el("th", { scope: "col" }, say("it is"))));
    return el("section.card", { hook: "said-" + kind }, el("h2", null, title),
      el("table", null, head, el("tbody", null, questions.map(row))), join.receipt(e));
  };
  join.receipt = e => {
    const at = join.isHomework() ? join.when(e.at_ms) : new Date(e.at_ms).toLocaleTimeString(join.language(),
      { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    const hash = el("b.hash", null, (e.hash || "").slice(0, 8).toUpperCase());
    return el("p.soft", { hook: "receipt" }, s.packed ? say("Kept here at {0}, to be handed in at the end.", at)
      : around(say("Committed: {1}, receipt {0}.").replace("{1}", at), hash));
  };

  // bars are how the class answered a question that the teacher has revealed.
  /** @type {(list: number[]) => number} */
  const sum = list => list.reduce((a, b) => a + b, 0);
  join.bars = t => {
    const q = s.assignment?.questions.find(q => q.id === t.id);
    const voted = !!t.voted && (join.entry("vote") || s.state?.phase !== "discuss");
    const all = t.options.map(o => voted ? o.vote : o.sure), top = Math.max(1, ...all.map(sum));
    if (!q) return null;
    /** @type {(o: { id: string }, i: number) => HTMLElement} */
    const row = (o, i) => {
      const shares = [all[i][3] + all[i][4], all[i][2], all[i][0] + all[i][1]], right = t.right === o.id;
      const bar = el("div.bar", { "aria-hidden": "true" }, shares.map(k => {
        const part = el("i", { hidden: !k });
        part.style.width = 100 * k / top + "%";
        return part;
      }));
      return el("tr", { "data-right": right ? "true" : null }, el("th", { scope: "row" }, text(q, o.id)),
        el("td", null, bar), el("td.n", null, String(sum(shares)), right && " ✓ " + say("right"),
          el("span.vh", null, " " + say("{0} sure, {1} fairly, {2} guess", ...shares))));
    };
    return el("section.card", { hook: "bars", "data-question": t.id }, el("h2", null, say(q.text)),
      el("p.soft", null, voted ? say("How the class answers now") : say("How the class answered")),
      el("table.bars", null, el("tbody", null, t.options.map(row))),
      el("p.key", { "aria-hidden": "true" }, [say("sure, 4 or 5"), say("fairly, 3"), say("a guess, 1 or 2")].map(of =>
        el("span", null, el("i"), of))));
  };
})();
