// Help in its place: a link marked data-help is asked for by the script and shown in a panel, that
// of the page by "?". Where this file did not arrive, each link leads to its page.
(function () {
  "use strict";

  const panel = document.getElementById("help-panel");
  if (!panel || !panel.showPopover) {
    return;
  }
  let opener = null;
  let nth = 0; // of the page's links to the same place

  const alike = (link) => [
    ...document.querySelectorAll(`main a[data-help][href="${CSS.escape(link.getAttribute("href"))}"]`),
  ];

  async function show(link) {
    const answer = await fetch(link.href, { headers: { "X-Console-Help": "1" } }).catch(() => null);
    if (!answer || !answer.ok || answer.redirected) {
      location.assign(link.href);
      return;
    }
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    panel.replaceChildren(...fresh.body.childNodes);
    panel.scrollTop = 0;
    panel.showPopover();
    panel.focus();
    if (!panel.contains(link)) {
      opener = link;
      nth = alike(link).indexOf(link);
    }
  }

  // Focus goes back to where it was, also where what was pressed lies within the panel.
  panel.addEventListener("toggle", (event) => {
    const isLost = document.activeElement === document.body || panel.contains(document.activeElement);
    if (event.newState === "closed" && opener && isLost) {
      const link = opener.isConnected ? opener : alike(opener)[nth];
      if (link) {
        link.focus(); // a part of a page that was read again has another one
      }
    }
  });

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-help]");
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      show(link);
    }
  });

  const isTyping = (target) => target.matches("input, select, textarea") || target.isContentEditable;

  document.addEventListener("keydown", (event) => {
    const isMark = event.key === "?" && !event.ctrlKey && !event.metaKey && !event.altKey;
    const button = document.querySelector("[data-help-page]");
    if (isMark && button && !isTyping(event.target) && !document.querySelector("dialog[open]")) {
      event.preventDefault();
      if (panel.matches(":popover-open")) {
        panel.hidePopover();
      } else {
        button.click();
      }
    }
  });
})();
