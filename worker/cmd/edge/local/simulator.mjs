// The simulator on this machine; see page.mjs.
import simulator from "../../../../build/edge/simulator/worker.mjs";

export default {
  ...simulator,
  async fetch(request, env, ctx) {
    if (new URL(request.url).pathname !== "/__scheduled") return simulator.fetch(request, env, ctx);
    await simulator.scheduled({ cron: "* * * * *", scheduledTime: Date.now() }, env, ctx);
    return new Response("The clock has ticked.\n");
  },
};
