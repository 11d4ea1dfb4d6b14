// The manual's theme: what was chosen in the lab, before what the system prefers.
"use strict";
(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const paint = () => {
    let chosen = null;
    try { chosen = localStorage.getItem("theme"); } catch { /* the system's, then */ }
    document.documentElement.dataset.theme = chosen || (system.matches ? "dark" : "light");
  };
  paint();
  system.addEventListener("change", paint);
})();
// On paper nothing can be unfolded.
addEventListener("beforeprint", () => {
  for (const fold of document.querySelectorAll("details:not([open])")) {
    fold.setAttribute("open", "");
    addEventListener("afterprint", () => fold.removeAttribute("open"), { once: true });
  }
});
