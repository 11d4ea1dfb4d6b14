// The page without a network. The build fills in the three constants below and publishes this file beside the page, so
// that it serves all that lies below. What it names is found from there, wherever that is.
//
// A version is a set of files that belong together. It is taken up whole or not at all: every file is checked
// against its hash, so what is deployed in the meantime cannot mix in. It then serves all its pages until the
// reader asks for the next one; an old version is dropped when the next takes over, and open pages reload.
"use strict";
const version = "";
const files = {}; // address: integrity
const later = {}; // the same of files that are kept once they have been asked for
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

// Caches belong to the whole origin, where another lab may lie in another folder.
const root = new URL("./", worker.location.href).pathname;
const name = "hadarlab-" + version + " " + root;
/** @type {(other: string) => boolean} */ // of old they had no folder
const ours = other => other.startsWith("hadarlab-") && (other.endsWith(" " + root) || !other.includes(" "));
const page = "./";

worker.addEventListener("install", event => event.waitUntil((async () => {
  const cache = await caches.open(name);
  await Promise.all(Object.entries(files).map(async ([path, integrity]) => {
    // A server tells the page its address; ?built asks it for the page as it was built.
    const answer = await fetch(path === page ? path + "?built" : path,
      { integrity, cache: "no-cache", credentials: "omit", redirect: "error" });
    if (!answer.ok) throw new Error(path + ": status " + answer.status);
    await cache.put(path, answer);
  }));
})()));

worker.addEventListener("activate", event => event.waitUntil((async () => {
  for (const other of await caches.keys()) {
    if (ours(other) && other !== name) await caches.delete(other);
  }
})()));

worker.addEventListener("message", event => { if (event.data === "activate") worker.skipWaiting(); });

// held is the address under which this version holds what is asked for, "" = not at all. Stored scenarios,
// embeds and links whose # was escaped open in the page; a stored scenario's file and picture, what it changes of
// another, the interface and all else are the server's.
/** @type {(request: Request) => string} */
const held = request => {
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== worker.location.origin || !url.pathname.startsWith(root)) return "";
  const path = "./" + url.pathname.slice(root.length);
  if (request.mode === "navigate" && /^\.\/([se]\/[\w-]+(%(25)?23.*)?|[eo]\/?|%(25)?23.*)?$/.test(path)) return page;
  return path in files || path in later ? path : path + "/" in files ? path + "/" : "";
};

// The page names its files from where it lies; below a folder, as at s/, that is further up. An embed is the page, and
// other sites may show it. Both as the server does it.
/** @type {(answer: Response, address: string) => Promise<Response>} */
const placed = async (answer, address) => {
  const path = new URL(address).pathname.slice(root.length), up = "../".repeat(path.split("/").length - 1);
  const headers = new Headers(answer.headers), policy = "Content-Security-Policy";
  const ruled = headers.get(policy);
  if (/^e(\/|$)/.test(path) && ruled) headers.set(policy, ruled.replace("frame-ancestors 'none'", "frame-ancestors *"));
  else if (!up) return answer;
  return new Response((await answer.text()).replaceAll('="./', '="./' + up), { headers });
};

worker.addEventListener("fetch", event => {
  const path = held(event.request);
  if (path === "") return;
  event.respondWith((async () => {
    const cache = await caches.open(name);
    let answer = await cache.match(path, { ignoreVary: true });
    if (!answer && path in later) {
      const integrity = later[/** @type {keyof typeof later} */ (path)];
      answer = await fetch(path, { integrity, cache: "no-cache", credentials: "omit", redirect: "error" });
      if (answer.ok) await cache.put(path, answer.clone());
    }
    // What lies in a folder of a static site names its files from there.
    const folder = path !== page && path.endsWith("/");
    if (folder && !new URL(event.request.url).pathname.endsWith("/")) return Response.redirect(path);
    return !answer ? fetch(event.request) : path === page ? placed(answer, event.request.url) : answer;
  })());
});
