// Ten seconds of every two minutes the display shows a code that leads to the meter in public: of
// one prize at a time, beside the values, never while a hand is reported or won. By the clock, so
// that all displays of a room show it together.
(function () {
  "use strict";

  const EVERY_MS = 120000;
  const FOR_MS = 10000;

  const codes = [...document.querySelectorAll(".meter-code")];
  const messages = document.getElementById("messages");

  function isBusy() {
    const news = messages.querySelector(".win, .reported");
    return news !== null || document.body.classList.contains("is-stale");
  }

  function judge() {
    const now = Date.now();
    const turn = Math.floor(now / EVERY_MS) % codes.length;
    const isShown = now % EVERY_MS < FOR_MS && !isBusy();
    codes.forEach((code, place) => {
      code.hidden = !(isShown && place === turn);
    });
    document.body.classList.toggle("with-code", isShown);
  }

  new MutationObserver(judge).observe(messages, { childList: true });
  setInterval(judge, 250);
  judge();
})();
