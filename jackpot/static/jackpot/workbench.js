// The deck of a claim: how many cards are ticked off, while they are. Without this file the
// numbers follow when the count is saved.
(function () {
  "use strict";

  const phrases = document.currentScript.dataset; // in the language of the page

  const form = document.querySelector("[data-deck]");
  if (!form) {
    return;
  }

  function count() {
    for (const row of form.querySelectorAll(".deck-row")) {
      const counter = row.querySelector("[data-found]");
      if (counter) {
        counter.textContent = row.querySelectorAll(":checked").length;
      }
    }
    const left = form.querySelector("[data-left]");
    if (left) {
      const open = form.querySelectorAll("[name=card]:not(:checked)").length;
      left.textContent = open ? phrases.still.replace("{count}", open) : phrases.done;
    }
  }

  form.addEventListener("change", count);
  count();
})();
