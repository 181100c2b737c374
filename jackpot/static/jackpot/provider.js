// Beside every password that is asked for once more: a button that confirms it at the log-in provider,
// in a tab of its own, so that what was typed here stays. Afterwards the form is sent without one.
(function () {
  "use strict";

  const { provider: address, providerWords: words } = document.body.dataset;
  const PASSWORDS = 'input[type=password][name=password][autocomplete="current-password"]';

  function hidden(name, value) {
    const field = document.createElement("input");
    field.type = "hidden";
    field.name = name;
    field.value = value;
    return field;
  }

  // A form of its own: nothing that was typed goes along, and this one can still be sent.
  function open(token) {
    const form = document.createElement("form");
    form.method = "post";
    form.action = address;
    form.target = "_blank";
    form.append(hidden("csrfmiddlewaretoken", token));
    document.body.append(form);
    form.submit();
    form.remove();
  }

  for (const password of address ? document.querySelectorAll(PASSWORDS) : []) {
    const form = password.form;
    const token = form && form.elements.namedItem("csrfmiddlewaretoken");
    if (!token) {
      continue;
    }
    const confirmed = hidden("confirmed", "1");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button quiet";
    button.textContent = words;
    button.addEventListener("click", () => {
      password.required = false;
      form.append(confirmed);
      open(token.value);
    });
    password.after(button);
  }
})();
