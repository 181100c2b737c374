// Before the page is painted: the theme and the card colours that this person chose on this device.
// Dark unless somebody chose light here: a pit is dim, whatever the tablet is set to.
(function () {
  "use strict";
  const light = document.getElementById("light");

  function stored(name) {
    try {
      return localStorage.getItem(name);
    } catch {
      return null; // storage is switched off
    }
  }

  function apply() {
    light.media = stored("theme") === "light" ? "all" : "print";
    document.documentElement.dataset.deck = stored("deck") || "two";
  }

  function toggle(name) {
    const next = name === "theme"
      ? (stored("theme") === "light" ? "dark" : "light")
      : (stored("deck") === "four" ? "two" : "four");
    try {
      localStorage.setItem(name, next);
    } catch {
      return;
    }
    apply();
  }

  apply();
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-preference]");
    if (button) {
      toggle(button.dataset.preference);
    }
  });
})();
