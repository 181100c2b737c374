// Boxes of a form ticked all at once, or none, and how many are.
(function () {
  "use strict";

  for (const row of document.querySelectorAll("[data-ticks]")) {
    const boxes = [...row.closest("form").querySelectorAll(`input[name="${row.dataset.ticks}"]`)];
    const words = row.querySelector("[data-tick-count]");
    const say = () => {
      const count = boxes.filter((box) => box.checked).length;
      words.textContent = words.dataset.words.replace("(done)", count).replace("(all)", boxes.length);
    };
    for (const button of row.querySelectorAll("[data-tick]")) {
      button.addEventListener("click", () => {
        for (const box of boxes) {
          box.checked = button.dataset.tick === "all";
        }
        say();
      });
    }
    boxes.forEach((box) => box.addEventListener("change", say));
    row.hidden = boxes.length < 2;
    say();
  }
})();
