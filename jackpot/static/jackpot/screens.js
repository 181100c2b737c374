// Draws a screen in its own size and shows it small; lets the preview be chosen.
(function () {
  "use strict";

  const HIGHEST = 520;

  function lay(box) {
    const frame = box.querySelector("iframe");
    const width = Number(box.dataset.width);
    const height = Number(box.dataset.height);
    box.style.width = "";
    const scale = Math.min(box.clientWidth / width, HIGHEST / height);
    frame.style.width = `${width}px`;
    frame.style.height = `${height}px`;
    frame.style.transform = `scale(${scale})`;
    box.style.width = `${Math.floor(width * scale)}px`;
    box.style.height = `${Math.floor(height * scale)}px`;
  }

  function layAll() {
    document.querySelectorAll(".small-screen").forEach(lay);
  }

  // What is chosen above a preview is asked for; a size is taken by the frame itself.
  for (const preview of document.querySelectorAll("[data-preview]")) {
    const box = document.getElementById(preview.dataset.frame);
    preview.addEventListener("change", () => {
      const choices = new URLSearchParams();
      for (const each of preview.querySelectorAll("select")) {
        if (each.name === "shape") {
          [box.dataset.width, box.dataset.height] = each.value.split("x");
        } else {
          choices.set(each.name, each.value);
        }
      }
      box.querySelector("iframe").src = `${preview.dataset.preview}?${choices}`;
      lay(box);
    });
  }
  window.addEventListener("resize", layAll);
  layAll();
})();
