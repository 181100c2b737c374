// Passkeys: made on the account's page, and signed with at the log-in and wherever a password is
// asked for once more. The answer of the browser travels in the field "passkey" of the form.
(function () {
  "use strict";

  const refusal = document.currentScript.dataset.refused;

  function bytes(text) {
    const binary = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
    return Uint8Array.from(binary, (each) => each.charCodeAt(0));
  }

  function text(buffer) {
    const binary = Array.from(new Uint8Array(buffer), (each) => String.fromCharCode(each)).join("");
    return btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  }

  async function options(address) {
    const answer = await fetch(address, { headers: { Accept: "application/json" } });
    if (!answer.ok) {
      throw new Error(String(answer.status));
    }
    const request = (await answer.json()).publicKey;
    request.challenge = bytes(request.challenge);
    for (const key of request.allowCredentials || request.excludeCredentials || []) {
      key.id = bytes(key.id);
    }
    return request;
  }

  async function sign(address) {
    return encode(await navigator.credentials.get({ publicKey: await options(address) }));
  }

  function encode(credential) {
    const { clientDataJSON, authenticatorData, signature } = credential.response;
    return {
      id: credential.id,
      rawId: text(credential.rawId),
      type: credential.type,
      response: {
        clientDataJSON: text(clientDataJSON),
        authenticatorData: text(authenticatorData),
        signature: text(signature),
      },
    };
  }

  async function make(address) {
    const request = await options(address);
    request.user.id = bytes(request.user.id);
    const credential = await navigator.credentials.create({ publicKey: request });
    return {
      id: credential.id,
      rawId: text(credential.rawId),
      type: credential.type,
      response: {
        clientDataJSON: text(credential.response.clientDataJSON),
        attestationObject: text(credential.response.attestationObject),
      },
    };
  }

  // Says beside the button that nothing was sent; asked again it goes.
  function say(near, words) {
    const before = near.nextElementSibling;
    if (before && before.hasAttribute("data-passkey-refused")) {
      before.remove();
    }
    if (words) {
      const line = document.createElement("p");
      line.setAttribute("role", "alert");
      line.setAttribute("data-passkey-refused", "");
      line.textContent = words;
      near.after(line);
    }
  }

  // Sends the form with what the browser answers. Where it answers nothing, as when its dialog is
  // cancelled, the form is as it was: what was `required` is so again.
  async function send(form, answer, near, required, button, name = "passkey") {
    let field = form.elements.namedItem(name);
    if (!field) {
      field = document.createElement("input");
      field.type = "hidden";
      field.name = name;
      form.append(field);
    }
    say(near, "");
    required.forEach((input) => (input.required = false));
    try {
      field.value = JSON.stringify(await answer);
    } catch {
      field.value = "";
      required.forEach((input) => (input.required = true));
      say(near, refusal);
      return;
    }
    form.requestSubmit(button);
  }

  const making = document.querySelector("form[data-passkey-new]");
  if (making) {
    making.addEventListener(
      "submit",
      (event) => {
        if (!making.elements.namedItem("passkey").value) {
          event.preventDefault();
          event.stopImmediatePropagation();
          const near = making.querySelector("button[type=submit]");
          send(making, make(making.dataset.passkeyNew), near, []);
        }
      },
      true,
    );
  }

  // An act that its person signs: what is signed stands on the page.
  async function signAct(request) {
    const publicKey = {
      challenge: bytes(request.challenge),
      userVerification: request.userVerification,
      allowCredentials: request.allowCredentials.map((key) => ({ ...key, id: bytes(key.id) })),
    };
    const credential = await navigator.credentials.get({ publicKey });
    return { statement: request.statement, ...encode(credential) };
  }

  const act = document.querySelector("form[data-passkey-act]");
  if (act) {
    act.addEventListener(
      "submit",
      (event) => {
        if (!act.elements.namedItem("signature").value) {
          event.preventDefault();
          event.stopImmediatePropagation();
          const near = act.querySelector("button[type=submit]");
          send(act, signAct(JSON.parse(act.dataset.passkeyAct)), near, [], near, "signature");
        }
      },
      true,
    );
  }

  for (const button of document.querySelectorAll("[data-passkey-sign]")) {
    button.addEventListener("click", () => {
      const required = Array.from(button.form.elements).filter((each) => each.required);
      send(button.form, sign(button.dataset.passkeySign), button, required);
    });
  }

  // Beside every password that is asked for once more.
  const { passkey: address, passkeyWords: words } = document.body.dataset;
  const PASSWORDS = 'input[type=password][name=password][autocomplete="current-password"]';
  for (const password of address ? document.querySelectorAll(PASSWORDS) : []) {
    const form = password.form;
    if (!form || "passwordOnly" in password.dataset) {
      continue;
    }
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button quiet";
    button.textContent = words;
    button.addEventListener("click", () => {
      const submitter = form.querySelector("button[type=submit]") ||
        document.querySelector(`button[type=submit][form="${form.id}"]`);
      send(form, sign(address), button, password.required ? [password] : [], submitter);
    });
    password.after(button);
  }
})();
