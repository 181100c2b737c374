// The bell: its count is kept up to date, and it shows what is new without leaving the page.
(function () {
  "use strict";

  const list = document.getElementById("bell-list");

  document.addEventListener("console:unread", (event) => {
    for (const badge of document.querySelectorAll("[data-unread]")) {
      badge.textContent = event.detail;
      badge.hidden = !event.detail;
    }
  });

  async function show(bell) {
    const answer = await fetch(bell.dataset.bell).catch(() => null);
    if (!answer || !answer.ok || answer.redirected) {
      location.assign(bell.href);
      return;
    }
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    list.replaceChildren(...fresh.body.childNodes);
    list.showPopover();
  }

  for (const bell of list ? document.querySelectorAll("[data-bell]") : []) {
    bell.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) {
        return; // a tab of its own
      }
      event.preventDefault();
      show(bell);
    });
  }
})();
