// Keeps the whole page in the browser, so that it opens without a line, too.

importScripts("parts.js");

const { version, bytes } = self.touchboardParts;
const CACHE = `touchboard-${version}`;

self.addEventListener("install", (event) => {
  const keep = async () => {
    const cache = await caches.open(CACHE);
    await cache.addAll(["./", "parts.js", ...Object.keys(bytes)]);
    await self.skipWaiting();
  };
  event.waitUntil(keep());
});

self.addEventListener("activate", (event) => {
  const forget = async () => {
    const names = await caches.keys();
    const old = names.filter((name) => name.startsWith("touchboard-") && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(forget());
});

self.addEventListener("fetch", (event) => {
  const address = new URL(event.request.url);
  if (event.request.method !== "GET" || address.origin !== location.origin) {
    return;
  }
  const answer = async () => {
    const cache = await caches.open(CACHE);
    // Chapters of the book are kept once they were read.
    if (address.pathname.includes("/book/")) {
      try {
        const response = await fetch(event.request);
        if (response.ok) {
          await cache.put(event.request, response.clone());
        }
        return response;
      } catch {
        return await cache.match(event.request, { ignoreSearch: true }) ?? Response.error();
      }
    }
    const kept = await cache.match(event.request, { ignoreSearch: true });
    return kept ?? fetch(event.request);
  };
  event.respondWith(answer());
});
