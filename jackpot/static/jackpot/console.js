// The console's pages: live pool values, word of new claims, dialogs, forms sent once.
(function () {
  "use strict";

  const STALE_MS = 15000;
  const body = document.body;

  // --- tables that scroll --------------------------------------------------------------

  // A frame in which something is hidden can be reached by the keyboard; any other is no stop.
  const frames = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth || target.scrollHeight > target.clientHeight) {
        target.tabIndex = 0;
      } else {
        target.removeAttribute("tabindex");
      }
    }
  });
  for (const frame of document.querySelectorAll(".table-wrap")) {
    frames.observe(frame);
  }

  // --- live values ---------------------------------------------------------------------

  const words = document.currentScript.dataset; // in the language of the page
  const heard = new Map(); // system -> when its values were true, by this device's clock
  const announcements = new Set(); // hands already announced

  function say(state, text) {
    for (const element of document.querySelectorAll("[data-live-state]")) {
      if (element.dataset.state !== state || element.textContent !== text) {
        element.dataset.state = state;
        element.textContent = text;
      }
    }
    document.documentElement.classList.toggle("is-stale", state !== "live");
  }

  let loggedOut = false;

  function judge() {
    if (loggedOut) {
      say("stale", words.ended);
      return;
    }
    const oldest = Math.min(...heard.values()); // one silent system is enough to say so
    if (heard.size === 0) {
      if (performance.now() > STALE_MS) {
        say("stale", words.lost);
      }
    } else if (Date.now() - oldest > STALE_MS) {
      const at = new Date(oldest).toLocaleTimeString("en-GB");
      say("stale", `${words.stale} ${at}`);
    } else {
      say("live", words.live);
    }
  }

  function tell(message, system) {
    const name = `${system}/${message.table}/${message.hit}`;
    if (message.kind !== "reported" || announcements.has(name)) {
      return;
    }
    announcements.add(name);
    if (heard.has(system)) {
      const update = document.querySelector("[data-update]");
      update.querySelector("[data-update-text]").textContent = message.text;
      update.hidden = false;
      if (!document.title.startsWith("(!) ")) {
        document.title = `(!) ${document.title}`;
      }
    }
  }

  function receive(display) {
    for (const tier of display.tiers) {
      const name = CSS.escape(`${display.system}/${tier.tier}`);
      for (const element of document.querySelectorAll(`[data-live-tier="${name}"]`)) {
        const text = JackpotStream.amount(tier.value, Number(element.dataset.digits));
        if (element.textContent !== text) {
          element.textContent = text;
        }
      }
    }
    for (const message of display.messages) {
      tell(message, display.system);
    }
    loggedOut = false;
    heard.set(display.system, Date.now() - 1000 * display.age_s);
    judge();
  }

  if (body.dataset.stream) {
    new JackpotStream(body.dataset.stream, receive, () => {
      loggedOut = true;
      judge();
    });
    setInterval(judge, 1000);
    document.querySelector("[data-update-dismiss]").addEventListener("click", () => {
      document.querySelector("[data-update]").hidden = true;
      document.title = document.title.replace("(!) ", "");
    });
  }

  // --- dialogs, printing, forms --------------------------------------------------------

  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-dialog]");
    if (opener) {
      document.getElementById(opener.dataset.dialog).showModal();
    }
    if (event.target.closest("[data-close]")) {
      event.target.closest("dialog").close();
    }
    if (event.target.closest("[data-print]")) {
      window.print();
    }
  });

  // Twice the same tap sends a form once; the server judges double clicks all the same.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method !== "post" || event.defaultPrevented) {
      return;
    }
    if (form.dataset.sent) {
      event.preventDefault();
      return;
    }
    form.dataset.sent = "yes";
    for (const button of form.querySelectorAll("button[type=submit]")) {
      button.setAttribute("aria-disabled", "true");
    }
  });

  // The way back shows the page as it was left: let its forms be sent again.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) {
      for (const form of document.querySelectorAll("form[data-sent]")) {
        delete form.dataset.sent;
        for (const button of form.querySelectorAll("[aria-disabled]")) {
          button.removeAttribute("aria-disabled");
        }
      }
    }
  });

  // What is folded opens for whoever is sent to it.
  function unfold(element) {
    for (let outer = element; outer; outer = outer.parentElement) {
      if (outer.tagName === "DETAILS") {
        outer.open = true;
      }
    }
  }

  function arrive() {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    if (target) {
      unfold(target);
      target.scrollIntoView();
    }
  }

  window.addEventListener("hashchange", arrive);
  arrive();

  // Errors first: the page opens at the field that needs an answer.
  const wrong = document.querySelector(".has-error input, .has-error select, .has-error textarea");
  if (wrong) {
    unfold(wrong);
    wrong.focus();
  }
})();
