// The screen that locks: a page that nobody touches for as long as its role allows is covered and gives
// way to the locked one, and so is a page whose log-in was locked or changed elsewhere. The server
// judges by itself; this hides what stands on the screen meanwhile.
(function () {
  "use strict";

  const PERSON = "jackpot-person";
  const TOUCHED = "jackpot-touched";
  const TELL_MS = 30000;
  const FIRST_WAIT_MS = 5000;
  const LONGEST_WAIT_MS = 60000;
  const { user, idleS, awake } = document.body.dataset;

  function keep(name, value) {
    try {
      localStorage.setItem(name, value);
    } catch {
      // No storage: then each tab is by itself, and the server judges.
    }
  }

  function load(name) {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  }

  // Whether this page was loaded by the one before it, with nobody there (live.js).
  function cameByItself() {
    try {
      const mark = sessionStorage.getItem("jackpot-by-itself");
      sessionStorage.removeItem("jackpot-by-itself");
      return mark !== null;
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

  const form = document.querySelector("form[data-lock]");
  let reportAt = Date.now();
  let touchedAt = isByItself ? Number(load(TOUCHED)) || Date.now() : Date.now();

  let way = null; // by which a covered page gives way to another one
  let takenAt = 0;
  let wait = FIRST_WAIT_MS;

  function cover(next) {
    document.documentElement.dataset.covered = "";
    way = next;
    takenAt = Date.now();
  }

  function uncover() {
    delete document.documentElement.dataset.covered;
    way = null;
    wait = FIRST_WAIT_MS;
  }

  function reload() {
    location.reload();
  }

  function send() {
    delete form.dataset.sent;
    form.requestSubmit();
  }

  function again() {
    cover(reload);
    reload();
  }

  function lock() {
    cover(form ? send : reload);
    way();
  }

  // A way that was broken off, by a key or by the network, is taken again: nobody is left before a
  // covered page.
  function watch() {
    if (way && Date.now() - takenAt > wait) {
      wait = Math.min(2 * wait, LONGEST_WAIT_MS);
      takenAt = Date.now();
      way();
    }
  }

  function touchedLast() {
    return Math.max(touchedAt, Number(load(TOUCHED)) || 0);
  }

  async function tell() {
    reportAt = Date.now();
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
    if (touchedAt - reportAt > TELL_MS) {
      keep(TOUCHED, String(touchedAt));
      const answer = await tell();
      // A server that cannot answer now says nothing about the log-in.
      if (answer && answer.status !== 204 && answer.status < 500) {
        again();
      }
    }
  }

  function judge() {
    if (!way && Number(idleS) && Date.now() - touchedLast() > 1000 * Number(idleS)) {
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
    cover(reload);
  });
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) {
      keep(PERSON, user);
      takenAt = Date.now();
      check();
    }
  });
  setInterval(() => {
    judge();
    watch();
  }, 1000);
})();
