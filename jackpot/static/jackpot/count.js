// A value that counts up. It is at each value 200 ms after that was heard, however many are heard
// meanwhile and however seldom the screen draws; and never above the newest one.
(function () {
  "use strict";

  const COUNT_MS = 200; // above the interval of values, so that it goes on without a stop
  const LEAST_MS = 25; // between two pictures: every second one of most screens is enough

  let drawnAt = -Infinity;

  window.JackpotCount = class {
    constructor(value) {
      this.set(value);
    }

    // At once.
    set(value) {
      this.value = value;
      this.target = value;
      this.path = []; // what it is to be at, and when: the first is behind, the others are ahead
    }

    // Once, with the next picture that is due; a page has one such loop.
    static draw(step) {
      requestAnimationFrame(function wait(now) {
        if (now - drawnAt < LEAST_MS) {
          requestAnimationFrame(wait);
          return;
        }
        drawnAt = now;
        step(now);
      });
    }

    get isCounting() {
      return this.path.length > 0;
    }

    // Up to a higher value, from now on.
    aim(value, now) {
      if (!this.path.length) {
        this.path.push({ at: now, value: this.value });
      }
      this.path.push({ at: now + COUNT_MS, value });
      this.target = value;
    }

    // Move to what it is at this time.
    step(now) {
      while (this.path.length > 1 && this.path[1].at <= now) {
        this.path.shift();
      }
      const [from, to] = this.path;
      if (to) {
        const part = Math.max(0, (now - from.at) / (to.at - from.at));
        this.value = from.value + Math.floor((to.value - from.value) * part);
      } else {
        this.set(this.target);
      }
      return this.value;
    }
  };
})();
