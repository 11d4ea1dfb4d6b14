// What the two scripts outside the page find, sw.js in a service worker and engine.js in a Web Worker: Go's own script.

declare class Go {
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}
