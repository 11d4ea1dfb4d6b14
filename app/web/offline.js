// Keeps the page for use without a network, and says when a new version is ready. It stands apart from the
// program, so that a version whose program fails can still be replaced.
"use strict";
(() => {
  const workers = navigator.serviceWorker;
  if (!workers || window.hadarlab.embedded) return; // embeds keep nothing

  let reloading = false;
  const reload = () => { if (!reloading) { reloading = true; location.reload(); } };
  const offer = worker => {
    const bar = document.getElementById("update");
    bar.hidden = false;
    document.getElementById("update-now").onclick = () => {
      worker.addEventListener("statechange", () => { if (worker.state === "activated") reload(); });
      worker.postMessage("activate");
    };
    document.getElementById("update-later").onclick = () => { bar.hidden = true; };
  };
  const watch = registration => {
    if (registration.waiting && registration.active) offer(registration.waiting);
    registration.addEventListener("updatefound", () => {
      const worker = registration.installing;
      worker.addEventListener("statechange", () => {
        if (worker.state === "installed" && registration.active) offer(worker);
      });
    });
    setInterval(() => registration.update().catch(() => {}), 3600e3);
  };
  // Another tab has changed to the new version: this one's later requests would get its files.
  workers.addEventListener("controllerchange", reload);
  addEventListener("load", () => {
    workers.register("/sw.js").then(watch).catch(() => {}); // private windows refuse; the page works without
  });
})();
