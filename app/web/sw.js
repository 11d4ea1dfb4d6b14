// The page without a network. The build fills in the two constants below and publishes this file as /sw.js.
//
// A version is a set of files that belong together. It is taken up whole or not at all: every file is checked
// against its hash, so what is deployed in the meantime cannot mix in. It then serves all its pages until the
// reader asks for the next one; an old version is dropped when the next takes over, and open pages reload.
"use strict";
const version = "";
const files = {}; // address: integrity

const name = "hadarlab-" + version;
const page = "/";

self.addEventListener("install", event => event.waitUntil((async () => {
  const cache = await caches.open(name);
  await Promise.all(Object.entries(files).map(async ([path, integrity]) => {
    const answer = await fetch(path, { integrity, cache: "no-cache", credentials: "omit", redirect: "error" });
    if (!answer.ok) throw new Error(path + ": status " + answer.status);
    await cache.put(path, answer);
  }));
})()));

self.addEventListener("activate", event => event.waitUntil((async () => {
  for (const other of await caches.keys()) {
    if (other.startsWith("hadarlab-") && other !== name) await caches.delete(other);
  }
})()));

self.addEventListener("message", event => { if (event.data === "activate") self.skipWaiting(); });

// held is the address under which this version holds what is asked for, "" = not at all. Stored scenarios,
// embeds and links whose # was escaped open in the page; a stored scenario's file and picture, what it changes of
// another, the interface and all else are the server's.
const held = request => {
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return "";
  if (request.mode === "navigate" && /^\/([se]\/[\w-]+(%(25)?23.*)?|[eo]|%(25)?23.*)?$/.test(url.pathname)) return page;
  return url.pathname in files ? url.pathname : "";
};

// An embed is the page, and other sites may show it, as the server says too.
const embed = /^https?:\/\/[^/]+\/e([/?#]|$)/;
const framed = answer => {
  const headers = new Headers(answer.headers), policy = "Content-Security-Policy";
  headers.set(policy, headers.get(policy).replace("frame-ancestors 'none'", "frame-ancestors *"));
  return new Response(answer.body, { headers });
};

self.addEventListener("fetch", event => {
  const path = held(event.request);
  if (path === "") return;
  event.respondWith((async () => {
    const cache = await caches.open(name);
    const answer = await cache.match(path, { ignoreVary: true });
    return !answer ? fetch(event.request) : embed.test(event.request.url) ? framed(answer) : answer;
  })());
});
