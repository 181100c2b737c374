// Lists that are kept up to date: parts marked `data-live`, each with an id of its own.
// The stream says that something happened; the page then reads itself again and puts new parts in
// the place of the old ones; a page whose `data-live` is "page" waits for something and gives way
// to another one. What somebody is typing in, or has unfolded, is left as it is.
(function () {
  "use strict";

  // News are on the screen within a second: they are read at once, and what follows them, a claim
  // that opens behind its hand or a second alarm, as well. Who reads on and on does so once a
  // second, and less often where the console is slow to answer, so that fifty pages leave it time
  // for what people do.
  const AT_ONCE = 3;
  const EVERY_MS = 1000;
  const REST_TIMES = 2; // of what the last answer took
  const BUSY_MS = 2000; // after it had no place for this page, or could not answer
  const ALARM_LATER_MS = [3000, 10000]; // an alarm is shown at once; the rest of the page between these
  const JITTER_MS = 200; // not all pages of the house in the same moment
  const MOVES_MS = 2000;

  // How much is to be read again: nothing, the alarms alone, or all of it.
  const [NOTHING, ALARMS, PAGE] = [0, 1, 2];

  // What the page was made of: what the server had heard of before; nothing where it had no ear open.
  let heard = document.body.dataset.asOf ?? null;
  let due = NOTHING;
  let reading = false;
  let isBehind = false; // something happened while it read
  let pageLater = 0; // the timer of reading all of it behind an alarm
  const restUntil = [0, 0, 0]; // of each of them: a page that takes long does not hold up its alarms
  let waiting = 0; // the timer of the next read
  let spentUntil = 0; // each read takes up a second, of which so many may lie ahead
  const fragments = new Map(); // by the part's id: what the server sent for it

  // A page that answers a form may stand at an address that nothing can be read from.
  const isAnswer = "answer" in document.body.dataset;
  const parts = () => (isAnswer ? [] : [...document.querySelectorAll("body [data-live]")]);
  const alarms = () => document.querySelector("body [data-live-at]");
  const names = (root) => new Set([...root.querySelectorAll("[data-claim]")].map((row) => row.dataset.claim));

  function isInUse(part) {
    const active = document.activeElement;
    if (part.contains(active) && active.matches("input, select, textarea")) {
      return true;
    }
    if (part.querySelector("dialog[open], details[open] form, form[data-sent]")) {
      return true;
    }
    return [...part.querySelectorAll("input, textarea")].some(
      (field) => field.type !== "hidden" && (field.value !== field.defaultValue || field.checked !== field.defaultChecked),
    );
  }

  // The part itself may be what folds away.
  function folds(part) {
    return [...(part.matches("details") ? [part] : []), ...part.querySelectorAll("details")];
  }

  // The link or button that has the focus keeps it, by where it leads.
  function replace(part, fresh) {
    const active = part.contains(document.activeElement) ? document.activeElement : null;
    const open = folds(part).map((each) => each.open);
    const links = active && active.href ? `a[href="${CSS.escape(active.getAttribute("href"))}"]` : null;
    const nth = links ? [...part.querySelectorAll(links)].indexOf(active) : -1;
    part.replaceWith(fresh);
    if (open.length === folds(fresh).length) {
      folds(fresh).forEach((each, n) => (each.open = open[n]));
    }
    if (nth >= 0) {
      const again = [...fresh.querySelectorAll(links)];
      (again[nth] || again[0] || fresh).focus({ preventScroll: true });
    }
  }

  // lock.js of the page that comes: nobody touched this one.
  function byItself() {
    try {
      sessionStorage.setItem("jackpot-by-itself", "1");
    } catch {
      // No storage: then it counts as touched once.
    }
  }

  function put(answer, among) {
    const before = names(document);
    let left = false;
    for (const part of among) {
      const fresh = answer.getElementById(part.id);
      if (!fresh && part.dataset.live === "page") {
        if (document.querySelector("[popover]:popover-open, dialog[open]")) {
          left = true; // somebody is in the menu: once it is shut
          continue;
        }
        byItself();
        location.reload(); // what the page waited for is there
        return false;
      }
      if (!fresh || fresh.innerHTML === fragments.get(part.id)) {
        continue;
      }
      if (isInUse(part)) {
        left = true;
        continue;
      }
      fragments.set(part.id, fresh.innerHTML);
      replace(part, document.adoptNode(fresh));
    }
    for (const row of document.querySelectorAll("[data-claim]")) {
      if (!before.has(row.dataset.claim)) {
        row.classList.add("is-new");
      }
    }
    return left;
  }

  // --- the badges, and a sound when a claim was opened -------------------------------------

  const badges = () => [...document.querySelectorAll("[data-open-claims]")];
  const NOTES_HZ = [660, 880];
  const NOTE_S = 0.14;

  function sound() {
    if (document.documentElement.dataset.sound === "off") {
      return;
    }
    try {
      const audio = new AudioContext(); // silent until somebody has touched the page
      NOTES_HZ.forEach((pitch, n) => {
        const [tone, level] = [audio.createOscillator(), audio.createGain()];
        const from = audio.currentTime + n * NOTE_S;
        tone.frequency.value = pitch;
        level.gain.setValueAtTime(0.15, from);
        level.gain.exponentialRampToValueAtTime(0.001, from + NOTE_S);
        tone.connect(level).connect(audio.destination);
        tone.start(from);
        tone.stop(from + NOTE_S);
      });
      setTimeout(() => audio.close(), 2000 * NOTE_S * NOTES_HZ.length);
      document.dispatchEvent(new CustomEvent("console:sound"));
    } catch {
      // no sound on this device
    }
  }

  // What has no answer now may have one by and by; what is refused has none.
  const isBusy = (answer) => answer.status >= 500 || answer.status === 429;

  let countLater = 0; // the timer of the next count

  async function count() {
    const answer = await fetch(document.body.dataset.claimsCount).catch(() => null);
    if (!answer || isBusy(answer)) {
      countLater ||= setTimeout(() => {
        countLater = 0;
        count();
      }, BUSY_MS);
      return;
    }
    if (!answer.ok || answer.redirected) {
      return;
    }
    const counts = await answer.json();
    for (const badge of badges()) {
      badge.firstChild.textContent = counts.open_claims;
      badge.hidden = !counts.open_claims;
    }
    document.dispatchEvent(new CustomEvent("console:unread", { detail: counts.unread }));
    if (counts.claims_ever > Number(document.body.dataset.claimsEver)) {
      sound();
    }
    document.body.dataset.claimsEver = counts.claims_ever;
  }

  // --- reading the page again --------------------------------------------------------------

  async function read() {
    if (!due || reading || document.hidden || !parts().length) {
      return;
    }
    if (performance.now() < restUntil[due]) {
      soon();
      return;
    }
    const part = due === ALARMS ? alarms() : null;
    const all = due;
    due = NOTHING;
    isBehind = false;
    reading = true;
    const began = performance.now();
    spentUntil = Math.max(spentUntil, began) + EVERY_MS;
    try {
      const address = part ? part.dataset.liveAt : location.href;
      const answer = await fetch(address, { headers: { "X-Console-Refresh": "1" } });
      if (answer.ok && !answer.redirected) {
        const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
        if (put(fresh, part ? [part] : parts())) {
          due = Math.max(due, all);
        }
      } else if (isBusy(answer)) {
        due = Math.max(due, all);
        restUntil[ALARMS] = restUntil[PAGE] = performance.now() + BUSY_MS;
        isBehind = true;
      }
    } catch {
      due = Math.max(due, all); // the line broke: the stream comes back and says so
    } finally {
      reading = false;
      const now = performance.now();
      restUntil[all] = Math.max(restUntil[all], now + REST_TIMES * (now - began));
    }
    noteShown();
    if (isBehind) {
      soon();
    }
  }

  function soon() {
    if (waiting) {
      return;
    }
    const now = performance.now();
    const from = Math.max(spentUntil - (AT_ONCE - 1) * EVERY_MS, restUntil[due], now);
    waiting = setTimeout(() => {
      waiting = 0;
      read();
    }, from - now + Math.random() * JITTER_MS);
  }

  function want(much) {
    due = Math.max(due, much);
    isBehind = true;
    soon();
  }

  // For whoever drives the page: up to where it shows what happened.
  function noteShown() {
    if (!due && !reading) {
      document.body.dataset.activity = heard;
    }
  }

  document.addEventListener("console:activity", (event) => {
    // Of lists and all else, of alarms, of what people are notified of.
    const [before, now] = [heard ?? "", event.detail].map((text) => text.split("."));
    const [ofPage, ofAlarms, ofNotifications] = [0, 1, 2].map((at) => before[at] !== now[at]);
    heard = event.detail;
    // Where it is not known what the page was made of, something may have happened since.
    if (ofPage && parts().length) {
      want(PAGE);
    } else if (ofAlarms && alarms()) {
      want(ALARMS);
      const [least, most] = ALARM_LATER_MS;
      pageLater ||= setTimeout(() => {
        pageLater = 0;
        want(PAGE);
      }, least + Math.random() * (most - least - JITTER_MS)); // not all pages of the house at once
    }
    if (ofPage || ofNotifications) {
      count();
    }
    noteShown();
  });
  // A part that says `data-moves` changes without anything new in the house: a file that is being made.
  setInterval(() => {
    if (document.querySelector("[data-live] [data-moves]")) {
      due = PAGE;
      read();
    }
  }, MOVES_MS);
  document.addEventListener("visibilitychange", soon);
  document.addEventListener("focusout", () => setTimeout(soon, 0));
  document.addEventListener("toggle", soon, { capture: true });

  for (const part of parts()) {
    fragments.set(part.id, part.innerHTML);
  }
})();
