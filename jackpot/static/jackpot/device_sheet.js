// Credentials for many devices: some at a time, each part of the sheet as soon as it is there.
(function () {
  "use strict";

  const AT_ONCE = 10;
  const BLOCK = 512; // of a tar archive
  const form = document.querySelector("[data-sheet-form]");
  const panel = document.querySelector("[data-sheet-panel]");
  const sheet = document.querySelector("[data-sheet]");
  const encoder = new TextEncoder();
  let isRunning = false;

  if (!sheet) {
    return;
  }

  // One file of a tar archive: its head and its bytes, filled up to whole blocks.
  function packed(name, bytes) {
    const head = new Uint8Array(BLOCK);
    const put = (text, place) => head.set(encoder.encode(text), place);
    const octal = (number, digits) => number.toString(8).padStart(digits, "0");
    put(name, 0);
    put("0000600\0", 100);
    put("0000000\0", 108);
    put("0000000\0", 116);
    put(`${octal(bytes.length, 11)}\0`, 124);
    put("00000000000\0", 136);
    put("        ", 148); // the sum counts itself as blanks
    put("0", 156);
    put("ustar\u000000", 257);
    const sum = head.reduce((total, each) => total + each, 0);
    put(`${octal(sum, 6)}\0 `, 148);
    return [head, bytes, new Uint8Array((BLOCK - (bytes.length % BLOCK)) % BLOCK)];
  }

  function offerFiles() {
    const links = [...sheet.querySelectorAll("[data-file]")];
    const all = document.querySelector("[data-sheet-files]");
    if (!links.length) {
      return;
    }
    const parts = links.flatMap((link) => {
      const bytes = Uint8Array.from(atob(link.dataset.file), (letter) => letter.charCodeAt(0));
      return packed(link.download, bytes);
    });
    all.href = URL.createObjectURL(new Blob([...parts, new Uint8Array(2 * BLOCK)]));
    all.hidden = false;
  }

  // The cards of these tables; false where they did not come.
  async function issue(codes) {
    const body = new FormData(form);
    body.delete("tables");
    codes.forEach((code) => body.append("tables", code));
    try {
      const answer = await fetch(location.href, {
        method: "POST",
        body,
        headers: { "X-Console-Part": "1" },
        redirect: "error",
      });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      sheet.append(...page.querySelectorAll(".cut-card, [data-refusal], .alert"));
      return answer.ok;
    } catch {
      return false;
    }
  }

  async function issueAll(codes) {
    const line = document.querySelector("[data-sheet-progress]");
    const bar = line.querySelector("progress");
    const words = line.querySelector("[data-sheet-count]");
    const say = (count) => {
      bar.value = count;
      words.textContent = words.dataset.words.replace("(done)", count).replace("(all)", codes.length);
    };
    bar.max = codes.length;
    line.hidden = false;
    panel.hidden = false;
    document.querySelector("[data-sheet-choice]").hidden = true;
    say(0);
    for (let start = 0; start < codes.length; start += AT_ONCE) {
      if (!(await issue(codes.slice(start, start + AT_ONCE)))) {
        document.querySelector("[data-sheet-fault]").hidden = false;
        break;
      }
      say(Math.min(start + AT_ONCE, codes.length));
    }
    offerFiles();
  }

  if (form) {
    form.addEventListener("submit", (event) => {
      const codes = [...form.querySelectorAll("input[name=tables]:checked")].map((box) => box.value);
      if (!codes.length) {
        return; // the server says what is missing
      }
      event.preventDefault();
      isRunning = true;
      issueAll(codes).finally(() => {
        isRunning = false;
      });
    });
  } else {
    offerFiles();
  }

  // Whoever leaves while cards come loses them.
  window.addEventListener("beforeunload", (event) => {
    if (isRunning) {
      event.preventDefault();
    }
  });
})();
