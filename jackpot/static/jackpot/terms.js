// Drafting terms: the notice and the difference follow while somebody types.
// Without this file the page works the same, by its button.
(function () {
  "use strict";

  const form = document.querySelector("[data-terms]");
  const follows = form.querySelector("[data-follows]");
  let timer;
  let newest = 0;

  async function show() {
    const mine = (newest += 1);
    const draft = new FormData(form);
    draft.set("preview", "fragment");
    draft.delete("file");
    draft.delete("document");
    const answer = await fetch(form.action, { method: "POST", body: draft }).catch(() => null);
    if (answer && answer.ok && !answer.redirected && mine === newest) {
      follows.innerHTML = await answer.text();
    }
  }

  for (const button of form.querySelectorAll("[data-without-script]")) {
    button.hidden = true;
  }

  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(show, 400);
  });
})();
