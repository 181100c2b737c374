// The cage: what stays due of each payee while parts are typed, the total, and filling in the
// balance. Amounts are counted in minor units, exactly. Without this file they are typed.
(function () {
  "use strict";

  const rows = [...document.querySelectorAll("[data-pay]")].map((row) => {
    const digits = Number(row.dataset.digits);
    return {
      digits,
      due: (BigInt(row.dataset.pay) * 10n ** BigInt(digits)) / 1000000n,
      fields: [...row.querySelectorAll("[data-part]")],
      sum: row.querySelector("[data-sum]"),
    };
  });

  function minor(text, digits) {
    const found = /^(\d{1,3}(?:,\d{3})+|\d{0,12})(?:\.(\d*))?$/.exec(text.trim());
    if (!found || (found[2] || "").replace(/0+$/, "").length > digits) {
      return null;
    }
    const decimals = (found[2] || "").slice(0, digits).padEnd(digits, "0");
    return BigInt((found[1] || "0").replaceAll(",", "") + decimals);
  }

  function written(amount, digits) {
    return JackpotStream.amount(Number(amount), digits);
  }

  function typed(row, but) {
    return row.fields
      .filter((field) => field !== but)
      .reduce((total, field) => total + (minor(field.value, row.digits) || 0n), 0n);
  }

  function words(row) {
    if (row.fields.some((field) => minor(field.value, row.digits) === null)) {
      return "An amount cannot be read.";
    }
    const rest = row.due - typed(row);
    if (rest < 0n) {
      return `${written(-rest, row.digits)} too much`;
    }
    return rest === row.due ? "" : rest === 0n ? "Total matches" : `Remaining: ${written(rest, row.digits)}`;
  }

  function add() {
    let given = 0n;
    let due = 0n;
    for (const row of rows) {
      row.sum.textContent = words(row);
      given += typed(row);
      due += row.due;
    }
    const total = document.querySelector("[data-total]");
    if (total && rows.length) {
      const digits = rows[0].digits;
      total.textContent = `${written(given, digits)} of ${written(due, digits)}`;
    }
  }

  function fill(row, field) {
    const others = typed(row, field);
    field.value = others < row.due ? written(row.due - others, row.digits) : "";
  }

  document.addEventListener("input", add);
  document.addEventListener("keydown", (event) => {
    const row = rows.find((each) => each.fields.includes(event.target));
    if (row && event.key === "=") {
      event.preventDefault();
      fill(row, event.target);
      add();
    }
  });

  function button(label, text, act) {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "button quiet fill";
    made.textContent = text;
    made.setAttribute("aria-label", label);
    made.addEventListener("click", () => {
      act();
      add();
    });
    return made;
  }

  // By touch: the balance at each field; all lines at once above the table. Keys have "=".
  for (const row of rows) {
    for (const field of row.fields) {
      const label = field.labels[0].textContent.trim().toLowerCase();
      const made = button(`The rest in ${label}`, "Balance", () => fill(row, field));
      made.tabIndex = -1;
      field.after(made);
    }
  }
  const place = document.querySelector("[data-fill-all]");
  for (const name of place && rows.length > 1 ? ["chips", "cash"] : []) {
    place.append(
      button(`Everything in ${name}`, `All in ${name}`, () => {
        for (const row of rows) {
          for (const field of row.fields) {
            field.value = "";
          }
          fill(row, row.fields.find((field) => field.dataset.part === name));
        }
      }),
    );
  }
  add();
})();
