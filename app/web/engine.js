// The engine's worker: the page's own module in its second role. The first message is the module; the
// program then takes over onmessage.
"use strict";
importScripts("wasm_exec.js");
onmessage = async event => {
  const go = new Go();
  const instance = await WebAssembly.instantiate(/** @type {WebAssembly.Module} */ (event.data), go.importObject);
  await go.run(instance);
  setTimeout(() => { throw new Error("the engine has stopped"); });
};
