// A line of server-sent events that comes back after every break.
// Whoever uses it gets each message, and may ask how old the newest one is.
(function () {
  "use strict";

  const FIRST_WAIT_MS = 1000;
  const LONGEST_WAIT_MS = 15000;
  const RELOAD_MS = 60000; // while two releases answer in turns, a page loads itself once a minute
  const SPREAD_MS = 5000; // not all displays of the house in the same moment
  const SILENCE_MS = 12000; // the server speaks every 5 s: longer silence is a dead line

  // A display stays open for months: after an update it takes the scripts of the release that
  // answers now. A page that people type into names no release, and is left alone.
  function renew(release) {
    const own = document.documentElement.dataset.release;
    const last = Number(sessionStorage.getItem("release-loaded")) || 0;
    if (!own || own === release || Math.abs(Date.now() - last) < RELOAD_MS) {
      return; // the stream is opened again by and by, and says so once more
    }
    sessionStorage.setItem("release-loaded", String(Date.now()));
    setTimeout(() => location.reload(), Math.random() * SPREAD_MS);
  }

  window.JackpotStream = class {
    constructor(address, onMessage, onRefused = () => {}) {
      this.address = address;
      this.onMessage = onMessage;
      this.onRefused = onRefused;
      this.wait = FIRST_WAIT_MS;
      this.heardAt = Date.now();
      this.others = new Map();
      this.open();
      setInterval(() => this.watch(), 1000);
      window.addEventListener("online", () => this.reopen());
    }

    // Another kind of event, from now on.
    on(kind, tell) {
      this.others.set(kind, tell);
      this.source.addEventListener(kind, tell);
    }

    open() {
      this.source = new EventSource(this.address);
      this.others.forEach((tell, kind) => this.source.addEventListener(kind, tell));
      this.source.addEventListener("display", (event) => {
        this.heardAt = Date.now();
        this.wait = FIRST_WAIT_MS;
        this.onMessage(JSON.parse(event.data));
      });
      this.source.addEventListener("release", (event) => renew(JSON.parse(event.data).release));
      this.source.addEventListener("activity", (event) => {
        document.dispatchEvent(new CustomEvent("console:activity", { detail: event.data }));
      });
      this.source.addEventListener("idle", () => {
        this.heardAt = Date.now();
      });
      // The browser's own way back gives up after an error page; ours does not.
      this.source.addEventListener("error", () => {
        if (this.source.readyState === EventSource.CLOSED) {
          this.ask();
        }
        this.retry();
      });
    }

    // The browser does not say why a stream was refused: the server does, to whoever asks.
    async ask() {
      const question = new AbortController();
      const answer = await fetch(this.address, { signal: question.signal }).catch(() => null);
      question.abort();
      if (answer && answer.status === 403) {
        this.onRefused();
      }
      if (answer && answer.status === 401) {
        document.dispatchEvent(new CustomEvent("console:locked"));
      }
    }

    retry() {
      this.source.close();
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.reopen(), this.wait);
      this.wait = Math.min(2 * this.wait, LONGEST_WAIT_MS);
    }

    reopen() {
      clearTimeout(this.timer);
      this.source.close();
      this.heardAt = Date.now();
      this.open();
    }

    watch() {
      if (this.source.readyState !== EventSource.CLOSED && Date.now() - this.heardAt > SILENCE_MS) {
        this.reopen();
      }
    }
  };

  window.JackpotStream.amount = function (minor, digits) {
    const scale = 10 ** digits;
    const { decimal = ".", thousand = "," } = document.documentElement.dataset;
    const units = Math.floor(minor / scale).toLocaleString("en-US").replaceAll(",", thousand);
    return digits ? `${units}${decimal}${String(minor % scale).padStart(digits, "0")}` : units;
  };
})();
