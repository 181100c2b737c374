// Keeps what a screen needs to draw itself while nobody answers. Asks the console first, always; what
// comes from here says when it was kept, so that the page can say since when it is not current.
"use strict";

const CACHE = "screen-1";
const PATIENCE_MS = 8000;

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => {
  event.waitUntil(self.clients.claim().then(keepPage));
});

// The page that was loaded before there was a worker, with its files.
async function keepPage() {
  const cache = await caches.open(CACHE);
  const page = await fetch("./");
  const text = await page.clone().text();
  const files = [...text.matchAll(/(?:src|href)="([^"]+\.(?:js|css|svg))"/g)].map((match) => match[1]);
  await cache.put("./", stamp(page, await page.clone().blob()));
  await Promise.all(files.map((file) => cache.add(file).catch(() => {})));
  const content = await fetch("content");
  if (content.ok) {
    await cache.put("content", stamp(content, await content.clone().blob()));
  }
}

function stamp(answer, blob) {
  const headers = new Headers(answer.headers);
  headers.set("X-Kept-At", String(Date.now()));
  return new Response(blob, { status: answer.status, headers });
}

async function ask(request) {
  const cache = await caches.open(CACHE);
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE_MS);
  try {
    const answer = await fetch(request, { signal: patience.signal });
    if (answer.status >= 500) {
      throw new Error(String(answer.status));
    }
    if (answer.ok) {
      const copy = answer.clone();
      await cache.put(request, stamp(copy, await copy.blob()));
    }
    return answer;
  } catch (fault) {
    const copy = await cache.match(request);
    if (copy) {
      return copy;
    }
    throw fault;
  } finally {
    clearTimeout(timer);
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const isStream = request.url.endsWith("/stream");
  if (request.method === "GET" && !isStream && new URL(request.url).origin === location.origin) {
    event.respondWith(ask(request));
  }
});
