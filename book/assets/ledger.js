// The rows of a table to filter, by choices and words. What is chosen stands in the address, so that a view can be linked
// to: claims.html#paper=Wang+%26+Hegde+2019&verdict=fails. Without a script all rows are there.
// rows: {row, text, and a value or several for each choice}; choices: [name, first option, its options, their titles];
// tell(filtered, wanted) is called when the rows that are shown have changed; note(shown, wanted) follows the count; top is what an
// address scrolls to.
const fits = (one, { words = "", ...exact }) => Object.entries(exact).every(([name, value]) => !value || [one[name]].flat().includes(value))
  && words.toLowerCase().split(/\s+/).every((word) => one.text.includes(word));
const filterRows = ({ before, label, noun, rows, choices, note = () => "", top, tell = () => {} }) => {
  const form = document.createElement("form");
  form.className = "ledger-filter";
  form.setAttribute("role", "search");
  form.setAttribute("aria-label", label);
  const field = (name, control) => {
    control.name = name;
    form.append(Object.assign(document.createElement("label"), { textContent: name[0].toUpperCase() + name.slice(1) }));
    form.lastChild.append(control);
  };
  for (const [name, every, values = [...new Set(rows.flatMap((one) => one[name]))], title = (value) => value] of choices) {
    const select = document.createElement("select");
    select.append(new Option(every, ""), ...values.map((value) => new Option(title(value), value)));
    field(name, select);
  }
  field("words", Object.assign(document.createElement("input"), { type: "search", autocomplete: "off" }));
  const said = Object.assign(document.createElement("output"), { tabIndex: -1 });  // a status: read out whenever it changes
  const all = Object.assign(document.createElement("button"), { type: "reset", textContent: "Clear" });
  form.append(said, all);
  before.before(form);

  const chosen = () => new URLSearchParams([...new FormData(form)].filter(([, value]) => value.trim()));
  const show = () => {
    const filtered = chosen().size > 0, wanted = Object.fromEntries(chosen());
    for (const one of rows) one.row.hidden = !fits(one, wanted);
    tell(filtered, wanted);
    const found = rows.filter(({ row }) => !row.hidden);
    said.textContent = filtered ? `${found.length || "None"} of ${rows.length} ${noun}${note(found, wanted)}` : `All ${rows.length} ${noun}`;
    all.disabled = !filtered;
  };
  const keep = () => history.replaceState(null, "", `#${chosen()}`);
  const follow = () => {
    const address = new URLSearchParams(location.hash.slice(1));
    for (const control of form.querySelectorAll("select, input")) {
      control.value = address.get(control.name) ?? "";
      control.value ||= "";  // a choice that there is no more
    }
    show();
    const filtered = chosen().size > 0;
    (filtered ? top ?? form : document.getElementById(location.hash.slice(1)))?.scrollIntoView();
    return filtered;
  };
  form.addEventListener("input", () => { show(); keep(); });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(() => { show(); keep(); said.focus(); }));  // the fields are empty after the event
  addEventListener("hashchange", () => follow() && said.focus());
  follow();
  return (values) => {  // as if these had been chosen by hand
    for (const [name, value] of Object.entries(values)) form.elements[name].value = value;
    show();
    keep();
  };
};

