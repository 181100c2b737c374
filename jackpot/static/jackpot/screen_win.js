// A win fills the screen, one after the other, each for as long as the first; then it is a line in the
// strip, which shows one line at a time in its full size. What came later makes nothing smaller.
(function () {
  "use strict";

  const FULL_MS = 20000;
  const FRESH_MS = 90000; // a win that was decided earlier than that is a line at once
  const LINE_MS = 6000;
  const { make, amount, words } = window.ScreenLayouts;
  const full = document.getElementById("win");
  const strip = document.getElementById("strip");
  const announcements = new Set(JSON.parse(sessionStorage.getItem("wins") || "[]"));
  const queue = [];
  let lines = [];
  let current = null; // { item, until }
  let place = 0;
  let turnAt = 0;

  function keyOf(item) {
    return `${item.system}/${item.hit}`;
  }

  function take(state, now) {
    const items = state.content.systems.flatMap((system) => system.news);
    for (const item of items) {
      const key = keyOf(item);
      if (item.kind === "win" && !announcements.has(key)) {
        announcements.add(key);
        if (now - Date.parse(item.at) < FRESH_MS) {
          queue.push(item);
        }
      }
    }
    sessionStorage.setItem("wins", JSON.stringify([...announcements].slice(-50)));
    lines = items;
  }

  function textOf(state, item) {
    const won = amount(state, item.amount);
    const prize = item.prize || words.jackpot;
    const parts = { win: [prize, won, words.won], reported: [prize, won, words.verified] };
    return (parts[item.kind] || [prize, words.not_confirmed]).concat(item.table).join(" · ");
  }

  function draw(state, item) {
    const set = (name, text) => {
      document.getElementById(name).textContent = text;
    };
    set("win-prize", item.prize || words.jackpot);
    set("win-amount", amount(state, item.amount));
    set("win-hand", item.hand || "");
    set("win-table", item.table);
    const cards = (item.cards || []).map((card) => {
      const suit = { s: "♠", h: "♥", d: "♦", c: "♣" }[card[1]];
      const face = make("span", `card ${card[1]}`, card[0] === "T" ? "10" : card[0]);
      face.append(make("span", "suit", suit));
      return face;
    });
    document.getElementById("win-cards").replaceChildren(...cards);
  }

  function chime() {
    try {
      const audio = new AudioContext();
      [523.25, 659.25, 783.99, 1046.5].forEach((pitch, step) => {
        const tone = audio.createOscillator();
        const level = audio.createGain();
        const at = audio.currentTime + 0.18 * step;
        tone.frequency.value = pitch;
        level.gain.setValueAtTime(0.25, at);
        level.gain.exponentialRampToValueAtTime(0.001, at + 1.2);
        tone.connect(level).connect(audio.destination);
        tone.start(at);
        tone.stop(at + 1.2);
      });
    } catch {
      // a browser without sound, or one that wants to be touched first
    }
  }

  // Each second, and whenever something was heard; says which win fills the screen.
  function step(state, now) {
    if (current && now >= current.until) {
      current = null;
    }
    if (!current && queue.length && !state.isStale) {
      const item = queue.shift();
      current = { item, until: now + FULL_MS };
      draw(state, item);
      if (state.content.sound) {
        chime();
      }
    }
    full.hidden = !current || state.isStale;
    const waiting = lines.filter((item) => !queue.includes(item) && !(current && keyOf(current.item) === keyOf(item)));
    strip.hidden = state.isStale || waiting.length === 0;
    if (waiting.length) {
      if (now - turnAt >= LINE_MS || place >= waiting.length) {
        place = (place + 1) % waiting.length;
        turnAt = now;
      }
      const item = waiting[place];
      const text = textOf(state, item);
      if (strip.dataset.text !== text) {
        strip.dataset.text = text;
        strip.dataset.kind = item.kind;
        strip.replaceChildren(make("span", "strip-text", text));
        strip.append(make("span", "strip-count", waiting.length > 1 ? `${place + 1} / ${waiting.length}` : ""));
      }
    }
    return current && !full.hidden ? [current.item.system, String(current.item.hit)] : [];
  }

  function freeze(state, win) {
    const items = state.content.systems.flatMap((system) => system.news);
    lines = items;
    const item = items.find((each) => each.system === win[0] && String(each.hit) === win[1]);
    if (item) {
      current = { item, until: Infinity };
      draw(state, item);
    }
  }

  window.ScreenWin = { take, step, freeze };
})();
