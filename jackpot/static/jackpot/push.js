// Push to this device: the browser is asked, and what it answers is sent with the form.
(function () {
  "use strict";

  const form = document.getElementById("push-form");
  const button = form && form.querySelector("[data-push]");

  function bytes(text) {
    const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
  }

  function text(buffer) {
    const plain = btoa(String.fromCharCode(...new Uint8Array(buffer)));
    return plain.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  }

  // Resolves once the worker may take messages: a browser refuses a subscription before.
  function activeWorker(registration) {
    return new Promise((resolve, reject) => {
      const worker = registration.installing || registration.waiting || registration.active;
      const look = () => {
        if (worker.state === "activated") {
          resolve(worker);
        } else if (worker.state === "redundant") {
          reject(worker.state);
        }
      };
      worker.addEventListener("statechange", look);
      look();
    });
  }

  async function subscribe() {
    const registration = await navigator.serviceWorker.register(button.dataset.worker);
    await activeWorker(registration);
    const subscription = await registration.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: bytes(button.dataset.push),
    });
    form.elements.url.value = subscription.endpoint;
    form.elements.public_key.value = text(subscription.getKey("p256dh"));
    form.elements.secret.value = text(subscription.getKey("auth"));
    form.submit();
  }

  // iPads and iPhones push to what was put on the home screen alone, and offer nothing in the browser.
  const isOffered = "serviceWorker" in navigator && "PushManager" in window;
  if (form && !isOffered) {
    button.hidden = true;
    form.querySelector("[data-push-words]").textContent = button.dataset.install;
  }

  if (form) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      subscribe().catch(() => {
        form.querySelector("[data-push-words]").textContent = button.dataset.refused;
      });
    });
  }
})();
