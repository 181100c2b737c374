// The cage: what stays due of each payee while parts are typed, the total, filling in the balance,
// and the tax that is withheld. Amounts are counted in minor units, exactly. Without this file they
// are typed; what must be withheld the server says and judges.
(function () {
  "use strict";

  const phrases = document.currentScript.dataset; // in the language of the page

  // A phrase with its {names} filled in.
  function phrase(name, values) {
    return phrases[name].replace(/\{(\w+)\}/g, (_, each) => values[each]);
  }

  const rows = [...document.querySelectorAll("[data-pay]")].map((row) => {
    const digits = Number(row.dataset.digits);
    const fields = [...row.querySelectorAll("[data-part]")];
    const tax = fields.find((field) => field.dataset.part === "tax");
    return {
      digits,
      due: (BigInt(row.dataset.pay) * 10n ** BigInt(digits)) / 1000000n,
      fields,
      methods: fields.filter((field) => field !== tax),
      tax,
      home: row.querySelector("[data-residence]"),
      bare: row.querySelector("[data-without-number]"),
      percents: tax && tax.closest("[data-any]").dataset,
      rules: [...row.querySelectorAll("[data-for]")],
      net: row.querySelector("[data-net]"),
      sums: [...row.querySelectorAll("[data-sum]")],
    };
  });

  // As the page's language writes figures.
  function english(text) {
    const { decimal = ".", thousand = "," } = document.documentElement.dataset;
    const marks = { [thousand]: ",", [decimal]: "." };
    const plain = thousand.trim() ? text.trim() : text.trim().replace(/\s/g, thousand);
    return [...plain].map((each) => marks[each] || (/[.,]/.test(each) ? "?" : each)).join("");
  }

  function minor(text, digits) {
    return exact(english(text), digits);
  }

  function exact(text, digits) {
    const match = /^(\d{1,3}(?:,\d{3})+|\d{0,12})(?:\.(\d*))?$/.exec(text);
    if (!match || (match[2] || "").replace(/0+$/, "").length > digits) {
      return null;
    }
    const decimals = (match[2] || "").slice(0, digits).padEnd(digits, "0");
    return BigInt((match[1] || "0").replaceAll(",", "") + decimals);
  }

  function money(amount, digits) {
    return JackpotStream.amount(Number(amount), digits);
  }

  function sumOf(row, fields) {
    return fields.reduce((total, field) => total + (minor(field.value, row.digits) || 0n), 0n);
  }

  // What is handed over, with the tax that goes with it: tax alone is no payment.
  function paymentOf(row) {
    const payout = sumOf(row, row.methods);
    return payout && row.tax ? payout + sumOf(row, [row.tax]) : payout;
  }

  // The percentage in ten-thousandths; null while nobody has said where the player lives. By
  // residence, and of whom gives no taxpayer number.
  function percent(row) {
    const home = row.home ? row.home.value : "any";
    const without = row.bare && row.bare.checked ? "Without" : "";
    return home ? exact(row.percents[home + without], 4) : null;
  }

  function halfUp(amount, of) {
    return (2n * amount + of) / (2n * of);
  }

  function taxOfAll(row) {
    const part = row.tax ? percent(row) : null;
    return part === null ? 0n : halfUp(row.due * part, 1000000n);
  }

  // What is withheld beside what is typed; of all that is due where nothing is typed.
  function taxOfTyped(row) {
    const part = percent(row);
    const payout = sumOf(row, row.methods);
    if (part === null || payout === 0n) {
      return taxOfAll(row);
    }
    const tax = halfUp(payout * part, 1000000n - part);
    const rest = row.due - payout - tax;
    return rest >= -1n && rest <= 1n ? row.due - payout : tax;
  }

  function withhold(row) {
    if (row.tax && row.isAuto) {
      const tax = taxOfTyped(row);
      row.tax.value = tax ? money(tax, row.digits) : "";
    }
  }

  function showRules(row) {
    const home = row.home && row.home.value;
    for (const rule of row.rules) {
      rule.hidden = Boolean(home) && ![home, "any"].includes(rule.dataset.for);
    }
  }

  function words(row) {
    if (row.fields.some((field) => minor(field.value, row.digits) === null)) {
      return phrases.unread;
    }
    const rest = row.due - paymentOf(row);
    if (rest < 0n) {
      return phrase("over", { amount: money(-rest, row.digits) });
    }
    if (rest === row.due) {
      return "";
    }
    return rest === 0n ? phrases.matches : phrase("remaining", { amount: money(rest, row.digits) });
  }

  function add() {
    let sum = 0n;
    let due = 0n;
    for (const row of rows) {
      const text = words(row);
      for (const sum of row.sums) {
        sum.textContent = text;
      }
      if (row.net) {
        const net = sumOf(row, row.methods) || row.due - sumOf(row, [row.tax]);
        row.net.textContent = money(net < 0n ? 0n : net, row.digits);
      }
      sum += paymentOf(row);
      due += row.due;
    }
    const total = document.querySelector("[data-total]");
    if (total && rows.length) {
      const digits = rows[0].digits;
      total.textContent = phrase("of", { given: money(sum, digits), due: money(due, digits) });
    }
  }

  function fill(row, field) {
    const others = sumOf(
      row,
      row.methods.filter((each) => each !== field),
    );
    const tax = row.tax && !row.isAuto ? sumOf(row, [row.tax]) : taxOfAll(row);
    const due = row.due - tax;
    field.value = others < due ? money(due - others, row.digits) : "";
    withhold(row);
  }

  document.addEventListener("input", (event) => {
    const row = rows.find((each) => [...each.fields, each.home, each.bare].includes(event.target));
    if (row) {
      // What was typed by hand stays, until something else is said of the player.
      const isOfPlayer = [row.home, row.bare].includes(event.target);
      row.isAuto = isOfPlayer || (row.isAuto && event.target !== row.tax);
      showRules(row);
      withhold(row);
    }
    add();
  });
  document.addEventListener("keydown", (event) => {
    const row = rows.find((each) => each.methods.includes(event.target));
    if (row && event.key === "=") {
      event.preventDefault();
      fill(row, event.target);
      add();
    }
  });

  // A field that the browser finds wrong is on the screen, whoever folded its payee away.
  document.addEventListener(
    "invalid",
    (event) => {
      const payee = event.target.closest("[data-pay]");
      const fold = payee && payee.querySelector(".payee-fold");
      if (fold) {
        fold.open = true;
      }
    },
    true,
  );

  function button(label, text, act) {
    const element = document.createElement("button");
    element.type = "button";
    element.className = "button quiet fill";
    element.textContent = text;
    element.setAttribute("aria-label", label);
    element.addEventListener("click", () => {
      act();
      add();
    });
    return element;
  }

  function method(field) {
    return field.labels[0].textContent.trim().toLowerCase();
  }

  // By touch: the balance at each field; all lines at once above the table. Keys have "=".
  for (const row of rows) {
    for (const field of row.methods) {
      const element = button(phrase("rest", { method: method(field) }), phrases.balance, () => fill(row, field));
      element.tabIndex = -1;
      field.after(element);
    }
  }
  const place = document.querySelector("[data-fill-all]");
  for (const name of place && rows.length > 1 ? ["chips", "cash"] : []) {
    const first = rows[0].methods.find((field) => field.dataset.part === name);
    const label = { method: first.closest("[data-label]").dataset.label.toLowerCase() }; // of no seat
    place.append(
      button(phrase("everything", label), phrase("all", label), () => {
        for (const row of rows) {
          for (const field of row.methods) {
            field.value = "";
          }
          fill(row, row.methods.find((field) => field.dataset.part === name));
        }
      }),
    );
  }
  for (const row of rows.filter((each) => each.tax)) {
    const text = row.tax.value.trim();
    row.isAuto = text === "" || minor(text, row.digits) === taxOfTyped(row);
    showRules(row);
  }
  add();
})();
