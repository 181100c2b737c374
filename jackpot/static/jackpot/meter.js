// The phone checks the proof itself: from the value to the root of the log (RFC 6962), and the
// signatures under that root (Ed25519). Nothing is sent anywhere; only the keys are fetched.
(function () {
  "use strict";

  const box = document.getElementById("check");
  const subtle = window.crypto && window.crypto.subtle;
  const ED25519 = 1;
  const COSIGNATURE = 4;
  const utf8 = new TextEncoder();

  if (!box) {
    return;
  }

  // --- bytes -------------------------------------------------------------------------------

  function bytesOf(base64) {
    if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) {
      throw new Error("not base64");
    }
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  }

  function join(...parts) {
    const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }

  function hex(bytes) {
    return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  async function sha256(bytes) {
    return new Uint8Array(await subtle.digest("SHA-256", bytes));
  }

  // --- the file: c2sp.org/tlog-proof@v1 ------------------------------------------------------

  function parse(text) {
    const [head, body, signatures, ...more] = text.split("\n\n");
    const [first, extra, index, ...path] = head.split("\n");
    const [origin, size, root] = body.split("\n");
    if (first !== "c2sp.org/tlog-proof@v1" || more.length || !extra.startsWith("extra ")) {
      throw new Error("another form");
    }
    return {
      leaf: bytesOf(extra.slice(6)),
      index: BigInt(/^index (\d+)$/.exec(index)[1]),
      path: path.map(bytesOf),
      body: body + "\n",
      origin,
      size: BigInt(size),
      root: hex(bytesOf(root)),
      signatures: signatures.trim().split("\n").map(signatureOf),
    };
  }

  function signatureOf(line) {
    const [, name, base64] = /^— (\S+) (\S+)$/.exec(line);
    const bytes = bytesOf(base64);
    return { name, id: hex(bytes.slice(0, 4)), value: bytes.slice(4) };
  }

  // --- the tree: RFC 9162, 2.1.3.2 -----------------------------------------------------------

  async function rootOf(proof) {
    let node = proof.index;
    let last = proof.size - 1n;
    let hash = await sha256(join(new Uint8Array([0]), proof.leaf));
    if (node < 0n || node > last) {
      return null;
    }
    for (const step of proof.path) {
      if (last === 0n || step.length !== 32) {
        return null;
      }
      const isRight = (node & 1n) === 1n || node === last;
      const [left, right] = isRight ? [step, hash] : [hash, step];
      hash = await sha256(join(new Uint8Array([1]), left, right));
      while (isRight && (node & 1n) === 0n && node !== 0n) {
        node >>= 1n;
        last >>= 1n;
      }
      node >>= 1n;
      last >>= 1n;
    }
    return last === 0n ? hex(hash) : null;
  }

  // --- what the page says --------------------------------------------------------------------

  // An amount as displays write it: whole minor units, never more than there is.
  function format(micros) {
    const digits = Number(box.dataset.digits);
    const minor = (micros / 10n ** BigInt(6 - digits)).toString().padStart(digits + 1, "0");
    const { decimal = ".", thousand = "," } = document.documentElement.dataset;
    const units = minor.slice(0, minor.length - digits).replace(/\B(?=(\d{3})+$)/g, thousand);
    return `${box.dataset.currency} ${units}${digits ? decimal + minor.slice(-digits) : ""}`;
  }

  // Larger numbers than JSON's stand in it: pools are read from the text.
  function isWhatThePageSays(proof) {
    const text = new TextDecoder().decode(proof.leaf);
    const [kind, system, block, hash] = JSON.parse(text);
    const page = box.dataset;
    if (kind !== "leaf" || system !== page.system || String(block) !== page.block) {
      return false;
    }
    if (hash !== page.hash || proof.index !== BigInt(block) - 1n) {
      return false;
    }
    if (!page.tier) {
      return true;
    }
    const pool = new RegExp(`\\["${page.tier}",(\\d+)\\]`).exec(text);
    const figure = document.getElementById("value").textContent.trim().replace(/\s+/g, " ");
    return pool !== null && format(BigInt(pool[1])) === figure;
  }

  async function isInTheLog(proof) {
    const page = box.dataset;
    if (proof.origin !== page.origin || String(proof.size) !== page.size) {
      return false;
    }
    return proof.root === page.root && (await rootOf(proof)) === proof.root;
  }

  // --- signatures ------------------------------------------------------------------------------

  async function publishedKeys() {
    const answer = await fetch(box.dataset.keys, { credentials: "omit" });
    if (!answer.ok) {
      return [];
    }
    const lines = (await answer.text()).split("\n").filter(Boolean);
    return Promise.all(lines.map(keyOf));
  }

  async function keyOf(line) {
    const [, name, id, base64] = /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(line);
    const bytes = bytesOf(base64);
    const own = hex((await sha256(join(utf8.encode(name + "\n"), bytes))).slice(0, 4));
    if (own !== id) {
      throw new Error("the id of a key is not its own");
    }
    return { name, id, kind: bytes[0], bytes: bytes.slice(1) };
  }

  // true, false, or null where nothing here can be checked: no key, or a browser without Ed25519.
  async function isSigned(proof, name, kind, keys) {
    let result = null;
    for (const key of keys.filter((each) => each.name === name && each.kind === kind)) {
      for (const line of proof.signatures) {
        if (line.name !== name || line.id !== key.id) {
          continue;
        }
        const good = await verify(key.bytes, proof.body, kind, line.value);
        result = good === null ? result : good && result !== false;
      }
    }
    const hasKey = keys.some((each) => each.name === name && each.kind === kind);
    const isUnsigned = hasKey && !proof.signatures.some((line) => line.name === name);
    return isUnsigned ? false : result;
  }

  async function verify(bytes, body, kind, value) {
    let message = body;
    let signature = value;
    if (kind === COSIGNATURE) {
      const at = value.slice(0, 8).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
      message = `cosignature/v1\ntime ${at}\n${body}`;
      signature = value.slice(8);
    }
    let key;
    try {
      key = await subtle.importKey("raw", bytes, { name: "Ed25519" }, false, ["verify"]);
    } catch {
      return null;
    }
    return subtle.verify({ name: "Ed25519" }, key, signature, utf8.encode(message));
  }

  // --- from the first step to the last -----------------------------------------------------------

  const steps = [...box.querySelectorAll("[data-step]")];

  function tell(step, result) {
    step.dataset.state = result === null ? "unable" : result ? "ok" : "bad";
  }

  function conclude() {
    const states = steps.map((step) => step.dataset.state);
    const worst = ["bad", "wait", "unable", "ok"].find((state) => states.includes(state));
    box.dataset.state = worst === "wait" ? "bad" : worst;
    for (const words of box.querySelectorAll("[data-when]")) {
      words.hidden = words.dataset.when !== box.dataset.state;
    }
  }

  async function check() {
    const proof = parse(document.getElementById("proof").textContent);
    let keys;
    for (const step of steps) {
      const { step: what, witness } = step.dataset;
      if (what === "leaf") {
        tell(step, isWhatThePageSays(proof));
      } else if (what === "path") {
        tell(step, await isInTheLog(proof));
      } else {
        keys = keys || (await publishedKeys());
        const [name, kind] = witness ? [witness, COSIGNATURE] : [proof.origin, ED25519];
        tell(step, await isSigned(proof, name, kind, keys));
      }
    }
  }

  if (!subtle) {
    steps.forEach((step) => tell(step, null));
    conclude();
    return;
  }
  check()
    .catch(() => {
      steps.filter((step) => step.dataset.state === "wait").forEach((step) => tell(step, false));
    })
    .then(conclude);
})();