// The claims ledger, by paper, verdict and page.
for (const ledger of document.querySelectorAll("#the-claims-ledger")) {
  const heading = (section) => section.querySelector("h2, h3").firstChild;
  const papers = [...ledger.querySelectorAll(":scope > section")];
  const groups = [...ledger.querySelectorAll(":scope > section > section")].map((section) => ({ section, title: heading(section).data }));
  const claims = [...ledger.querySelectorAll(":scope > section > section tbody tr")].map((row) => ({
    row,
    paper: heading(row.closest("section").parentElement).data,
    verdict: row.cells[2].textContent.trim().replace(/^\S+\s/, ""),
    page: row.querySelector("a[href*='chapters/']")?.getAttribute("href").match(/chapters\/(.+)\.html/)[1] ?? "",
    text: row.textContent.toLowerCase(),
  }));
  const titleOf = (page) => document.querySelector(`.bd-links a[href$="chapters/${page}.html"]`)?.textContent.trim() ?? page;

  // each count of a paper's first table leads to what it counts
  const counts = papers.map((section) => section.querySelector("table"));
  for (const [k, table] of counts.entries()) {
    for (const { cells: [verdict, count] } of table.tBodies[0].rows) {
      if (count.textContent.trim() === "0") continue;
      const chosen = new URLSearchParams({ paper: heading(papers[k]).data, verdict: verdict.querySelector("strong").textContent });
      const link = Object.assign(document.createElement("a"), { href: `#${chosen}`, textContent: count.textContent.trim() });
      link.setAttribute("aria-label", `${link.textContent} claims: ${chosen.get("paper")}, ${chosen.get("verdict")}`);
      count.replaceChildren(link);
    }
  }

  filterRows({
    before: papers[0], label: "Filter the claims", noun: "claims", rows: claims,
    choices: [["paper", "all papers"], ["verdict", "any verdict"],
      ["page", "any page", [...new Set(claims.map(({ page }) => page))].filter(Boolean).sort(), titleOf]],
    tell: (filtered) => {
      for (const { section, title } of groups) {
        const here = section.querySelectorAll("tbody tr:not([hidden])").length;
        section.hidden = here === 0;
        heading(section).data = filtered ? title.replace("(", `(${here} of `) : title;
      }
      for (const section of papers) section.hidden = !section.querySelector(":scope > section:not([hidden])");
      for (const table of counts) table.parentElement.hidden = filtered;
    },
  });
}

