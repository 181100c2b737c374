// Shows what was pushed, and opens its page. It reads and keeps nothing else.
"use strict";

self.addEventListener("push", (event) => {
  const message = event.data ? event.data.json() : {};
  event.waitUntil(
    self.registration.showNotification(message.title || "", {
      body: message.body,
      tag: message.tag,
      data: message.address,
    }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(self.clients.openWindow(event.notification.data || "/"));
});
