// The rows of a table to filter, by choices and words. What is chosen stands in the address, so that a view can be linked
// to: claims.html#paper=Wang+%26+Hegde+2019&verdict=fails. Without a script all rows are there.
// rows: {row, text, and a value or several for each choice}; choices: [name, first option, its options, their titles];
// tell(filtered) is called when the rows that are shown have changed.
const filterRows = ({ before, label, noun, rows, choices, tell = () => {} }) => {
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
  const all = Object.assign(document.createElement("button"), { type: "reset", textContent: "Show all" });
  form.append(said, all);
  before.before(form);

  const chosen = () => new URLSearchParams([...new FormData(form)].filter(([, value]) => value.trim()));
  const show = () => {
    const { words = "", ...exact } = Object.fromEntries(chosen());
    const wanted = words.toLowerCase().split(/\s+/);
    for (const one of rows) {
      one.row.hidden = !(Object.entries(exact).every(([name, value]) => [one[name]].flat().includes(value))
        && wanted.every((word) => one.text.includes(word)));
    }
    const filtered = chosen().size > 0;
    tell(filtered);
    const found = rows.filter(({ row }) => !row.hidden).length;
    said.textContent = filtered ? `${found || "None"} of ${rows.length} ${noun}` : `All ${rows.length} ${noun}`;
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
    (filtered ? form : document.getElementById(location.hash.slice(1)))?.scrollIntoView();
    return filtered;
  };
  form.addEventListener("input", () => { show(); keep(); });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(() => { show(); keep(); said.focus(); }));  // the fields are empty after the event
  addEventListener("hashchange", () => follow() && said.focus());
  follow();
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

// The map of the field, by unit, model and what is released: columns 2 to 4 of its table.
for (const table of document.querySelectorAll("table.field-map")) {
  filterRows({
    before: table.closest(".pst-scrollable-table-container") ?? table, label: "Filter the papers", noun: "papers",
    rows: [...table.tBodies[0].rows].map((row) => {
      const [, unit, model, released] = [...row.cells].map((cell) => cell.textContent.trim().split(", "));
      return { row, unit, model, released, text: row.textContent.toLowerCase() };
    }),
    choices: [["unit", "any unit"], ["model", "any model"], ["released", "anything"]],
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
