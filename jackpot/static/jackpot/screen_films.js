// Films of slides: read once, as a file of the page, so that they play again and again while nobody
// answers. Without sound always, and still while somebody wins, while nobody looks at the page, and
// where movement is not wanted.
(function () {
  "use strict";

  const AGAIN_MS = 30000; // after a file could not be read
  const files = new Map(); // address -> that of the file here; empty until it is read

  async function read(address, then) {
    files.set(address, "");
    try {
      const answer = await fetch(address);
      if (!answer.ok) {
        throw new Error(String(answer.status));
      }
      files.set(address, URL.createObjectURL(await answer.blob()));
      then();
    } catch {
      setTimeout(() => files.delete(address), AGAIN_MS);
    }
  }

  // Those that are up, each before its slide comes, and `then`; what came down is let go.
  function take(addresses, then) {
    for (const address of addresses) {
      if (!files.has(address)) {
        read(address, then);
      }
    }
    for (const [address, file] of files) {
      if (!addresses.includes(address)) {
        URL.revokeObjectURL(file);
        files.delete(address);
      }
    }
  }

  function film(address) {
    const element = document.createElement("video");
    element.className = "slide-picture";
    element.dataset.film = address;
    element.muted = element.loop = element.playsInline = true;
    element.preload = "auto";
    element.disablePictureInPicture = true;
    return element;
  }

  // What is drawn comes into the view. A film that is up already stays there, as one that is taken
  // out of a page stops: the words beside it alone are new.
  function place(view, box) {
    const was = view.querySelector("[data-film]");
    const now = box.querySelector("[data-film]");
    if (!was || !now || was.dataset.film !== now.dataset.film) {
      view.replaceChildren(...box.childNodes);
      return;
    }
    const others = (film) => [...film.parentElement.children].filter((each) => each !== film);
    others(was).forEach((each) => each.remove());
    was.after(...others(now));
  }

  function tend(view, isStill) {
    for (const element of view.querySelectorAll("[data-film]")) {
      const file = files.get(element.dataset.film);
      if (file && element.src !== file) {
        element.src = file;
      }
      if (isStill) {
        element.pause();
      } else if (file && element.paused) {
        element.play().catch(() => {});
      }
    }
  }

  window.ScreenFilms = { take, film, place, tend };
})();
