// What the page's scripts give to one another and to the program, and what they find in the browser. Only tsc reads it,
// which holds app/web/*.js to it (make scripts); no browser does. What the Go side says of each is in app/platform.

interface Window {
  hadarlab: Lab;
  goappGetenv(name: string): string; // go-app asks for it
}

// An answer of the server. Status 0 says that it was not reached, or not to the end.
interface Answer {
  status: number;
  ok: boolean;
  wait: number; // seconds of Retry-After, 0 = none
  bytes: Uint8Array<ArrayBuffer>;
  text(): string;
  json(): any; // {} where the answer is none
}

interface Asked {
  body?: BodyInit | null; // JSON
  token?: string;
  headers?: Record<string, string>;
  keepalive?: boolean; // it is sent though the page is left
  limit?: number; // ms for each try until it is answered, and four times that to the answer's end; 0 = as long as it
  // takes, default: silence for what only reads
  signal?: AbortSignal; // ends it with status 0
  tries?: number; // at most, default 1
  again?(answer: Answer): boolean; // whether another try may help; default: not reached, 429 and 5xx
  first?: number; // ms of the first pause, default 1000; each is twice the one before, up to 15 s
  patience?: number; // ms of the longest pause, also where the server wants a longer one
  lost?(how: "" | "lost" | "busy"): void; // told before each pause, and "" at the end
}

type Tell = (bytes: Uint8Array) => void; // a message of the engine's
type Chosen = (name: string, bytes: Uint8Array | null, problem: string, chosen: unknown) => void; // a file

interface Lab {
  // shell.js
  base: string; // the folder of the lab
  silence: number; // ms without an answer after which what only reads is taken for lost (ask.js)
  site: boolean; // files alone, without a server
  home: string;
  embedded: boolean;
  safe: boolean;
  engine(programs: boolean): Engine;
  address(): Address;
  tidy(): Address;
  say(key: string): string;
  words(): string | null;
  speak(tag: string, done: (words: string | null, ok: boolean) => void): Promise<void>;
  spoken(tag: string): void;
  unveil(): void;
  toggleTheme(): void;
  togglePatterns(): void;
  toggleEvidence(): void;
  early: number; // set before the program was there, -1 = nothing was

  // ask.js
  ask(method: string, path: string, asked?: Asked): Promise<Answer>;

  // class.js
  code(typed: string): string;
  follow(path: string, tell: (status: number, text: string) => void): void;

  // page.js
  boot(): string | null;
  after(ms: number, f: () => void): void;
  setAddress(path: string, opening: number, push: boolean): void;
  opening(): number;
  onAddress(f: () => void): void;
  keep(name: string, value: string): boolean;
  unkept?: boolean; // the browser keeps nothing for this tab
  kept(name: string): string;
  unkeep(name: string): void;
  keptNames(prefix: string): string;
  store(name: string, value: string): boolean;
  stored(name: string): string;
  now(): string;
  when(ms: number, language: string): string;
  local(ms: number): string; // as a field for a time has it, "" = 0
  moment(local: string): number; // what such a field says, 0 = nothing
  copy(text: string, done: (copied: boolean) => void): Promise<void>;
  fetch(method: string, path: string, token: string, body: string,
    done: (status: number, bytes: Uint8Array | null) => void): Promise<void>;
  download(name: string, type: string, bytes: Uint8Array<ArrayBuffer>): void;
  pickFile(accept: string, most: number, now: () => unknown, done: Chosen): void;
  onDrop(most: number, now: () => unknown, done: Chosen): void;
  letGo(): void; // ends what keeps an element where it is in the window
  seen(selector: string, bring: boolean): Element | undefined;
  focus(selector: string, tries?: number): void;
  showModal(id: string): void;
  enter(selector: string): void;
  field: string;
  pointTo(path: string, from: number, to: number, tries?: number): void;
  layout(f: (keys?: string) => void): void;
  width(selector: string): number;
  point(element: Element, event: MouseEvent): { x: number, y: number };
  closest(event: Event, attribute: string): string | null;
  worker(programs: boolean, message: Tell, failure: (text: string) => void): { post(bytes: Uint8Array): void, stop(): void };

  // paint.js and zoom.js
  look(from: number, to: number, atOnce: boolean): void;
  paint(id: string, bytes: Uint8Array, fields: number, names: string): void;
  glide(): void;
  zoomed(from: number, to: number, narrowest: number, done: (from: number, to: number) => void): void;

  // learn.js
  reveal(selector: string, tries?: number): void;
  inSight(selector: string): boolean;
  onSight(f: () => void, ...panels: string[]): void;
  downloadPNG(name: string, svg: string): void;
  print(): void;
  onPrint(says: () => string): void;

  // server.js
  client(): Promise<Record<string, string>>;
  takesRuns(engine: string): boolean;
  askServer(engine: string, tell: (takes: boolean) => void): void;
  runOnServer(id: number, request: Uint8Array<ArrayBuffer>, tell: Tell): void;
  stopOnServer(all: boolean): void;
  sweepOnServer(id: number, varies: boolean, request: Uint8Array<ArrayBuffer>, tell: Tell): void;
  stopSweepOnServer(id: number, all: boolean): void;

  // embed.js and offline.js
  tell(job: string, round: number, time_s: number): void;
  onMessage(f: (type: string, job: string, round: number) => void): void;
  newer(): void;
}

interface Address { path: string; query: string; fragment: string }
interface Engine { worker: Worker; early: Event[] }

// What a run on the server says of itself.
interface RunStatus {
  state: string;
  engine: string;
  lanes: { outcome: string }[];
  errors?: Finding[];
  sweep?: object;
}
interface Finding { code?: string; path: string; message: string }

// Go's own script, wasm_exec.js. What begins with _ is its inside, which shell.js ends with the program.
declare class Go {
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
  _resume(): void;
  _scheduledTimeouts: Map<number, number>;
}

// What index.html and join.html always have.
interface Document {
  getElementById(id: "load"): HTMLProgressElement;
  getElementById(id: "reload"): HTMLButtonElement;
  getElementById(id: "app-wasm-loader" | "app-wasm-loader-label" | "hadarlab-boot"): HTMLElement;
  getElementById(id: "update" | "update-now" | "update-later"): HTMLElement;
  getElementById(id: "me" | "lost" | "main" | "spoken" | "language" | "theme" | "leave"): HTMLElement;
  getElementById(id: string): HTMLElement | null;
}
// What the scripts look for in the page is HTML's.
interface ParentNode {
  querySelector(selector: string): HTMLElement | null;
  querySelectorAll(selector: string): NodeListOf<HTMLElement>;
}

// Not in every browser, and so not in TypeScript's own lists.
interface Navigator {
  keyboard?: { getLayoutMap?(): Promise<Map<string, string>> };
  connection?: { saveData?: boolean };
}
interface RequestInit { priority?: "high" | "low" | "auto" }
