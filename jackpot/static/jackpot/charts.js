// Charts: the arrow keys go from point to point, and the words of the point stand below.
(function () {
  "use strict";

  const spotsOf = (chart) => [...chart.querySelectorAll(".chart-spot")];
  const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

  function tell(spot) {
    const words = spot.closest(".chart").querySelector("[data-chart-told]");
    words.textContent = spot.getAttribute("aria-label");
  }

  function go(spots, from, to) {
    const next = spots[Math.max(0, Math.min(spots.length - 1, to))];
    spots[from].setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  }

  document.addEventListener("keydown", (event) => {
    const spot = event.target.closest?.(".chart-spot");
    if (!spot || event.ctrlKey || event.altKey || event.metaKey) {
      return;
    }
    const spots = spotsOf(spot.closest("[data-chart]"));
    const at = spots.indexOf(spot);
    if (event.key in STEPS) {
      go(spots, at, at + STEPS[event.key]);
    } else if (event.key === "Home") {
      go(spots, at, 0);
    } else if (event.key === "End") {
      go(spots, at, spots.length - 1);
    } else {
      return;
    }
    event.preventDefault();
  });
  for (const name of ["focusin", "pointerover"]) {
    document.addEventListener(name, (event) => {
      const spot = event.target.closest?.(".chart-spot");
      if (spot) {
        tell(spot);
      }
    });
  }
})();
