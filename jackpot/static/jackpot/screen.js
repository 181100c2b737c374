// A screen: it reads what to show and hears the values, draws its layouts in turn, says when it heard
// nothing, and tells the console what it draws. A value on it is never above the true one, and an old
// one never looks like a current one.
(function () {
  "use strict";

  const STALE_MS = 15000;
  const REPORT_MS = 10000;
  const CONTENT_MS = 300000;
  const KEEP_MS = 5000;
  const CALM = window.matchMedia("(prefers-reduced-motion: reduce)");
  const { draw, has, isOn, fit, fill, money, clock, words } = window.ScreenLayouts;
  const body = document.body;
  const frozen = JSON.parse((document.getElementById("frozen") || { textContent: "null" }).textContent);
  const view = document.getElementById("view");
  const state = { content: null, values: {}, isStale: false, slide: null };
  let spoken = []; // the content in each of its languages, which are shown in turn
  const heard = new Map(); // system -> when its values were true, by this clock
  const counting = new Map(); // system/tier -> its count
  let layout = "";
  let layoutUntil = 0;
  let slideUntil = 0;
  let lineUntil = 0;
  let linePlace = 0;
  let lastDrawn = "";
  let ahead = 0; // ms by which the console's clock is before this one's
  let win = [];

  const local = () => Date.now();
  const now = () => local() + ahead;

  // --- look --------------------------------------------------------------------------------

  function dress() {
    const { look, turn, casino, name, language, decimal, thousand } = state.content;
    Object.assign(words, state.content.words);
    Object.assign(document.documentElement.dataset, { decimal, thousand });
    document.documentElement.lang = language;
    for (const each of document.querySelectorAll("[data-word]")) {
      each.textContent = words[each.dataset.word];
    }
    const style = document.documentElement.style;
    style.setProperty("--background", look.background);
    style.setProperty("--text", look.text);
    style.setProperty("--accent", look.accent);
    style.setProperty("--font", window.ScreenFonts.familyOf(look, () => fit(view)));
    const logo = document.getElementById("logo");
    logo.hidden = !look.logo;
    if (look.logo && logo.getAttribute("src") !== look.logo) {
      logo.src = look.logo;
    }
    document.getElementById("casino").textContent = casino;
    document.getElementById("title").textContent = state.content.systems.length === 1 ? state.content.systems[0].name : "";
    body.dataset.turn = turn;
    document.title = name;
  }

  // --- values ------------------------------------------------------------------------------

  function hear(code, display, at) {
    const before = state.values[code];
    const values = { ...display, tiers: display.tiers.map((tier) => ({ ...tier })) };
    for (const tier of values.tiers) {
      const last = before && before.tiers.find((each) => each.tier === tier.tier);
      const key = `${code}/${tier.tier}`;
      const run = counting.get(key) || new JackpotCount(last ? last.value : tier.value);
      tier.target = tier.value;
      if (last && run.target <= tier.value && !CALM.matches && !document.hidden && !frozen) {
        if (run.target < tier.value) {
          run.aim(tier.value, performance.now());
          counting.set(key, run);
        }
        tier.value = run.value;
      } else {
        counting.delete(key);
      }
    }
    state.values[code] = values;
    heard.set(code, at);
    if (counting.size && !isMoving) {
      isMoving = true;
      JackpotCount.draw(count);
    }
  }

  let isMoving = false;

  function count(time) {
    for (const run of counting.values()) {
      run.step(time);
    }
    for (const [code, display] of Object.entries(state.values)) {
      for (const tier of display.tiers) {
        const key = `${code}/${tier.tier}`;
        const run = counting.get(key);
        if (run) {
          tier.value = run.value;
          for (const figure of view.querySelectorAll(`[data-key="${key}"] .figure`)) {
            figure.textContent = money(state, tier.value);
          }
        }
      }
    }
    for (const [key, run] of counting) {
      if (!run.isCounting) {
        counting.delete(key);
      }
    }
    isMoving = counting.size > 0;
    if (isMoving) {
      JackpotCount.draw(count);
    }
  }

  // Since when the oldest of what is shown is no longer vouched for; null: all of it is current.
  function staleSince() {
    if (frozen) {
      return frozen.stale;
    }
    const times = state.content ? state.content.systems.map((system) => heard.get(system.code) ?? null) : [];
    if (!times.length || times.includes(null)) {
      return state.content ? "" : null;
    }
    const oldest = Math.min(...times);
    return Math.abs(local() - oldest) > STALE_MS ? new Date(oldest).toISOString() : null;
  }

  function judge() {
    const since = staleSince();
    state.isStale = since !== null;
    state.since = since;
    body.classList.toggle("is-stale", state.isStale);
    document.getElementById("stale").hidden = !state.isStale;
    document.getElementById("since").textContent = since ? clock(state, since) : words.never;
    const tests = Object.values(state.values).some((display) => display.test);
    document.getElementById("test").hidden = !tests;
  }

  // --- what is drawn -----------------------------------------------------------------------

  function nextSlide(time) {
    const slides = state.content.slides.filter((each) => isOn(each, time));
    if (frozen) {
      return slides.find((each) => each.id === frozen.slide) || slides[0] || null;
    }
    if (!slides.length || (state.slide && local() < slideUntil && slides.some((each) => each.id === state.slide.id))) {
      return slides.length ? state.slide : null;
    }
    const at = state.slide ? slides.findIndex((each) => each.id > state.slide.id) : 0;
    const slide = slides[Math.max(at, 0)];
    slideUntil = local() + 1000 * slide.seconds;
    return slide;
  }

  function nextLayout(time) {
    const candidates = state.content.layouts.filter((each) => has(state, each, time));
    if (frozen) {
      return frozen.layout || candidates[0] || "main";
    }
    if (!candidates.length) {
      return "main";
    }
    if (candidates.includes(layout) && local() < layoutUntil) {
      return layout;
    }
    const place = state.content.layouts.indexOf(layout);
    const later = state.content.layouts.slice(place + 1).find((each) => candidates.includes(each));
    const chosen = later || candidates[0];
    const slides = state.content.slides.filter((each) => isOn(each, time));
    const slideSeconds = slides.reduce((sum, each) => sum + each.seconds, 0);
    const seconds = chosen === "slides" ? slideSeconds : state.content.seconds;
    layoutUntil = local() + 1000 * seconds;
    // Each round in one language: else two layouts would have one each for ever.
    if (layout && !later && spoken.length > 1) {
      speak(spoken[(spoken.indexOf(state.content) + 1) % spoken.length]);
    }
    return chosen;
  }

  function paint() {
    if (!state.content) {
      return;
    }
    const time = now();
    judge();
    layout = nextLayout(time);
    state.slide = layout === "slides" ? nextSlide(time) : state.slide;
    const pieces = draw[layout](state, time);
    const empty = document.createElement("p");
    empty.className = "none";
    empty.textContent = words.waiting;
    const box = document.createElement("div");
    box.append(...(pieces.length ? pieces : [empty]));
    // Values that count up write their own figures: without them it is the same picture.
    const picture = `${layout} ${box.innerHTML.replace(/(class="figure">)[^<]*/g, "$1")} ${figures()}`;
    if (picture !== lastDrawn) {
      lastDrawn = picture;
      view.dataset.layout = layout;
      view.dataset.count = String(pieces.length);
      window.ScreenFilms.place(view, box);
      fit(view);
    }
    win = window.ScreenWin.step(state, frozen ? time : local());
    tendFilms();
    paintLine(time);
    body.classList.toggle("with-strip", !document.getElementById("strip").hidden);
  }

  function tendFilms() {
    window.ScreenFilms.tend(view, Boolean(win.length || frozen || document.hidden || CALM.matches));
  }

  function figures() {
    return Object.values(state.values).flatMap((display) => display.tiers.map((tier) => String(tier.target).length)).join();
  }

  function paintLine(time) {
    // A line that names a value is left out while nobody knows the value.
    const lines = state.content.lines.filter((each) => isOn(each, time) && !(state.isStale && each.text.includes("{")));
    const place = document.getElementById("line");
    place.hidden = !lines.length;
    if (lines.length) {
      if (local() >= lineUntil) {
        linePlace = (linePlace + 1) % lines.length;
        lineUntil = local() + 1000 * lines[linePlace % lines.length].seconds;
      }
      place.textContent = fill(state, lines[linePlace % lines.length].text);
    }
  }

  // --- what is read ------------------------------------------------------------------------

  // The other language from here on; the slide that is up says the same in it.
  function speak(content) {
    state.content = content;
    const up = state.slide;
    state.slide = up && content.slides.find((each) => each.id === up.id);
    dress();
  }

  function take(content, at) {
    const language = state.content && state.content.language;
    spoken = [content, ...content.others];
    state.content = spoken.find((each) => each.language === language) || content;
    window.ScreenFilms.take(content.slides.map((each) => each.film).filter(Boolean), tendFilms);
    for (const system of content.systems) {
      if (system.display) {
        const age = Date.parse(content.now) - Date.parse(system.display.at);
        const then = at - age;
        if (then > (heard.get(system.code) ?? -Infinity)) {
          hear(system.code, system.display, then);
        }
      }
    }
    for (const code of Object.keys(state.values)) {
      if (!content.systems.some((system) => system.code === code)) {
        delete state.values[code];
        heard.delete(code);
      }
    }
    dress();
  }

  let reading = null;
  let readAgain = false;

  async function read() {
    if (reading) {
      readAgain = true;
      return reading;
    }
    reading = load().finally(() => {
      reading = null;
      if (readAgain) {
        readAgain = false;
        read();
      }
    });
    return reading;
  }

  async function load() {
    const answer = await fetch(body.dataset.content).catch(() => null);
    if (answer && answer.status === 410) {
      remove();
      return;
    }
    if (!answer || !answer.ok) {
      return;
    }
    const copyAt = Number(answer.headers.get("X-Kept-At")) || 0; // by this clock; 0: of now
    const content = await answer.json();
    if (!copyAt) {
      ahead = Date.parse(content.now) - local();
    }
    take(content, copyAt || local());
    window.ScreenWin.take(state, now());
    paint();
  }

  // Removed, or paired again: nothing of it stays here.
  async function remove() {
    localStorage.removeItem("screen");
    sessionStorage.clear();
    for (const name of "caches" in window ? await caches.keys() : []) {
      await caches.delete(name);
    }
    location.reload();
  }

  const lastNews = new Map();
  let keptAt = 0;

  function receive(display) {
    const at = local() - 1000 * display.age_s;
    ahead = Date.parse(display.at) - at;
    hear(display.system, display, at);
    const periods = display.tiers.map((tier) => tier.period);
    const news = JSON.stringify([display.messages, periods, display.terms]);
    if (lastNews.get(display.system) !== news) {
      lastNews.set(display.system, news);
      read();
    }
    if (local() - keptAt > KEEP_MS) {
      keptAt = local();
      localStorage.setItem("screen", JSON.stringify({ values: state.values, heard: [...heard] }));
    }
    paint();
  }

  // What was heard last before the page was loaded without a console: with its age.
  function recall() {
    const record = JSON.parse(localStorage.getItem("screen") || "null");
    for (const [code, at] of record ? record.heard : []) {
      const display = record.values[code];
      display.tiers.forEach((tier) => {
        tier.value = tier.target;
      });
      state.values[code] = display;
      heard.set(code, at);
    }
  }

  function report() {
    const keys = [...view.querySelectorAll("[data-key]")].map((element) => element.dataset.key);
    const tiers = window.ScreenLayouts.tiersOf(state).filter((tier) => keys.includes(`${tier.system.code}/${tier.tier}`));
    const status = {
      release: document.documentElement.dataset.release,
      version: state.content ? state.content.version : 0,
      layout,
      width: Math.round(window.innerWidth * window.devicePixelRatio),
      height: Math.round(window.innerHeight * window.devicePixelRatio),
      stale: state.isStale ? state.since : null,
      slide: layout === "slides" && state.slide ? state.slide.id : null,
      win,
      shown: tiers.slice(0, 64).map((tier) => ({ system: tier.system.code, tier: tier.tier, value: tier.value })),
    };
    fetch(body.dataset.report, { method: "POST", body: JSON.stringify(status) })
      .then((answer) => (answer.status === 410 ? remove() : null))
      .catch(() => {});
  }

  new ResizeObserver(() => fit(view)).observe(view);

  if (frozen) {
    take(frozen.content, local());
    for (const tier of frozen.shown) {
      const display = state.values[tier.system];
      const row = display && display.tiers.find((each) => each.tier === tier.tier);
      if (row) {
        row.value = row.target = tier.value;
      }
    }
    window.ScreenWin.freeze(state, frozen.win);
    paint();
    return;
  }

  recall();
  read();
  const stream = new JackpotStream(body.dataset.stream, receive);
  stream.on("content", read);
  stream.on("removed", remove);
  setInterval(paint, 1000);
  setInterval(read, CONTENT_MS);
  setInterval(report, REPORT_MS);
  setTimeout(report, 2000);
  if ("serviceWorker" in navigator) {
    navigator.serviceWorker.register(body.dataset.worker).catch(() => {});
  }

  function stayAwake() {
    if (navigator.wakeLock && !document.hidden) {
      navigator.wakeLock.request("screen").catch(() => {});
    }
  }
  stayAwake();
  document.addEventListener("visibilitychange", stayAwake);
})();
