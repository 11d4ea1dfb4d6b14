// Keeps the page for use without a network, and says when a new version is ready. It stands apart from the
// program, so that a version whose program fails can still be replaced.
"use strict";
(() => {
  const lab = window.hadarlab, workers = navigator.serviceWorker;
  lab.newer = () => {};
  if (lab.embedded) return; // embeds keep nothing

  let reloading = false;
  const reload = () => { if (!reloading) { reloading = true; location.reload(); } };
  /** @type {(now: () => void) => void} */
  const offer = now => {
    const bar = document.getElementById("update");
    bar.hidden = false;
    document.getElementById("update-now").onclick = now;
    document.getElementById("update-later").onclick = () => { bar.hidden = true; };
  };
  /** @type {(worker: ServiceWorker) => void} */
  const change = worker => offer(() => {
    worker.addEventListener("statechange", () => { if (worker.state === "activated") reload(); });
    worker.postMessage("activate");
  });
  // newer is told that the server has become another version, and says so once: by the version that it serves where the
  // page is kept, else, as over plain http, by offering to load it.
  /** @type {ServiceWorkerRegistration | undefined} */
  let registered;
  let told = false;
  lab.newer = () => {
    if (told) return;
    told = true;
    if (registered) registered.update().catch(() => {});
    else offer(reload);
  };
  if (!workers) return;
  /** @type {(registration: ServiceWorkerRegistration) => void} */
  const watch = registration => {
    registered = registration;
    if (registration.waiting && registration.active) change(registration.waiting);
    registration.addEventListener("updatefound", () => {
      const worker = registration.installing;
      worker?.addEventListener("statechange", () => {
        if (worker.state === "installed" && registration.active) change(worker);
      });
    });
    setInterval(() => registration.update().catch(() => {}), 3600e3);
  };
  // Another tab has changed to the new version: this one's later requests would get its files.
  workers.addEventListener("controllerchange", reload);
  addEventListener("load", () => {
    workers.register(lab.base + "sw.js").then(watch).catch(() => {}); // private windows refuse; the page works without
  });
})();
