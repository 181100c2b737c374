// Before the page is painted: theme, card colours and sound that this person chose, for every device
// on the account's page, or on this device.
// Dark unless somebody chose light here: a pit is dim, whatever the tablet is set to.
(function () {
  "use strict";
  const light = document.getElementById("light");

  const MEDIA = { light: "all", system: "print, (prefers-color-scheme: light)" };

  function load(name) {
    try {
      return localStorage.getItem(name);
    } catch {
      return null; // storage is switched off
    }
  }

  function apply() {
    // What the person chose for every device goes before what was chosen on this one.
    const theme = document.documentElement.dataset.theme || load("theme");
    light.media = MEDIA[theme] || "print";
    document.documentElement.dataset.deck = load("deck") || "two";
    document.documentElement.dataset.sound = load("sound") || "on";
    for (const button of document.querySelectorAll('[data-preference="sound"]')) {
      button.setAttribute("aria-pressed", String(load("sound") !== "off"));
    }
  }

  const CHOICES = { theme: ["dark", "light"], deck: ["two", "four"], sound: ["on", "off"] };

  function toggle(name) {
    const [first, second] = CHOICES[name];
    const next = load(name) === second ? first : second;
    try {
      localStorage.setItem(name, next);
    } catch {
      return;
    }
    apply();
  }

  apply();
  document.addEventListener("DOMContentLoaded", apply);
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-preference]");
    if (button) {
      toggle(button.dataset.preference);
    }
  });
})();
