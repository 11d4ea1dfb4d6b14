// Mends the proxy that the pinned wrangler puts before a local Worker. A request that meets a connection which the
// Worker's side is just closing fails. Then its address is compared with one without a path, so that a GET is put aside
// for a restart that nobody has begun, and never answered; with each later request it is sent again, for nothing. A
// wrangler that sends it again by itself needs Node 22 (cloudflare/workers-sdk, pull request 15252). Here a GET is sent
// again at once, three times at most; all else is answered with 503, as it was.
import { readFileSync, writeFileSync } from "node:fs";

const proxy = new URL("node_modules/wrangler/wrangler-dist/ProxyWorker.js", import.meta.url);
const text = readFileSync(proxy, "utf8");
const mended = "(request.tries = (request.tries ?? 0) + 1) <= 3";
if (!text.includes(mended)) {
  const from = text.indexOf("if (userWorkerUrl.href === newUserWorkerUrl?.href) {");
  const to = text.indexOf("} else {", from);
  if (from < 0 || !text.slice(from, to).includes("this.requestRetryQueue.set(request, deferredResponse)")) {
    throw new Error("wrangler's proxy is not the one that this mends: look whether it loses requests still");
  }
  writeFileSync(proxy, text.slice(0, from) + `if ((request.method === "GET" || request.method === "HEAD") && ${mended}) {
          this.requestRetryQueue.set(request, deferredResponse);
          this.processQueue();
        ` + text.slice(to));
}
