// Films of slides: read once, as a file of the page, so that they play again and again while nobody
// answers. Without sound always, and still while somebody wins, while nobody looks at the page, and
// where movement is not wanted.
(function () {
  "use strict";

  const AGAIN_MS = 30000; // after a file could not be read
  const LONGEST_MS = 300000; // of one read: the others wait for its end
  const films = new Map(); // address -> the file here, which is empty until it is read
  let turn = Promise.resolve();

  // One after another: all at once each would have a part of the line, and the first come last.
  function read(address, film, then) {
    turn = turn.then(() => readNow(address, film, then));
  }

  // `film` is what was wanted then: where it came down since, and perhaps up again, the map has
  // another one, which is read in its own turn.
  async function readNow(address, film, then) {
    const isWanted = () => films.get(address) === film;
    if (!isWanted()) {
      return;
    }
    film.reading = new AbortController();
    const timer = setTimeout(() => film.reading.abort(), LONGEST_MS);
    try {
      const answer = await fetch(address, { signal: film.reading.signal });
      if (!answer.ok) {
        throw new Error(String(answer.status));
      }
      const blob = await answer.blob();
      if (isWanted()) {
        film.file = URL.createObjectURL(blob);
        then();
      }
    } catch {
      setTimeout(() => read(address, film, then), AGAIN_MS);
    } finally {
      clearTimeout(timer);
    }
  }

  function letGo(address, film) {
    films.delete(address);
    if (film.reading) {
      film.reading.abort();
    }
    if (film.file) {
      URL.revokeObjectURL(film.file);
    }
  }

  // Those that are up, each before its slide comes, and `then`; what came down is let go.
  function take(addresses, then) {
    for (const [address, film] of films) {
      if (!addresses.includes(address)) {
        letGo(address, film);
      }
    }
    for (const address of addresses) {
      if (!films.has(address)) {
        const film = { file: "", reading: null };
        films.set(address, film);
        read(address, film, then);
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
      const { file } = films.get(element.dataset.film) || {};
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
