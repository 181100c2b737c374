// The jackpot display: values that count up, messages, posted terms, and the plain word when
// nothing has been heard for too long. A value on the screen is never above the true one.
(function () {
  "use strict";

  const STALE_MS = 15000;
  const READ_MS = 10000; // as the wire protocol asks of displays
  const UNSETTLED_MS = 3000; // the longest that a reading waits for values that count up
  const MOST_MESSAGES = 6;
  const CALM = window.matchMedia("(prefers-reduced-motion: reduce)");
  const ORDER = ["win", "reported", "not_confirmed", "promo"];
  const words = JSON.parse(document.getElementById("words").textContent);
  const NOTES = {
    open: "",
    reported: words.reported,
    held: words.reported,
    suspended: words.suspended,
    closed: words.suspended,
  };

  function fill(pattern, values) {
    return pattern.replace(/\{(\w+)\}/g, (_all, name) => values[name]);
  }

  const body = document.body;
  const digits = Number(body.dataset.digits);
  const tiers = document.getElementById("tiers");
  const tilesByTier = new Map(); // tier -> { element, figure, title, count }

  // --- values ----------------------------------------------------------------------------

  function write(tier) {
    tier.figure.textContent = JackpotStream.amount(tier.count.value, digits);
  }

  let isMoving = false;

  function step(now) {
    isMoving = false;
    for (const tier of tilesByTier.values()) {
      if (tier.count.isCounting) {
        tier.count.step(now);
        write(tier);
        isMoving = isMoving || tier.count.isCounting;
      }
    }
    if (isMoving) {
      JackpotCount.draw(step);
    }
  }

  // The largest size at which a tier's text fits, measured with the final figure in place, so
  // that nothing jumps while it counts up.
  function room(tier, text, figure, part) {
    const before = figure.textContent;
    figure.textContent = text;
    const line = figure.closest(".line");
    line.style.fontSize = ""; // what was set when there was no room says nothing any more
    const ink = figure.parentElement === line ? line.firstElementChild : figure;
    const width = figure.getBoundingClientRect().right - ink.getBoundingClientRect().left;
    const size = parseFloat(getComputedStyle(line).fontSize);
    figure.textContent = before;
    const { clientWidth, clientHeight } = tier.element;
    return Math.min(clientHeight * part, (size * clientWidth * 0.9) / Math.max(1, width));
  }

  // The lesser prizes share one size: none looks larger than a higher one for having fewer digits.
  function fit() {
    const all = [...tilesByTier.values()];
    const sizes = all.map((tier) => [
      room(tier, JackpotStream.amount(tier.count.target, digits), tier.figure, 0.5),
      room(tier, tier.title.textContent, tier.title, 0.17),
    ]);
    const least = [0, 1].map((at) => Math.min(...sizes.map((size) => size[at])));
    all.forEach((tier, place) => {
      const [value, name] = place ? least : sizes[0];
      tier.element.querySelector(".value").style.fontSize = `${Math.floor(value)}px`;
      tier.element.querySelector(".name").style.fontSize = `${Math.floor(name)}px`;
    });
  }

  function aim(tier, value) {
    const { count } = tier;
    if (value === count.target) {
      return;
    }
    if (value < count.target || CALM.matches || document.hidden) {
      count.set(value);
      write(tier);
      return;
    }
    count.aim(value, performance.now());
    if (!isMoving) {
      isMoving = true;
      JackpotCount.draw(step);
    }
  }

  function adopt(element, value) {
    const figure = element.querySelector(".figure");
    const title = element.querySelector(".name span");
    const tier = { element, figure, title, count: new JackpotCount(value) };
    tilesByTier.set(element.dataset.tier, tier);
    return tier;
  }

  function add(entry) {
    const piece = document.getElementById("tier").content.cloneNode(true);
    const element = piece.querySelector(".tier");
    element.dataset.tier = entry.tier;
    tiers.insertBefore(piece, document.getElementById("waiting"));
    const tier = adopt(element, entry.value);
    write(tier);
    return tier;
  }

  // A high hand: who leads, and how long its period still runs by the console's clock.
  function left(period) {
    const seconds = Math.max(0, Math.ceil((Date.parse(period.ends) - Date.now() - ahead) / 1000));
    const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    const tables = period.tables.length
      ? period.tables.reduce((first, second) => fill(words.and, { first, second }))
      : "";
    const best = period.best
      ? `${period.best[0].toUpperCase()}${period.best.slice(1)}, ${tables}`
      : words.no_high_hand;
    return fill(seconds ? words.left : words.over, { best, clock });
  }

  function tellPeriods() {
    for (const tier of tilesByTier.values()) {
      const parts = [tier.note, tier.period ? left(tier.period) : ""];
      tier.element.querySelector(".note").textContent = parts.filter(Boolean).join(" · ");
    }
  }

  let lastLayout = "";

  function showTiers(entries) {
    const codes = entries.map((entry) => entry.tier);
    if ([...tilesByTier.keys()].join(" ") !== codes.join(" ")) {
      tilesByTier.forEach((tier) => tier.element.remove());
      tilesByTier.clear();
    }
    for (const entry of entries) {
      const tier = tilesByTier.get(entry.tier) || add(entry);
      const note = entry.state in NOTES ? NOTES[entry.state] : entry.state.replace(/_/g, " ");
      tier.element.dataset.state = entry.state;
      tier.title.textContent = words.names[entry.tier] || entry.name;
      tier.note = note;
      tier.period = entry.period;
      aim(tier, entry.value);
    }
    tellPeriods();
    tiers.dataset.count = String(entries.length);
    tiers.toggleAttribute("data-many", entries.length > 5);
    document.getElementById("waiting").hidden = entries.length > 0;
    const layout = entries.map((entry) => `${entry.name} ${String(entry.value).length}`).join();
    if (layout !== lastLayout) {
      lastLayout = layout;
      fit();
    }
  }

  // --- messages --------------------------------------------------------------------------

  function weight(message) {
    const here = message.table === body.dataset.table ? 0 : 0.5;
    return ORDER.indexOf(message.kind) + here;
  }

  function line(kind, text) {
    const element = document.createElement("p");
    element.className = `message ${kind}`;
    element.textContent = text;
    return element;
  }

  let lastMessages = "";

  function showMessages(messages) {
    const signature = JSON.stringify(messages);
    if (signature === lastMessages) {
      return; // do not start an animation again
    }
    lastMessages = signature;
    const box = document.getElementById("messages");
    const ordered = messages.slice().sort((a, b) => weight(a) - weight(b));
    box.textContent = "";
    for (const message of ordered.slice(0, MOST_MESSAGES)) {
      const here = message.kind === "reported" && message.table === body.dataset.table;
      box.append(line(message.kind + (here ? " here" : ""), message.text));
    }
    if (ordered.length > MOST_MESSAGES) {
      box.append(line("promo", fill(words.more, { count: ordered.length - MOST_MESSAGES })));
    }
    box.toggleAttribute("data-many", ordered.length > 2);
    layNotices();
  }

  // --- posted terms, as many at a time as fit ----------------------------------------------

  const list = document.getElementById("notices");
  const notices = list ? [...list.children] : [];
  const page = document.getElementById("page");
  let pages = [];
  let at = 0;
  let turning;

  function turn() {
    notices.forEach((notice) => {
      notice.hidden = !pages[at].includes(notice);
    });
    page.textContent = `${at + 1} / ${pages.length}`;
    list.scrollTop = 0;
    const letters = pages[at].reduce((sum, notice) => sum + notice.textContent.length, 0);
    at = (at + 1) % pages.length;
    turning = setTimeout(turn, 4000 + 55 * letters);
  }

  function layNotices() {
    if (!list) {
      return;
    }
    clearTimeout(turning);
    notices.forEach((notice) => {
      notice.hidden = true;
    });
    pages = [];
    let open = [];
    for (const notice of notices) {
      notice.hidden = false;
      if (open.length && list.scrollHeight > list.clientHeight) {
        open.forEach((earlier) => {
          earlier.hidden = true;
        });
        pages.push(open);
        open = [];
      }
      open.push(notice);
    }
    pages.push(open);
    list.classList.add("paged");
    page.hidden = pages.length < 2;
    at = 0;
    if (pages.length > 1) {
      turn();
    }
  }

  // --- what was heard, and when ------------------------------------------------------------

  let ahead = 0; // ms by which the console's clock is before this one's
  let heardAt = Date.now() - 1000 * Number(body.dataset.age || 0);
  let ever = "age" in body.dataset;

  function ago(ms) {
    const seconds = Math.round(ms / 1000);
    const [pattern, count] = seconds < 120 ? [words.seconds, seconds] : [words.minutes, Math.round(seconds / 60)];
    return fill(pattern, { count });
  }

  function isStale() {
    return Math.abs(Date.now() - heardAt) > STALE_MS;
  }

  function judge() {
    const silence = Math.abs(Date.now() - heardAt);
    const stale = isStale();
    body.classList.toggle("is-stale", stale);
    document.getElementById("stale").hidden = !stale;
    document.getElementById("no-data").hidden = ever;
    document.getElementById("last-update").hidden = !ever;
    if (ever) {
      document.getElementById("heard").textContent = ago(silence);
    }
  }

  function receive(display) {
    if (String(display.terms) !== body.dataset.terms) {
      location.reload(); // other terms are in force: their notices come with the page
      return;
    }
    heardAt = Date.now() - 1000 * display.age_s;
    ahead = Date.parse(display.at) - heardAt;
    ever = true;
    const testing = display.test || (display.test_tables || []).includes(body.dataset.table);
    document.getElementById("test").hidden = !testing;
    document.getElementById("state").hidden = display.state === "live";
    const out = (display.out_of_play || []).includes(body.dataset.table);
    document.getElementById("out-of-play").hidden = !out;
    showTiers(display.tiers);
    showMessages(display.messages);
    lastSeq = display.system_seq;
    judge();
  }

  // --- reading back (19.8) -------------------------------------------------------------------

  // A screen at the table has a name in its address and says what is drawn on it. A page that
  // nobody can see, or that is not current, reads nothing back: it is dark (19.7).
  let lastSeq = null;
  let readAt = -Infinity;

  function readBack() {
    const due = performance.now() - readAt - READ_MS;
    const tiles = [...tilesByTier.values()];
    const isSettled = !tiles.some((tier) => tier.count.isCounting);
    if (document.hidden || lastSeq === null || isStale() || due < 0) {
      return;
    }
    if (!isSettled && due < UNSETTLED_MS) {
      return;
    }
    readAt = performance.now();
    const reading = {
      v: 1,
      display: body.dataset.screen,
      at: new Date().toISOString(),
      terms: Number(body.dataset.terms),
      shown: tiles.map((tier) => ({ tier: tier.element.dataset.tier, value: tier.count.value })),
      system_seq: lastSeq,
    };
    fetch(body.dataset.reading, { method: "POST", body: JSON.stringify(reading) }).catch(() => {});
  }

  for (const element of tiers.querySelectorAll(".tier")) {
    adopt(element, Number(element.dataset.value));
  }
  layNotices();
  window.addEventListener("resize", layNotices);
  new ResizeObserver(fit).observe(tiers);
  setInterval(judge, 1000);
  setInterval(tellPeriods, 1000);
  new JackpotStream(body.dataset.stream, receive);
  if (body.dataset.screen) {
    setInterval(readBack, 250);
  }

  // A television that sleeps shows nothing (19.7): keep it awake where the browser can.
  function stayAwake() {
    if (navigator.wakeLock && !document.hidden) {
      navigator.wakeLock.request("screen").catch(() => {});
    }
  }
  stayAwake();
  document.addEventListener("visibilitychange", stayAwake);
})();
