// The font of a screen: one that browsers have, or the file of the house, which is read once.
(function () {
  "use strict";

  const FONTS = {
    sans: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif',
    serif: 'Georgia, "Times New Roman", "Liberation Serif", serif',
    rounded: 'ui-rounded, "Nunito", "Varela Round", "Arial Rounded MT Bold", system-ui, sans-serif',
    narrow: '"Arial Narrow", "Roboto Condensed", "Liberation Sans Narrow", "Noto Sans Condensed", sans-serif',
  };
  const families = new Map(); // address of a file -> the name of its font here

  // What CSS calls it; `then`: once a file is there, as what is drawn has another size in it.
  function familyOf(look, then) {
    const usual = FONTS[look.font] || FONTS.sans;
    if (!look.font_file) {
      return usual;
    }
    if (!families.has(look.font_file)) {
      const family = `House ${families.size + 1}`;
      families.set(look.font_file, family);
      const face = new FontFace(family, `url("${look.font_file}")`);
      document.fonts.add(face);
      face.load().then(then, () => {});
    }
    return `"${families.get(look.font_file)}", ${usual}`;
  }

  window.ScreenFonts = { familyOf };
})();
