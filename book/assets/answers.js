// Answers in the page. The element #exercise-records holds, for each check of the page in its order, what tools/pages.py found in the
// notebook: the numbers that are right, the mistakes with a name, and the hint, or {} where code is the answer. Where the
// notebook says "Missing:", a field takes the place of these words. What was right, and after how many tries, stays in this browser.
{
  const KEY = "exercises", DONE = "✓ Right.";
  const records = JSON.parse(document.getElementById("exercise-records")?.textContent ?? "[]");
  const missing = [...document.querySelectorAll(".bd-article .cell_output p > strong:first-child")].filter((one) => one.textContent === "Missing:");
  const made = (name, properties, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };
  const stored = () => {
    try {
      return JSON.parse(localStorage.getItem(KEY)) ?? {};
    } catch {
      return {};  // no storage for this page, or not ours
    }
  };
  const store = (all) => {
    try {
      localStorage.setItem(KEY, JSON.stringify(all));
    } catch { /* then it lasts as long as the page */ }
  };

  // a number: 0.05, 1e-3, 1/20, sqrt(40), (1 + 2)^2; NaN for anything else
  const FUNCTIONS = { sqrt: Math.sqrt, exp: Math.exp, log: Math.log, ln: Math.log }, CONSTANTS = { pi: Math.PI, e: Math.E };
  function number(text) {
    const plain = text.toLowerCase().replace(/[−–]/g, "-").replace(/[×·]/g, "*").replace(/\*\*/g, "^").replace(/π/g, "pi").replace(/√/g, "sqrt");
    const parts = plain.match(/(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|[a-z][a-z.]*|\S/g) ?? [];
    const next = (...wanted) => (wanted.includes(parts[0]) ? parts.shift() : null);
    const sum = () => {
      let total = product();
      for (let sign; (sign = next("+", "-"));) total += sign === "+" ? product() : -product();
      return total;
    };
    const product = () => {
      let total = signed();
      for (let sign; (sign = next("*", "/"));) total *= sign === "*" ? signed() : 1 / signed();
      return total;
    };
    const signed = () => (next("-") ? -signed() : next("+") ? signed() : power());
    const power = () => {
      const base = atom();
      return next("^") ? base ** signed() : base;
    };
    const atom = () => {
      const part = parts.shift() ?? "", name = part.replace(/^(np|math)\./, "");
      if (/^[\d.]/.test(part)) return Number(part);
      if (Object.hasOwn(CONSTANTS, name)) return CONSTANTS[name];
      if (Object.hasOwn(FUNCTIONS, name)) return FUNCTIONS[name](atom());
      const inside = part === "(" ? sum() : NaN;
      return next(")") ? inside : NaN;
    };
    const found = sum();
    return parts.length ? NaN : found;
  }

  // what is to be said of an answer, and whether it is right; the same rule as privrl_core.pages.close_to
  function verdict(record, text) {
    const many = Array.isArray(record.expected), count = many ? record.expected.length : 1;
    const given = (many ? text.trim().replace(/^[[(](.*,.*)[\])]$/, "$1") : text).split(/[,;]/).map(number);
    if (given.length !== count) return { said: many ? `${count} numbers are asked for, with commas between them.` : "One number is asked for, with a point if it has decimals." };
    if (!given.every(Number.isFinite)) return { said: "This is no number that the page can read. Write 0.05, 1e-3, 1/20 or sqrt(40), for example." };
    const near = (numbers) => [numbers].flat().every((one, k) => one === null
      || Math.abs(given[k] - one) <= (record.absolute ?? record.relative * Math.abs(one)));
    if (near(record.expected)) return { right: true, said: DONE };
    const mistake = record.mistakes.find(([numbers]) => near(numbers));
    return { right: false, said: `✗ Not yet. ${mistake ? mistake[1] : record.hint}` };
  }

  // the few marks that hints and mistakes have
  const marked = (text) => text.split(/(`[^`]+`|\*[^*\s][^*]*\*)/).map((part, k) => (k % 2
    ? made(part[0] === "`" ? "code" : "em", { textContent: part.slice(1, -1) }) : part));

  const fields = [];
  missing.forEach((start, k) => {
    const record = records[k], line = start.parentElement;
    if (!record) return;
    const asked = [...document.querySelectorAll(".bd-article div.exercise")].filter((box) => box.compareDocumentPosition(line) & Node.DOCUMENT_POSITION_FOLLOWING).at(-1);
    const title = asked?.querySelector(".admonition-title .caption-text, .admonition-title")?.textContent.trim() ?? "Exercise";
    if (!record.hint) {
      line.replaceChildren("The answer is code. To try it, open this page as a notebook: ", made("code", { textContent: "make lab" }), " in a copy of the book.");
      line.className = "answer-code";
      return;
    }
    const count = Array.isArray(record.expected) ? record.expected.length : 1;
    const input = made("input", { type: "text", autocomplete: "off", spellcheck: false, required: true });
    input.setAttribute("autocapitalize", "off");
    const said = made("output", {});
    const form = made("form", { className: "answer" },
      made("label", {}, count > 1 ? `Your answer, ${count} numbers ` : "Your answer ", input), made("button", { type: "submit", textContent: "Check" }), said);
    form.setAttribute("aria-label", title);
    const id = asked?.id || `${location.pathname.split("/").slice(-2).join("/")}-${k}`;
    const show = () => {
      const kept = stored()[id];
      said.replaceChildren(kept?.right ? `${DONE} (${kept.tries === 1 ? "1 try" : `${kept.tries} tries`})` : "");
      form.classList.toggle("answer-right", Boolean(kept?.right));
    };
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const found = verdict(record, input.value), all = stored();
      if (found.right !== undefined) {
        const before = all[id] ?? { right: false, tries: 0 };
        all[id] = { right: before.right || found.right, tries: before.tries + !before.right };
        store(all);
      }
      said.replaceChildren(...marked(found.said));
      form.classList.toggle("answer-right", found.right === true);
      summary();
    });
    line.replaceWith(form);
    fields.push({ id, show });
  });

  const done = made("span", {}), save = made("button", { type: "button", textContent: "Save as a file" }), clear = made("button", { type: "button", textContent: "Forget" });
  const summary = () => {
    const all = stored(), right = fields.filter(({ id }) => all[id]?.right).length;
    done.textContent = `${right} of ${fields.length} done on this page. `;
    save.disabled = clear.disabled = !Object.keys(all).length;
  };
  save.addEventListener("click", () => {
    const address = URL.createObjectURL(new Blob([JSON.stringify(stored(), null, 1)], { type: "application/json" }));
    made("a", { href: address, download: "exercises.json" }).click();
    URL.revokeObjectURL(address);
  });
  clear.addEventListener("click", () => {
    store({});
    fields.forEach(({ show }) => show());
    summary();
  });
  if (fields.length) {
    const bar = made("p", { className: "answers-done" }, done, save, clear);
    done.setAttribute("role", "status");
    save.title = "The answers of all chapters, as JSON. They stay in this browser otherwise.";
    clear.title = "Forget the answers of all chapters.";
    document.querySelector(".bd-article h1").after(bar);
    fields.forEach(({ show }) => show());
    summary();
  }
}
