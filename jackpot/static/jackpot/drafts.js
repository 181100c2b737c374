// What was typed when the log-in ended: kept in this tab, offered again to the same person.
// Nothing that is secret or a file is kept, and nothing once the server has taken it.
(function () {
  "use strict";

  const NAME = "jackpot-draft";
  const NEVER = ["password", "file", "hidden", "submit", "button", "image", "reset"];
  const user = document.body.dataset.user;

  function fields(form) {
    return [...form.elements].filter((field) => field.name && !NEVER.includes(field.type));
  }

  function place(form) {
    return [...document.forms].indexOf(form);
  }

  function load() {
    try {
      return JSON.parse(sessionStorage.getItem(NAME));
    } catch {
      return null;
    }
  }

  if (!user) {
    // The page of the log-in: what was sent last did not arrive.
    const draft = load();
    if (draft && document.querySelector("[data-log-in]")) {
      sessionStorage.setItem(NAME, JSON.stringify({ ...draft, refused: true }));
    }
    return;
  }

  const isTyped = (field) =>
    field.matches("input, textarea") &&
    (field.value !== field.defaultValue || field.checked !== field.defaultChecked);

  document.addEventListener("submit", (event) => {
    // Where the screen is locked, what was typed somewhere and never sent.
    const isLock = "lock" in event.target.dataset;
    const form = isLock ? [...document.forms].find((each) => fields(each).some(isTyped)) : event.target;
    if (!form || form.method !== "post" || event.defaultPrevented) {
      return;
    }
    const values = fields(form).map((field) =>
      field.type === "checkbox" || field.type === "radio"
        ? [field.name, field.value, field.checked]
        : [field.name, field.value],
    );
    const draft = { user, page: location.pathname, place: place(form), action: form.action, values };
    try {
      sessionStorage.setItem(NAME, JSON.stringify(draft));
    } catch {
      // No room: then it is as without this file.
    }
  });

  const draft = load();
  if (!draft || !draft.refused || draft.user !== user) {
    sessionStorage.removeItem(NAME);
    return;
  }
  if (draft.page !== location.pathname) {
    return; // it waits until its page is opened again
  }
  sessionStorage.removeItem(NAME);
  const form = document.forms[draft.place];
  if (!form || form.action !== draft.action) {
    return;
  }
  for (const [name, value, checked] of draft.values) {
    for (const field of fields(form).filter((each) => each.name === name)) {
      if (checked === undefined) {
        field.value = value;
      } else if (field.value === value) {
        field.checked = checked;
      }
      field.dispatchEvent(new Event("input", { bubbles: true }));
      field.dispatchEvent(new Event("change", { bubbles: true }));
    }
  }
  for (const fold of form.querySelectorAll("details")) {
    fold.open ||= fields(form).some((field) => fold.contains(field) && isTyped(field));
  }
  for (let outer = form.parentElement; outer; outer = outer.parentElement) {
    if (outer.tagName === "DETAILS") {
      outer.open = true;
    }
    if (outer.tagName === "DIALOG") {
      outer.showModal();
    }
  }
  const notice = document.querySelector("[data-draft]");
  notice.hidden = false;
  (fields(form)[0] || form).focus();
})();
