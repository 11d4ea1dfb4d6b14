// The page's Worker beside a simulator that it cannot always reach. A test says so: POST /lost takes how, "missing" for
// no binding, "rejects" for one that fails, "throws" for one that fails at once, "" for none of these.
import page from "../../worker/cmd/edge/local/page.mjs";

let how = "";

const lost = () => new Error("Network connection lost.");
const binding = {
  missing: () => undefined,
  rejects: () => ({ fetch: async () => { throw lost(); } }),
  throws: () => ({ fetch() { throw lost(); } }),
};

export default {
  async fetch(request, env, ctx) {
    switch (new URL(request.url).pathname) {
      case "/faults": return env.SIMULATOR.fetch(request);
      case "/lost": how = await request.text(); return new Response(null, { status: 204 });
    }
    return page.fetch(request, how ? { ...env, SIMULATOR: binding[how]() } : env, ctx);
  },
};
