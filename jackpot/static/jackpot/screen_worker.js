// Keeps what a screen needs to draw itself while nobody answers. Asks the console first, but for
// pictures and films, which never change; what comes from here says when it was kept, so that the page
// can say since when it is not current.
"use strict";

const CACHE = "screen-1";
const PATIENCE_MS = 8000;
const PICTURE = /\/picture\/([\w-]+)$/; // a film's address is as a picture's

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

// A picture by its digest: what is kept is right. Patience is for its first byte alone, as a film of
// many megabytes comes for longer; it goes to the page while it is kept.
async function picture(event) {
  const { request } = event;
  const cache = await caches.open(CACHE);
  const copy = await cache.match(request);
  if (copy) {
    return copy;
  }
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE_MS);
  const answer = await fetch(request, { signal: patience.signal }).finally(() => clearTimeout(timer));
  if (answer.ok) {
    event.waitUntil(cache.put(request, answer.clone()).catch(() => {}));
  }
  return answer;
}

// Of the pictures those that the newest content names: the others would fill the screen's memory.
async function keepNamed(cache, content) {
  for (const entry of await cache.keys()) {
    const match = PICTURE.exec(entry.url);
    if (match && !content.includes(match[1])) {
      await cache.delete(entry);
    }
  }
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
      const blob = await copy.blob();
      await cache.put(request, stamp(copy, blob));
      if (request.url.endsWith("/content")) {
        await keepNamed(cache, await blob.text());
      }
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
    event.respondWith(PICTURE.test(request.url) ? picture(event) : ask(request));
  }
});
