// The screens of the page in which a student joins: each says what stands in it, from the student's state alone.
"use strict";
(() => {
  const root = document.documentElement, lab = window.hadarlab, join = lab.join;
  const { say, el, lively, entry, again, ask, said, receipt, bars } = join;

  const discuss = () => join.votes() === "discuss" ? say("Now discuss with your neighbours, and answer again.")
    : say("Now discuss with your neighbours.");
  join.phaseSays = phase => phase === "predict" ? say("Now predict.") : phase === "run" ? say("Now run it.")
    : phase === "discuss" ? discuss() : phase === "vote" ? say("Now answer again, alone.")
      : phase === "change" ? join.changeSays() : phase === "closed" ? say("The class is over.") : "";
  /** @type {Record<string, () => string>} */
  const stepNames = { predict: () => say("Predict"), discuss: () => say("Discuss"), vote: () => say("Vote again"),
    run: () => say("Run"), change: () => say("Change"), write: () => say("Write"), closed: () => say("Done"),
    done: () => say("Done") };
  /** @type {(names: string[], at: number) => HTMLElement} */
  const stepList = (names, at) => el("ol.steps", { "aria-label": say("Steps of the class") }, names.map((name, k) =>
    el("li", { "data-step": k < at ? "past" : "", "aria-current": k === at ? "step" : null },
      stepNames[name]?.() || name)));
  join.steps = (s, at) => {
    if (join.isHomework()) {
      const own = join.paces(s), i = at === "closed" ? own.length - 1 : own.indexOf(at === "over" ? "" : s.pace);
      return stepList(own, i);
    }
    /** @type {Phase[]} */
    const names = (s.assignment.plan || []).map(step => step.phase).filter(phase => phase !== "lobby");
    const now = at === "vote" ? join.votes() : s.packed && at === "done" ? "run"
      : at === "predict" || s.state.phase === "lobby" ? "predict" : s.state.phase;
    return stepList(names, names.indexOf(now));
  };

  // form sends what was typed, once at a time, and shows what is wrong with it.
  /** @type {(send: (value: (id: string) => string) => Promise<string>, ...kids: HTMLElement[]) => HTMLElement} */
  const form = (send, ...kids) => {
    const wrong = el("p.wrong", { role: "alert" });
    /** @type {(id: string) => string} */
    const value = id => /** @type {HTMLInputElement} */ (f.querySelector("#" + id)).value;
    const submit = async (/** @type {Event} */ event) => {
      event.preventDefault();
      const button = /** @type {HTMLButtonElement} */ (f.querySelector("button.big"));
      button.disabled = true;
      wrong.textContent = "";
      const problem = await send(value);
      button.disabled = false;
      if (problem && f.isConnected) { wrong.textContent = problem; f.querySelector("input")?.focus(); }
    };
    const f = el("form", { noValidate: true, onsubmit: submit }, ...kids.slice(0, -1), wrong, kids.at(-1));
    return f;
  };
  /** @type {(id: string, label: string, hint: string, props: object) => HTMLElement} */
  const field = (id, label, hint, props) => el("label.field", null, label,
    el("input", { type: "text", id, autocomplete: "off", spellcheck: false, ...props }),
    hint && el("span.soft", null, hint));
  /** @type {(id: string, code: string, props?: object) => HTMLElement} */
  const codeField = (id, code, props) => {
    const value = code ? code.slice(0, 4) + " " + code.slice(4) : "";
    return field(id, say("Class code"), say("8 letters and digits, from the teacher’s screen"),
      { className: "code", autocapitalize: "characters", maxLength: 12, value, ...props });
  };

  /** @type {(type: string) => string} */
  const title = type => type.length <= 5 || /\d/.test(type) ? type.toUpperCase() : type;
  /** @type {(scenario: any, i: string | undefined) => string} */
  const node = (scenario, i) => scenario.scenario?.cluster?.nodes?.[i || 0]?.id;
  // facts are what "by how much" is worked out from, as on the wall: nodes, lengths of jobs and speeds.
  /** @type {(scenario: any) => HTMLElement} */
  const facts = scenario => {
    const most = 12; // of a kind; a phone is no table of hundreds
    /** @type {(v: number) => string} */
    const number = v => v > 0 && v < 1000 ? join.digits3(v) : join.number(v, { maximumSignificantDigits: 15 });
    /** @type {(s: number) => string} */
    const time = s => s < 120 ? number(s) + "\u00a0s" : number(s / 60) + "\u00a0min";
    /** @type {(of: Record<string, number>, says: (type: string, n: number) => string) => string} */
    const types = (of, says) => Object.entries(of).filter(([, n]) => n > 0).sort((a, b) => b[1] - a[1])
      .map(([type, n]) => says(title(type), n)).join(", ");
    /** @type {(list: any[], says: (of: any) => string) => HTMLElement[]} */
    const rows = (list, says) => list.slice(0, most).map(of => el("li", null, el("b", null, of.id || of.model), " ",
      says(of))).concat(list.length > most ? el("li", null, say("and {0} more", list.length - most)) : []);
    /** @type {(job: any) => string} */
    const asks = job => say("{0}, {1} steps", job.gpus === 1 ? say("{0} GPU", 1) : say("{0} GPUs", job.gpus),
      number(job.steps)) + (job.arrival_s > 0 ? ", " + say("comes after {0}", time(job.arrival_s)) : "");
    const speeds = scenario.throughputs?.rows || [];
    return el("ul.facts.soft", { hook: "facts" },
      rows(scenario.cluster.nodes, node => types(node.gpus, (type, n) => n + " × " + type)),
      rows(scenario.jobs, asks),
      speeds.length > 0 && el("li", null, say("Steps/s of one GPU")),
      rows(speeds, row => types(row.per_gpu, (type, n) => type + " " + number(n))));
  };
  /** @type {(s: Joined) => HTMLElement} */
  const situation = join.situation = s => el("section.card", { "aria-labelledby": "h-sit" },
    el("h2", { id: "h-sit" }, say("The situation")), el("p", null, say(s.assignment.situation)),
    facts(s.assignment.scenario.scenario));
  /** @type {(s: Joined) => HTMLElement} */
  const clock = s => lively(el("p.soft.mid", { hook: "clock" }), e => {
    const { ends_ms, now_ms } = s.state, now = now_ms + Date.now() - s.arrived; // by the server's clock
    const left = ends_ms ? Math.ceil((ends_ms - now) / 60000) : 0;
    e.textContent = left > 1 ? say("about {0} minutes left", left) : left === 1 ? say("about a minute left") : "";
  });
  /** @type {(s: Joined) => HTMLElement | null} */
  const waiting = s => s.packed || join.isHomework() ? null : lively(el("section.card", { "aria-labelledby": "h-wait" },
    el("h2", { id: "h-wait" }, say("While you wait for the others")),
    lively(el("p", { hook: "counts" }), e => {
      const { voted, committed, joined } = s.state.counts;
      e.textContent = s.state.phase === join.votes() && entry("vote")
        ? voted === 1 ? say("{0} of {1} has answered again.", voted, committed)
          : say("{0} of {1} have answered again.", voted, committed)
        : committed === 1 ? say("{0} of {1} has answered.", committed, joined)
          : say("{0} of {1} have answered.", committed, joined);
    }),
    lively(el("progress", { "aria-label": say("Answers") }), (/** @type {HTMLProgressElement} */ e) => {
      const { voted, committed, joined } = s.state.counts, again = s.state.phase === join.votes() && entry("vote");
      e.max = Math.max(1, again ? committed : joined);
      e.value = again ? voted : committed;
    })), e => { e.hidden = join.told() && s.state.phase !== join.votes(); }); // nobody's answer is waited for then
  /** @type {(s: Student) => HTMLElement} */
  const program = join.program = s => lively(el("p.soft.mid", { hook: "program" }), e => {
    e.textContent = !s.loaded ? "" : s.loaded.done ? say("The lab’s program is here: it opens at once.")
      : say("The lab’s program is loading: {0} MB so far.",
        join.number(s.loaded.bytes / 1e6, { maximumFractionDigits: 1 }));
  });
  /** @type {(picture: ClassPicture) => string} */
  const address = picture => "data:image/svg+xml," + encodeURIComponent(picture.svg);
  // runs are the class's lanes as a picture, with their figures as its text.
  /** @type {(s: Joined) => HTMLElement} */
  const runs = s => lively(el("section.card", { hook: "runs", hidden: true }), e => {
    const { picture } = s, img = /** @type {HTMLImageElement | null} */ (e.querySelector("img"));
    e.hidden = !picture;
    if (!picture || img?.src === address(picture)) return;
    /** @type {(s: number) => string} */
    const minutes = s => join.number(s / 60, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
    /** @type {(lane: ClassPicture["lanes"][0]) => string} */
    const says = lane => say("{0}: jobs end after {1} min on average, the last after {2} min.", lane.title,
      minutes(lane.avg_jct_s), minutes(lane.makespan_s));
    const lanes = picture.lanes.map(says);
    e.replaceChildren(el("h2", null, say("The runs: who holds which GPU, and when")),
      el("img", { src: address(picture), alt: lanes.join(" ") }),
      ...lanes.map(text => el("p.soft", null, text)));
  });
  // larger is how far the class's larger run is, and where what came of it opens.
  /** @type {(s: Joined) => HTMLElement} */
  const larger = s => lively(el("section.card", { hook: "larger", hidden: true }), e => {
    const { larger_run: run } = s.state, done = run?.state === "done";
    const lives = run?.state === "queued" || run?.state === "running";
    e.hidden = !done && !lives;
    if (!run || e.hidden || done && e.querySelector("a")) return;
    e.replaceChildren(el("h2", null, say("The class’s larger run")), done
      ? el("a", { href: join.lab(run.link || ""), target: "_blank", hook: "larger-open" },
        say("Open what came of it in the lab"))
      : el("p", null, say("Larger run: {0} of {1} done", run.done, run.runs)));
  });
  /** @type {(s: Student) => string} */
  const labAddress = s => join.lab(s.packed ? "#assign=" + s.packed : "#class=" + s.code);
  /** @type {(s: Student, label: string) => HTMLElement} */
  const labLink = join.labLink = (s, label) => el("a.big",
    { href: labAddress(s), hook: "open-lab", onclick() { join.ready(); } }, label);

  /** @type {(s: Student) => HTMLElement} */
  const look = s => el("p.mid", null, el("a", { href: labAddress(s), hook: "open-lab" }, say("Look in the lab")));

  // named is what a pointer into the scenario leads to, as the lab names it: GPUs of j3. What has no name here goes by
  // the names on its way.
  /** @type {(path: string, scenario: any) => string} */
  const named = (path, scenario) => {
    const names = [], [, , part, i, field, last] = path.split("/"), member = path.split("/").at(-1);
    /** @type {Record<string, () => string>} */
    const called = { gpus: () => say("GPUs"), steps: () => say("steps"), arrival_s: () => say("arrival"),
      weight: () => say("weight"), slo_s: () => say("deadline"), round_s: () => say("Round length"),
      restart_s: () => say("Restart"), checkpoint_s: () => say("Checkpoint"), merge_s: () => say("Merge"),
      horizon_s: () => say("Horizon") };
    const name = called[member || ""], job = part === "jobs" && scenario.scenario?.jobs?.[i]?.id;
    if (name && (job || part === member || part === "overheads")) {
      return job ? say("{0} of {1}", name(), job) : name();
    }
    if (part === "cluster" && last === "gpus") return say("{0} on {1}", title(member || ""), node(scenario, field));
    if (part === "throughputs" && member) {
      return say("{0} on {1}", scenario.scenario?.throughputs?.rows?.[field]?.model, title(member));
    }
    let at = scenario;
    for (const step of path.split("/").slice(1)) {
      at = at?.[step];
      if (at?.id || !/^(scenario|cluster|\d+)$/.test(step)) names.push(at?.id || at?.model || step);
    }
    return names.filter(n => !/^(jobs|nodes|rows|policies)$/.test(n)).join(", ");
  };

  /** @type {(v: unknown) => unknown} */
  const value = v => typeof v === "number" ? join.number(v, { maximumSignificantDigits: 15 }) : v ?? say("none");
  join.change = c => el("p", null, el("b", null, named(c.path, join.student.assignment?.scenario)), ": ",
    say("{0} to {1}", value(c.from), value(c.to)) + (/_s$/.test(c.path) ? "\u00a0s" : ""));
  join.races = () => !!join.student.assignment?.task?.race;
  join.changeSays = () => join.races() ? say("Now write your lane.") : say("Now change one thing.");
  join.made = last => join.races() ? [el("h2", null, say("What you wrote")),
    el("pre.written", null, String(last.written?.program || last.written?.key || ""))]
    : [el("h2", null, say("What you changed")), ...(last.changes || []).map(join.change)];

  const ways = { "": () => null,
    other: () => el("button.big", { onclick() { location.hash = ""; join.forget(true); } }, say("Enter another code")),
    again: () => el("button.big", { onclick: () => join.forget() }, say("Join again")) };

  join.entrance = {
    code(s) {
      if (root.dataset.site) {
        return [el("h1", null, say("Join a class")), el("p", { hook: "no-server" },
          say("This site has no server, so that no code leads to a class here. " +
            "Open the link that your teacher gave you."))];
      }
      const need = say("The code has 8 letters and digits.");
      /** @type {(code: string) => boolean} */
      const whole = code => lab.code(code).length === 8;
      return [el("h1", null, say("Join a class")),
        lively(el("p.soft", { hook: "class-title" }), e => { e.textContent = s.state ? say(s.state.title) : ""; }),
        form(async value => whole(value("code")) ? join.join(value("code"), value("tag").trim()) : need,
          codeField("code", s.code, { autofocus: !s.code }),
          lively(el("details", null, el("summary", null, say("I was given a private tag")), field("tag",
            say("Private tag"),
            say("Only one that your teacher handed out, so that results can be matched. Never your name."),
            { maxLength: 40, autocapitalize: "none" })), e => { if (s.state?.listed) e.setAttribute("open", ""); }),
          el("button.big", { hook: "do-join" }, say("Join"))),
        el("p.soft.mid", null, say("You get a name, such as quiet heron. " +
          "Nothing about you is asked or stored but a tag, if you were given one.")),
        el("details", { hook: "lost-phone" }, el("summary", null, say("I lost my phone, or this is another device")),
          el("p.soft", null, say("Ask your teacher for a one-time code for your name. " +
            "It goes on here with all that you have handed in.")),
          form(async value => whole(value("code2")) ? join.back(value("code2"), value("once")) : need,
            codeField("code2", s.code), field("once", say("One-time code"), "", { autocapitalize: "characters" }),
            el("button.big", null, say("Go on with my name"))))];
    },
    coming: () => [el("h1", null, say("Going into the class…"))],
    trouble: ({ trouble }) => trouble && [el("h1", null, trouble.title),
      el("div.problem", { role: "alert", hook: "trouble" }, el("p", null, trouble.text)), ways[trouble.way]()],
  };

  join.screens = {
    lobby: s => [el("h1", null, say("You are in. It begins soon.")),
      el("section.card.mid", null, el("p.soft", null, say("You are")), el("p.name", { hook: "name" }, s.me.name),
        el("p.soft", null, say("Others know you by this name only."))),
      lively(el("p.mid", { hook: "counts" }), e => {
        const n = s.state.counts.joined;
        e.textContent = n === 1 ? say("You are the first.") : say("{0} are here.", n);
      }),
      el("section.card", null, el("h2", null, say(s.assignment.title)), el("p", null, say(s.assignment.goal || ""))),
      el("p.soft.mid", null, say("This page goes on by itself when your teacher starts."))],

    predict: s => [el("h1", null, say("What will happen?")), s.packed && el("p.soft", null,
      say("Answer before you run it. Your teacher gets your answers when you hand them in.")),
    !s.packed && join.told() && el("p.soft", { hook: "practice" },
      say("What is right has been told: your answers are practice, and score nothing.")),
    situation(s), join.isHomework() ? join.deadline() : clock(s),
    ask(s.assignment.questions, "answers", say("Commit my answer"), say("Cannot be changed afterwards.")), waiting(s)],

    wait(s) {
      const { phase, lab_locked } = s.state;
      return [el("h1", null, phase === "discuss" ? discuss() : entry("vote") ? say("Your answers are in.")
        : say("Your answer is in.")),
      el("p.soft", null, say("What is right comes with the run, for all at one time.")), clock(s), s.tallies.map(bars),
      said("vote"), said("answers"), situation(s), waiting(s), !lab_locked && look(s), program(s)];
    },

    done(s) {
      const { state: { phase }, assignment: { task } } = s, changes = phase === "change";
      const title = changes ? join.changeSays() : phase === "discuss" ? say("Your answers are in.")
        : say("Your answer is in. Now run it.");
      return [el("h1", null, title),
        changes && task && el("section.card", null, el("h2", null, say("The task")), el("p", null, say(task.text))),
        labLink(s, changes ? say("Open the lab") : say("Run both policies")), program(s), larger(s), runs(s),
        said("vote"),
        s.tallies.map(bars), said("answers"), waiting(s), situation(s)];
    },

    vote: s => [el("h1", null, say("And what do you say now?")),
      el("p.soft", null, s.packed ? say("Talk with somebody who has answered too, then answer again.")
        : join.votes() === "vote" ? say("Answer again, alone. Change your mind or keep to it.")
          : say("Talk with your neighbours, look into the lab, then answer again.")), clock(s),
      larger(s), s.tallies.map(bars),
      ask(again(), "vote", say("Commit my second answer"), say("Cannot be changed afterwards.")),
      s.packed ? el("p.mid", null, el("a", { href: labAddress(s), hook: "open-lab" },
        say("Go on without a second answer"))) : (join.told() || !s.state.lab_locked) && look(s),
      said("answers"), situation(s), waiting(s)],

    closed(s) {
      const last = entry("submission"), sentence = entry("sentence"), { me, assignment } = s;
      return [el("h1", null, join.isHomework() ? say("The homework is over. This is your report.")
        : say("The class is over. This is your report.")),
        el("p.soft", null, say(assignment.title) + ", " + me.name + (me.n ? " (" + me.n + ")" : "")),
        said("answers") || el("p", null, say("You have not answered.")), said("vote"),
        last && el("section.card", null, join.made(last), receipt(last)),
        sentence && el("section.card", null, el("h2", null, say("Why, in your words")),
          el("p", null, sentence.text || "")),
        s.tallies.map(bars), larger(s), runs(s), labLink(s, say("The whole report, in the lab")),
        el("button", { onclick: () => print(), hook: "print" }, say("Print"))];
    },
  };
})();
