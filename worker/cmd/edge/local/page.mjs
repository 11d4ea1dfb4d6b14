// The page's Worker on this machine, where nothing plays Cloudflare's clock: who asks for /__scheduled is it.
import page from "../../../../build/edge/page/worker.mjs";

export default {
  fetch: (request, env, ctx) =>
    new URL(request.url).pathname === "/__scheduled" ? env.SIMULATOR.fetch(request) : page.fetch(request, env, ctx),
};
