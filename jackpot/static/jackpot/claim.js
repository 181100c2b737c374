// The claim: quick keys for the checklist, and whether it has changed.
// Without this file every page works the same, by its buttons.
(function () {
  "use strict";

  // --- checklist: Y, N and A answer the point that is in focus ---------------------------
  // A point that claims a thing goes on to its fields, or to where the thing is added; Enter in
  // a field goes on as well, and what is typed there answers "yes".

  const KEYS = { y: "yes", n: "no", a: "na" };

  document.addEventListener("keydown", (event) => {
    const row = event.target.closest(".checklist > li");
    const answer = KEYS[event.key.toLowerCase()];
    if (!row || !answer || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (event.target.type !== "radio") {
      return;
    }
    event.preventDefault();
    if (answer === "yes" && "lacks" in row.dataset) {
      row.querySelector("a.tap").focus();
      return;
    }
    row.querySelector(`input[value="${answer}"]`).checked = true;
    goOn(row, answer);
  });

  function goOn(row, answer) {
    const fields = [...row.querySelectorAll(answer === "yes" ? ".check-thing input" : ".check-note input")];
    const empty = fields.find((field) => !field.value);
    const next = row.nextElementSibling;
    if (empty) {
      empty.focus();
    } else if (next) {
      (next.querySelector("input:checked") || next.querySelector("input[type=radio]")).focus();
    }
  }

  document.addEventListener("keydown", (event) => {
    const row = event.target.closest(".checklist > li");
    if (!row || event.key !== "Enter" || event.target.type !== "text") {
      return;
    }
    event.preventDefault();
    const choice = row.querySelector("input[type=radio]:checked");
    if (choice && event.target.value) {
      goOn(row, choice.value);
    }
  });

  document.addEventListener("input", (event) => {
    const row = event.target.closest(".checklist > li");
    if (row && event.target.value && event.target.closest(".check-thing")) {
      row.querySelector('input[value="yes"]').checked = true;
    }
  });

  // --- a claim that has changed since the page was opened --------------------------------

  const banner = document.querySelector("[data-changed]");

  async function look() {
    if (document.hidden || !banner.hidden) {
      return;
    }
    const answer = await fetch(banner.dataset.changed).catch(() => null);
    if (answer && answer.ok && !answer.redirected) {
      banner.hidden = (await answer.text()) === banner.dataset.version;
    }
  }

  if (banner) {
    setInterval(look, 4000);
    document.addEventListener("visibilitychange", look);
  }
})();