// The map of the field, by unit, model and what is released: columns 2 to 4 of its table, which is folded until something is
// chosen. The picture above it has a cell for each unit and model, which becomes a button: pressed, it shows these papers alone,
// and names them right below the picture. If there is none, those are named there that may fit but have no place.
// Arrow keys go from cell to cell, and the counts are those of the papers that the other choices leave. While the picture waits for
// the guess above it (guess.js), it has no dots, and a cell that is pressed is the guess.
for (const table of document.querySelectorAll("table.field-map")) {
  const picture = document.querySelector(".field-picture"), cells = [...picture.querySelectorAll("td[data-unit]")];
  const across = picture.querySelectorAll("thead th").length;
  const papers = [...table.tBodies[0].rows].map((row) => {
    const [, unit, model, released] = [...row.cells].map((cell) => cell.textContent.trim().split(", "));
    const placed = ![unit, model].flat().includes("not known to us");
    return { row, unit, model, released, placed, read: row.cells[5].textContent.trim(), text: row.textContent.toLowerCase() };
  });
  const dot = { "in full": "full", "in part": "full", abstract: "half", summary: "half", "not read": "none" };
  const waits = () => picture.classList.contains("guess-hidden"), unplaced = (some) => some.filter((one) => !one.placed).length;
  const folded = Object.assign(document.createElement("details"), { className: "field-list" });
  const title = document.createElement("summary");
  folded.append(title);
  const list = table.closest(".pst-scrollable-table-container") ?? table;
  list.before(folded);
  folded.append(list);
  const named = Object.assign(document.createElement("ul"), { className: "field-named" });
  picture.after(named);
  const item = ({ row }, first = "") => {  // who wrote it and when, with the link to the bibliography, and what it does
    const line = document.createElement("li"), copy = row.cells[0].cloneNode(true);
    for (const one of copy.querySelectorAll("[id]")) one.removeAttribute("id");
    for (const one of copy.querySelectorAll("br")) one.replaceWith(": ");
    line.append(first, ...(copy.querySelector("p") ?? copy).childNodes);
    return line;
  };
  const may = (one, name, wanted) => !wanted || [one[name]].flat().some((value) => [wanted, "not known to us"].includes(value));
  const mayFit = ({ unit, model, ...rest }) =>
    papers.filter((one) => !one.placed && fits(one, rest) && may(one, "unit", unit) && may(one, "model", model));
  const buttons = cells.map((cell, k) => {
    const button = Object.assign(document.createElement("button"), { type: "button", tabIndex: k ? -1 : 0 });
    button.append(...cell.childNodes);
    cell.append(button);
    return button;
  });
  const inOrder = (name) => [...new Set([...cells.map(({ dataset }) => dataset[name]), ...papers.flatMap((one) => one[name])])];
  const names = [], name = () => buttons.forEach((button, k) => button.setAttribute("aria-label", waits() ? names[k].split(": ")[1] : names[k]));
  const choose = filterRows({
    before: named.nextElementSibling, top: picture, label: "Filter the papers", noun: "papers", rows: papers,
    choices: [["unit", "any unit", inOrder("unit")], ["model", "any model", inOrder("model")], ["released", "anything"]],
    note: (shown, wanted) => {
      const lost = unplaced(shown.length ? shown : mayFit(wanted));
      if (shown.length) return lost ? `, ${lost === shown.length ? "without" : `${lost} of them without`} a place on the map` : "";
      return lost ? `; ${lost} of the ${unplaced(papers)} without a place may fit` : "";
    },
    tell: (filtered, wanted) => {
      const shown = papers.filter(({ row }) => !row.hidden);
      folded.open ||= filtered;
      title.textContent = `The list: ${filtered ? `${shown.length || "none"} of ` : ""}${papers.length} papers`;
      list.hidden = !shown.length;
      named.replaceChildren(...(wanted.unit && wanted.model ? shown : []).map((one) => item(one)),
        ...(shown.length ? [] : mayFit(wanted)).map((one) => item(one, "May fit, without a place: ")));
      named.hidden = !named.childElementCount;
      picture.classList.toggle("chosen", filtered);
      if (filtered) picture.classList.remove("guess-hidden");
      cells.forEach(({ dataset: { unit, model } }, k) => {
        const here = papers.filter((one) => fits(one, { words: "", unit, model }));
        const found = here.filter((one) => fits(one, { ...wanted, unit, model })), [number, dots] = buttons[k].children;
        number.textContent = found.length || "–";
        dots.replaceChildren(...found.map(({ read }) => dot[read]).sort().map((className) => Object.assign(document.createElement("i"), { className })));
        cells[k].classList.toggle("gap", !here.length);
        cells[k].classList.toggle("other", here.length > 0 && !found.length);
        names[k] = `${found.length || "no"} paper${found.length === 1 ? "" : "s"}: ${unit}, ${model}`;
        buttons[k].setAttribute("aria-pressed", String(wanted.unit === unit && wanted.model === model));
      });
      name();
    },
  });
  const mark = () => {  // once the guess is answered: the right cell, and the reader's if it is another
    if (waits() || !box?.querySelector(".guess-right")) return;
    for (const [className, choice] of [["right", ".guess-right"], ["guessed", ".guess-choice[aria-pressed='true']:not(.guess-right)"]]) {
      const said = box.querySelector(choice)?.textContent.trim();
      cells.find(({ dataset: { unit, model } }) => `${unit}, ${model}` === said)?.classList.add(className);
    }
  };
  new MutationObserver(() => { name(); mark(); }).observe(picture, { attributeFilter: ["class"] });
  const box = [...document.querySelectorAll(".guess")].findLast((one) => one.compareDocumentPosition(picture) & Node.DOCUMENT_POSITION_FOLLOWING);
  const guess = (cell) => {
    const choice = [...box.querySelectorAll(".guess-choice")].find(({ textContent }) => textContent.trim() === cell);
    if (choice) choice.click();
    else box.querySelector("output").textContent = `Not ${cell}. Try another cell.`;
  };
  buttons.forEach((button, k) => button.addEventListener("click", () => {
    if (waits()) return guess(`${cells[k].dataset.unit}, ${cells[k].dataset.model}`);
    const { unit, model } = button.ariaPressed === "true" ? { unit: "", model: "" } : cells[k].dataset;
    choose({ unit, model });
  }));
  picture.addEventListener("keydown", (event) => {
    const here = buttons.indexOf(event.target), column = here % across;
    const step = { ArrowLeft: column > 0 && -1, ArrowRight: column < across - 1 && 1, ArrowUp: -across, ArrowDown: across }[event.key];
    const next = step && buttons[here + step];
    if (here < 0 || !next) return;
    event.preventDefault();
    for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
    next.focus();
  });
}

// On the page of a paper, the address of a claim opens it; the next Tab goes to it, as to every place that an address names.
const openClaim = (address) => {
  const claim = document.getElementById(address.slice(1));
  if (!claim?.matches("details.claim")) return;
  claim.open = true;
  claim.scrollIntoView();
};
addEventListener("hashchange", () => openClaim(location.hash));
// a link to the address that is there already changes nothing, but the claim may have been closed meanwhile
addEventListener("click", ({ target }) => {
  const link = target.closest?.('a[href^="#"]');
  if (link && link.getAttribute("href") === location.hash) openClaim(location.hash);
});
openClaim(location.hash);
