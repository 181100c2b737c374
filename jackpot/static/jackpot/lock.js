// The screen that locks: a page that nobody touches for as long as its role allows is covered and gives
// way to the locked one, and so is a page whose log-in was locked or changed elsewhere. The server
// judges by itself; this hides what stands on the screen meanwhile.
(function () {
  "use strict";

  const PERSON = "jackpot-person";
  const TOUCHED = "jackpot-touched";
  const TELL_MS = 30000;
  const { user, idleS, awake } = document.body.dataset;

  function keep(name, value) {
    try {
      localStorage.setItem(name, value);
    } catch {
      // No storage: then each tab is by itself, and the server judges.
    }
  }

  function kept(name) {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  }

  // Whether this page was loaded by the one before it, with nobody there (live.js).
  function cameByItself() {
    try {
      const said = sessionStorage.getItem("jackpot-by-itself");
      sessionStorage.removeItem("jackpot-by-itself");
      return said !== null;
    } catch {
      return false;
    }
  }

  const isByItself = cameByItself();
  // Other tabs of this browser learn who is here now: nobody, on the locked page.
  keep(PERSON, user || "");
  if (!user) {
    return;
  }

  const cover = () => (document.documentElement.dataset.covered = "");
  const uncover = () => delete document.documentElement.dataset.covered;
  const form = document.querySelector("form[data-lock]");
  let toldAt = Date.now();
  let touchedAt = isByItself ? Number(kept(TOUCHED)) || Date.now() : Date.now();

  function again() {
    cover();
    location.reload();
  }

  function lock() {
    cover();
    if (form) {
      form.requestSubmit();
    } else {
      location.reload();
    }
  }

  function touchedLast() {
    return Math.max(touchedAt, Number(kept(TOUCHED)) || 0);
  }

  async function tell() {
    toldAt = Date.now();
    const token = document.querySelector("input[name=csrfmiddlewaretoken]");
    if (!token) {
      return null;
    }
    return fetch(awake, {
      method: "POST",
      headers: { "X-CSRFToken": token.value },
    }).catch(() => null);
  }

  async function check() {
    const answer = await tell();
    if (answer && answer.status === 204) {
      uncover();
    } else {
      again();
    }
  }

  async function touch() {
    touchedAt = Date.now();
    if (touchedAt - toldAt > TELL_MS) {
      keep(TOUCHED, String(touchedAt));
      const answer = await tell();
      if (answer && answer.status !== 204) {
        again();
      }
    }
  }

  function judge() {
    if (Number(idleS) && Date.now() - touchedLast() > 1000 * Number(idleS)) {
      lock();
    }
  }

  keep(TOUCHED, String(touchedAt));
  for (const event of ["pointerdown", "keydown", "wheel", "touchstart"]) {
    document.addEventListener(event, touch, { passive: true });
  }
  document.addEventListener("keydown", (event) => {
    if (event.altKey && !event.ctrlKey && event.code === "KeyL") {
      event.preventDefault();
      lock();
    }
  });
  document.addEventListener("console:locked", again);
  document.addEventListener("visibilitychange", judge);
  window.addEventListener("storage", (event) => {
    if (event.key === PERSON && event.newValue !== user) {
      again();
    }
  });
  // The way back shows a page as it was left: covered, until the server says that it is still open.
  window.addEventListener("pagehide", () => {
    keep(TOUCHED, String(touchedLast()));
    cover();
  });
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) {
      keep(PERSON, user);
      check();
    }
  });
  setInterval(judge, 1000);
})();
