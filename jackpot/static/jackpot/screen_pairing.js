// A screen that nobody has paired: it shows a code, and becomes a screen by itself once somebody on
// the console has entered it.
(function () {
  "use strict";

  const EVERY_MS = 3000;
  const place = document.body.dataset.code;
  const code = document.getElementById("code");
  const scan = document.getElementById("scan");
  const trouble = document.getElementById("trouble");

  async function ask() {
    let wait = EVERY_MS;
    try {
      const answer = await fetch(place, { method: "POST", headers: { "X-Screen": "1" } });
      const body = await answer.json();
      if (body.paired) {
        location.reload();
        return;
      }
      if (body.code && body.code !== code.textContent) {
        code.textContent = body.code;
        const picture = new DOMParser().parseFromString(body.qr, "text/html").querySelector("svg");
        scan.replaceChildren(picture);
        scan.hidden = false;
      }
      wait = Math.max(wait, 1000 * (body.wait_s || 0));
      trouble.hidden = answer.ok;
    } catch {
      trouble.hidden = false;
    }
    trouble.textContent = trouble.dataset.words;
    setTimeout(ask, wait);
  }

  // What an earlier screen kept here is nobody's any more.
  localStorage.removeItem("screen");
  ask();
})();
