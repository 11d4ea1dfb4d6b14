// What goes between a class's server and the page in which a student joins, as core/class has it, and the parts of that
// page.

type Phase = "lobby" | "predict" | "discuss" | "vote" | "run" | "change" | "homework" | "closed";

interface ClassState {
  title: string;
  phase: Phase;
  since_ms?: number;
  ends_ms?: number;
  now_ms: number;
  told_ms?: number; // what is right is told since then
  locked?: boolean;
  listed?: boolean; // only who has a tag of the teacher's list can join
  lab_locked?: boolean;
  opens_ms?: number; // of a homework
  closes_ms?: number;
  revealed: string[];
  counts: { joined: number, committed: number, voted: number };
  larger_run?: { id: string, state: string, done: number, runs: number, link?: string };
}

interface ClassPicture {
  svg: string;
  lanes: { title: string, avg_jct_s: number, makespan_s: number }[];
}

interface ClassOption { id: string; text: string; note?: string }
interface ClassQuestion { id: string; text: string; options: ClassOption[]; again?: boolean }
interface ClassAssignment {
  title: string;
  goal?: string;
  situation: string;
  scenario: any;
  questions: ClassQuestion[];
  task?: { text: string, race?: object };
  explain?: string;
  plan: { phase: Phase }[] | null;
}

interface ClassAnswer { option: string; sure: number }
type ClassAnswers = Record<string, ClassAnswer>; // by question
interface ClassEntry {
  student: number;
  kind: string;
  at_ms: number;
  phase?: Phase;
  hash?: string;
  answers?: ClassAnswers;
  practice?: boolean; // given after what is right was told
  text?: string;
  changes?: { path: string, from: unknown, to: unknown }[];
  written?: { program?: string, key?: string };
}
interface ClassTally {
  id: string;
  right: string; // "" = not known
  voted?: number;
  options: { id: string, sure: number[], vote: number[] }[];
}

type Round = "answers" | "vote"; // the two that are handed in here
interface Draft {
  of: string; // the class
  answers: ClassAnswers;
  vote: ClassAnswers;
  sending: "" | Round;
}

// All that the page in which a student joins shows.
interface Student {
  code: string; // of the class
  packed: string; // or the assignment as a link has it, where the class has no server
  me: { code: string, token: string, n: number, name: string, tag?: string } | null;
  state: ClassState | null;
  arrived: number; // when that came
  assignment: ClassAssignment | null;
  entries: ClassEntry[];
  pace: string; // in a homework: what is the student's next
  tallies: ClassTally[]; // of what the teacher has revealed
  draft: Draft;
  complaint: string; // why the last was refused
  trouble: { title: string, text: string, way: "other" | "again" | "" } | null; // nothing can go on
  picture: ClassPicture | null; // of the runs, once they are told
  loaded: { bytes: number, done: boolean } | null; // of the lab's program
}
// One who is in a class that is here.
type Joined = Student & { me: NonNullable<Student["me"]>, state: ClassState, assignment: ClassAssignment };

type Kid = string | Node | null | undefined | false | Kid[];
interface Join {
  // join-page.js
  kept(name: string): string;
  keep(name: string, value: string): void;
  keeps(): boolean;
  say(key: string, ...values: unknown[]): string;
  language(): string;
  speak(): Promise<void>;
  number(v: number, options?: Intl.NumberFormatOptions): string;
  digits3(v: number): string;
  lab(part: string): string;
  parsed(text: string): any;
  el(spec: string, props?: Record<string, any> | null, ...kids: Kid[]): HTMLElement;
  around(text: string, e: Node): Node[];
  lively<E extends HTMLElement>(e: HTMLElement, f: (e: E) => void): HTMLElement;
  follow(): void; // has all that is lively follow
  forgetLively(): void;

  // join-alone.js
  unpack(text: string): Promise<ClassAssignment>;

  // join-class.js
  student: Student;
  entry(kind: string): ClassEntry | undefined;
  again(): ClassQuestion[];
  told(): boolean;
  votes(): Phase;
  begin(): Promise<void>;
  join(typed: string, mark: string): Promise<string>; // what is wrong, "" = nothing
  back(typed: string, once: string): Promise<string>;
  choose(kind: Round, question: string, part: Partial<ClassAnswer>): void;
  hand(kind: Round): Promise<void>;
  forget(all?: boolean): void;
  ready(): void; // tells the server that the lab's program is here
  draw(): void; // the runs, in another language
  leave(): void; // forget, and in a class without a server all that was kept of it
  lost(how: "" | "lost" | "busy"): void;

  // join-questions.js
  ask(questions: ClassQuestion[], kind: Round, button: string, note: string): HTMLElement;
  said(kind: Round): HTMLElement | null;
  receipt(e: ClassEntry): HTMLElement;
  bars(t: ClassTally): HTMLElement | null;

  // join-screens.js
  phaseSays(phase: Phase): string;
  entrance: Record<string, (s: Student) => Kid>; // the screens of who is not in a class, or no more
  screens: Record<string, (s: Joined) => Kid>;
  steps(s: Joined, at: string): HTMLElement;
  situation(s: Joined): HTMLElement;
  program(s: Student): HTMLElement;
  labLink(s: Student, label: string): HTMLElement;
  change(c: { path: string, from: unknown, to: unknown }): HTMLElement;
  races(): boolean;
  changeSays(): string;
  made(last: ClassEntry): HTMLElement[];

  // join-homework.js
  now(): number; // by the server's clock
  when(ms: number): string;
  isHomework(): boolean;
  ring(): void; // turns the page when it opens, and closes
  place(s: Joined): string;
  paces(s: Joined): string[];
  deadline(): HTMLElement;

  // join.js
  render(moves?: boolean): void;
  tell(text: string): void; // to who listens to the page
}
interface Lab { join: Join }
