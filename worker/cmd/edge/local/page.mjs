// The page's Worker on this machine, where what plays Cloudflare knows one Worker that the outside reaches: the clock
// ticks at its /__scheduled, and is the simulator's.
import page from "../../../../build/edge/page/worker.mjs";

export default {
  fetch: page.fetch,
  scheduled: (event, env) => env.SIMULATOR.fetch("https://simulator/__scheduled"),
};
