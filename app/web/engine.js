// The engine's worker: the page's own module in its second role. The first message is the module; the
// program then takes over onmessage.
"use strict";
importScripts("wasm_exec.js");
onmessage = event => {
  const go = new Go();
  WebAssembly.instantiate(/** @type {WebAssembly.Module} */ (event.data), go.importObject)
    .then(instance => go.run(instance))
    .then(() => { throw new Error("the engine has stopped"); })
    // The page hears of errors of a worker, and of no promise's: an engine that finds no memory would be waited for.
    .catch(error => setTimeout(() => { throw error; }));
};
