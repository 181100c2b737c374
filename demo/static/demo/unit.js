// The unit's page: buttons answer without a new page, and the handset is looked at again and again.
// Without this script every form works by itself. Cards: jackpot/picker.js.
(function () {
  "use strict";

  const LOOK_MS = 600;
  const MOVES_ON = new Set(["open", "call", "close"]); // these open the next step by themselves

  // --- parts of the page -----------------------------------------------------------------

  function put(html, keepsStep) {
    const page = document.createElement("template");
    page.innerHTML = html;
    for (const part of page.content.querySelectorAll("[data-part]")) {
      const old = document.querySelector(`[data-part="${part.dataset.part}"]`);
      const openIds = [...old.querySelectorAll("details[open]")].map((each) => each.id);
      if (part.dataset.part === "log" || (part.dataset.part === "controls" && keepsStep)) {
        for (const details of part.querySelectorAll("details")) {
          details.open = openIds.includes(details.id);
        }
      }
      if (part.outerHTML !== old.outerHTML) {
        old.replaceWith(part);
      }
    }
    JackpotPicker.prepare();
  }

  // --- the handset -----------------------------------------------------------------------

  let busy = false;

  async function look() {
    if (!busy && !document.hidden) {
      try {
        const answer = await fetch(document.body.dataset.screen, { credentials: "same-origin" });
        if (answer.ok && !busy) {
          put(await answer.text(), true);
        }
      } catch {
        // The console is away; the next look tries again.
      }
    }
    setTimeout(look, LOOK_MS);
  }

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!form.dataset.action) {
      return;
    }
    event.preventDefault();
    if (busy) {
      return;
    }
    busy = true;
    const button = event.submitter;
    button?.classList.add("is-sent");
    try {
      const answer = await fetch(form.action, {
        method: "POST",
        body: new FormData(form),
        headers: { "X-Requested-With": "fetch" },
        credentials: "same-origin",
      });
      if (answer.ok || answer.status === 422) {
        put(await answer.text(), answer.ok && !MOVES_ON.has(form.dataset.action));
      } else {
        form.submit();
      }
    } catch {
      form.submit(); // the browser says what is wrong
    } finally {
      busy = false;
      button?.classList.remove("is-sent");
    }
  });

  // --- ready-made hands --------------------------------------------------------------------

  function fill(form, preset) {
    for (const name of ["hole", "hole2", "board", "board2"]) {
      form.elements[name].value = preset.dataset[name];
    }
    form.elements.folded.checked = preset.dataset.folded === "yes";
    form.elements.won_pot.checked = preset.dataset.folded !== "yes" && !preset.dataset.hole2;
    form.elements.participating.checked = true;
    form.elements.flop_on_request.checked = false;
    form.elements.exposed.value = preset.dataset.exposed;
  }

  document.addEventListener("click", (event) => {
    const form = document.querySelector("[data-picker]");
    const preset = event.target.closest(".preset");
    if (preset) {
      event.preventDefault();
      fill(form, preset);
      JackpotPicker.draw(form);
    }
  });

  setTimeout(look, LOOK_MS);
})();
