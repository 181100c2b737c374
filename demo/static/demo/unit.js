// The unit's page: buttons answer without a new page, the handset is looked at again and again,
// and the cards are picked by touch. Without this script every form works by itself.
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
      const opened = [...old.querySelectorAll("details[open]")].map((each) => each.id);
      if (part.dataset.part === "log" || (part.dataset.part === "controls" && keepsStep)) {
        for (const details of part.querySelectorAll("details")) {
          details.open = opened.includes(details.id);
        }
      }
      if (part.outerHTML !== old.outerHTML) {
        old.replaceWith(part);
      }
    }
    preparePicker();
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
    if (!form.dataset.act) {
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
        put(await answer.text(), answer.ok && !MOVES_ON.has(form.dataset.act));
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

  // --- picking cards ---------------------------------------------------------------------

  let active = "hole";

  function words(input) {
    return input.value.split(/[\s,]+/).filter(Boolean);
  }

  function preparePicker() {
    const form = document.querySelector("[data-picker]");
    if (!form || form.dataset.ready) {
      return;
    }
    form.dataset.ready = "yes";
    form.querySelector("[data-deck]").hidden = false;
    active = "hole";
    draw(form);
  }

  function face(form, text) {
    const known = form.querySelector(`[data-card="${CSS.escape(text)}"] svg`);
    if (known) {
      return known.cloneNode(true);
    }
    const fault = document.createElement("span");
    fault.className = "card-fault";
    fault.textContent = text;
    return fault;
  }

  function draw(form) {
    const used = new Set();
    for (const pick of form.querySelectorAll("[data-pick]")) {
      const input = pick.querySelector("input");
      pick.classList.toggle("is-active", pick.dataset.pick === active);
      const shown = pick.querySelector("[data-shown]");
      shown.textContent = "";
      words(input).forEach((text, place) => {
        const button = document.createElement("button");
        button.type = "button";
        button.dataset.remove = String(place);
        button.title = "Take it back";
        button.append(face(form, text));
        shown.append(button);
        used.add(text);
      });
    }
    for (const card of form.querySelectorAll("[data-card]")) {
      card.setAttribute("aria-pressed", String(used.has(card.dataset.card)));
    }
  }

  function most(form, name) {
    const game = document.querySelector("#open-game").value;
    return name.startsWith("hole") ? (game === "omaha" ? 4 : 2) : 5;
  }

  function toggle(form, card) {
    for (const input of form.querySelectorAll("[data-pick] input")) {
      const cards = words(input);
      if (cards.includes(card)) {
        input.value = cards.filter((each) => each !== card).join(" ");
        return;
      }
    }
    const input = form.querySelector(`[data-pick="${active}"] input`);
    input.value = [...words(input), card].join(" ");
    if (active.startsWith("hole") && words(input).length >= most(form, active)) {
      active = "board";
    }
  }

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
    const card = event.target.closest("[data-card]");
    const pick = event.target.closest("[data-pick]");
    const removed = event.target.closest("[data-remove]");
    if (preset) {
      event.preventDefault();
      fill(form, preset);
    } else if (card) {
      toggle(form, card.dataset.card);
    } else if (pick) {
      active = pick.dataset.pick;
      if (removed) {
        const input = pick.querySelector("input");
        input.value = words(input).filter((_, place) => place !== Number(removed.dataset.remove)).join(" ");
      }
    } else {
      return;
    }
    draw(form);
  });

  document.addEventListener("input", (event) => {
    if (event.target.closest("[data-pick]")) {
      draw(event.target.form);
    }
  });

  document.addEventListener("focusin", (event) => {
    const pick = event.target.closest("[data-pick]");
    if (pick && event.target.matches("input")) {
      active = pick.dataset.pick;
      draw(event.target.form);
    }
  });

  preparePicker();
  setTimeout(look, LOOK_MS);
})();
