// A homework on the page in which a student joins: when it opens and closes, and what is the student's next. The page
// turns at these times by the server's clock, without news of it.
"use strict";
(() => {
  const lab = window.hadarlab, join = lab.join, { say, el, entry, said, receipt, lively } = join, s = join.student;

  join.now = () => s.state ? s.state.now_ms + Date.now() - s.arrived : 0;
  join.when = ms => new Date(ms).toLocaleString(join.language() === "en" ? "en-GB" : join.language(),
    { weekday: "long", day: "numeric", month: "long", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  join.isHomework = () => !!s.state?.closes_ms;

  let bell = 0;
  join.ring = () => {
    clearTimeout(bell);
    const { phase, opens_ms = 0, closes_ms = 0 } = s.state || {}, now = join.now();
    const next = [opens_ms, closes_ms].find(ms => ms > now);
    if (phase !== "homework" || !next) return;
    bell = setTimeout(() => { join.render(); join.ring(); }, Math.min(next - now, 864e5)); // it counts to 24 days only
  };

  join.place = of => {
    const { opens_ms = 0, closes_ms = 0 } = of.state, now = join.now();
    return now < opens_ms ? "soon" : now >= closes_ms ? "over"
      : entry("answers") || !of.assignment.questions.length ? "work" : "predict";
  };
  join.paces = ({ assignment: { questions, task, explain } }) => /** @type {string[]} */ (
    [questions.length && "predict", "run", task && "change", explain && "write", "done"].filter(Boolean));

  /** @type {() => HTMLElement} */
  const closes = () => el("p.soft", { hook: "closes" }, say("It closes {0}.", join.when(s.state?.closes_ms || 0)));
  const later = () => el("p.soft", { hook: "feedback" },
    say("What is right comes with your teacher’s feedback, for all at one time."));
  // handed is all that the student has handed in.
  /** @type {() => Kid[]} */
  const handed = () => {
    const tries = s.entries.filter(e => e.kind === "submission"), last = tries.at(-1), sentence = entry("sentence");
    return [last && el("section.card", { hook: "said-submission" }, join.made(last), tries.length > 1 &&
        el("p.soft", null, say("Attempt {0}; the latest counts, and all are kept.", tries.length)), receipt(last)),
    sentence && el("section.card", { hook: "said-sentence" }, el("h2", null, say("Why, in your words")),
      el("p", null, sentence.text || ""), receipt(sentence)), said("answers")];
  };
  /** @type {Record<string, () => string>} */
  const next = {
    run: () => say("Your answers are in. Now run it."), 
    change: () => join.changeSays(),
    write: () => say("Now write why, in a sentence."), done: () => say("All is handed in."),
  };

  Object.assign(join.screens, /** @type {Join["screens"]} */ ({
    soon: of => [el("h1", null, say("You are in. It opens {0}.", join.when(of.state.opens_ms || 0))),
      el("section.card.mid", null, el("p.soft", null, say("You are")), el("p.name", { hook: "name" }, of.me.name),
        el("p.soft", null, say("Others know you by this name only."))), closes(),
      el("section.card", null, el("h2", null, say(of.assignment.title)), el("p", null, say(of.assignment.goal || ""))),
      el("p.soft", null, say("It is yours to do when you like until then: answer, run, change one thing, write. " +
        "You may close this page: it leads back here on this device."))],

    work: of => {
      const { task } = of.assignment, done = of.pace === "done";
      return [el("h1", null, (next[of.pace] || next.run)()),
        done && el("p", { hook: "done" }, say("You may change it again, and write it better, until it closes.")),
        closes(),
        task?.text && el("section.card", null, el("h2", null, say("The task")), el("p", null, say(task.text))),
        join.labLink(of, of.pace === "run" ? say("Run both policies") : say("Open the lab")),
        join.program(of), later(), handed(), join.situation(of)];
    },

    over: of => [el("h1", null, say("The homework has closed.")),
      el("p", null, of.entries.length ? say("Nothing more is taken. What you have handed in is kept.")
        : say("Nothing more is taken. You have handed in nothing.")), later(), handed(), join.situation(of)],
  }));

  // deadline is how long there is still time, where it is less than a day.
  join.deadline = () => lively(el("p.soft.mid", { hook: "deadline" }), e => {
    const left = Math.ceil(((s.state?.closes_ms || 0) - join.now()) / 60000);
    e.textContent = left > 24 * 60 || left < 1 ? say("It closes {0}.", join.when(s.state?.closes_ms || 0))
      : left > 90 ? say("It closes in {0} hours.", Math.floor(left / 60)) : say("It closes in {0} minutes.", left);
  });
})();
