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

  const preview = document.querySelector("[data-preview]");
  if (preview) {
    const box = document.querySelector("[data-preview-screen]");
    preview.addEventListener("change", () => {
      const layout = preview.querySelector("[data-preview-layout]").value;
      [box.dataset.width, box.dataset.height] = preview.querySelector("[data-preview-shape]").value.split("x");
      box.querySelector("iframe").src = `${preview.dataset.preview}?layout=${layout}`;
      lay(box);
    });
  }
  window.addEventListener("resize", layAll);
  layAll();
})();
