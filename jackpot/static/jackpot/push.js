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

  async function subscribe() {
    await navigator.serviceWorker.register(button.dataset.worker);
    const registration = await navigator.serviceWorker.getRegistration(button.dataset.worker);
    const subscription = await registration.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: bytes(button.dataset.push),
    });
    form.elements.url.value = subscription.endpoint;
    form.elements.public_key.value = text(subscription.getKey("p256dh"));
    form.elements.secret.value = text(subscription.getKey("auth"));
    form.submit();
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
