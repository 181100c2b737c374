// The claim: quick keys for the checklist, the sum of a payment.
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
      row.querySelector("a").focus();
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
    const given = row.querySelector("input[type=radio]:checked");
    if (given && event.target.value) {
      goOn(row, given.value);
    }
  });

  document.addEventListener("input", (event) => {
    const row = event.target.closest(".checklist > li");
    if (row && event.target.value && event.target.closest(".check-thing")) {
      row.querySelector('input[value="yes"]').checked = true;
    }
  });

  // --- a claim that has changed since the page was opened --------------------------------

  const changed = document.querySelector("[data-changed]");

  async function look() {
    if (document.hidden || !changed.hidden) {
      return;
    }
    const answer = await fetch(changed.dataset.changed).catch(() => null);
    if (answer && answer.ok && !answer.redirected) {
      changed.hidden = (await answer.text()) === changed.dataset.version;
    }
  }

  if (changed) {
    setInterval(look, 4000);
    document.addEventListener("visibilitychange", look);
  }

  // --- payment: the sum of the parts, exactly, in minor units ----------------------------

  function minor(text, digits) {
    const found = /^(\d{1,3}(?:,\d{3})+|\d{0,12})(?:\.(\d*))?$/.exec(text.trim());
    if (!found || (found[2] || "").replace(/0+$/, "").length > digits) {
      return null;
    }
    const decimals = (found[2] || "").slice(0, digits).padEnd(digits, "0");
    return BigInt((found[1] || "0").replaceAll(",", "") + decimals);
  }

  function written(amount, digits) {
    return JackpotStream.amount(Number(amount), digits);
  }

  for (const form of document.querySelectorAll("[data-pay]")) {
    const digits = Number(form.dataset.digits);
    const due = (BigInt(form.dataset.pay) * 10n ** BigInt(digits)) / 1000000n;
    const fields = [...form.querySelectorAll("[data-part]")];
    const sum = form.querySelector("[data-sum]");

    const add = () => {
      const parts = fields.map((field) => minor(field.value, digits));
      if (parts.includes(null)) {
        sum.className = "pay-sum wrong";
        sum.textContent = "An amount cannot be read.";
        return;
      }
      const given = parts.reduce((total, part) => total + part, 0n);
      const rest = due - given;
      sum.className = given > 0n && rest >= 0n ? "pay-sum right" : "pay-sum wrong";
      sum.textContent =
        rest === 0n
          ? "The parts come to the amount."
          : rest > 0n
            ? `${written(rest, digits)} stays due.`
            : `${written(-rest, digits)} too much.`;
    };

    for (const field of fields) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "button";
      button.textContent = "Rest";
      button.setAttribute("aria-label", `The rest in ${field.labels[0].firstChild.textContent.trim().toLowerCase()}`);
      button.addEventListener("click", () => {
        const others = fields
          .filter((other) => other !== field)
          .reduce((total, other) => total + (minor(other.value, digits) || 0n), 0n);
        field.value = others < due ? written(due - others, digits) : "";
        add();
      });
      const line = document.createElement("div");
      line.className = "field-rest";
      field.replaceWith(line);
      line.append(field, button);
      field.addEventListener("input", add);
    }
    add();
  }
})();
