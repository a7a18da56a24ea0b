// The front end of privrl_core.pages.hospital: treat patients, see what came of it or noisy sums, and count what was lost.
import { show } from "./quantities.js";

const escape = (text) => String(text).replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
const strong = (text) => `<strong>${escape(text)}</strong>`;
const MANY = 200, ACROSS = 40, SQUARE = 9; // the hospitals of a plan, in rows
const whole = (value) => show(Math.round(value), 4); // recoveries: parts must add up to what is told
const sum = (values) => values.reduce((a, b) => a + b, 0);
const patients = (many) => `${many.toLocaleString("en")} patient${many === 1 ? "" : "s"}`;
const FLOOR = -0.25, ROOF = 1.25, HEIGHT = 58, SLIVER = 4; // a share of recovered patients beyond is drawn at the edge
let made = 0;

function render({ model, el }) {
  const game = model.get("specification"), id = `hospital-${made++}`;
  const [count, wanted, arms] = game.shape, { letters, views, sizes } = game;
  const bytes = model.get("outcomes"), stored = model.get("noise");
  const packed = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const noise = new Float32Array(stored.buffer.slice(stored.byteOffset, stored.byteOffset + stored.byteLength));
  const outcome = (hospital, patient, arm) => {
    const place = (hospital * wanted + patient) * arms + arm;
    return (packed[place >> 3] >> (7 - (place & 7))) & 1;
  };
  const state = { turn: 0, view: 0, size: sizes[Math.min(1, sizes.length - 1)], groups: [], played: views.map(() => []), plans: [] };
  const hospital = () => state.turn % count, means = () => game.means[hospital()], view = () => views[state.view];
  const treated = () => sum(state.groups.map((group) => group.many)), over = () => treated() >= wanted;
  const of = (arm) => state.groups.filter((group) => group.arm === arm);
  const many = (arm) => sum(of(arm).map((group) => group.many)), told = (arm) => sum(of(arm).map((group) => group.told));
  const gap = (arm) => Math.max(...means()) - means()[arm];
  const best = () => means().indexOf(Math.max(...means()));

  el.classList.add("game-view", "hospital-view");
  el.tabIndex = -1; // a click anywhere on it takes the keyboard
  el.innerHTML = template(game, id);
  const $ = (query) => el.querySelector(query), part = (name) => $(`[data-part="${name}"]`), out = (name) => $(`[data-out="${name}"]`);
  const tell = (html) => { out("said").innerHTML = html; };
  const seen = (group) => (view().scale ? `a noisy sum of ${strong(show(group.told))}` : `${strong(group.told)} recovered`);
  const share = (arm) => `${show(Math.round((100 * told(arm)) / many(arm)), 4)} of 100`;

  function treat(arm) {
    if (over()) return;
    const from = treated(), next = Math.min(state.size, wanted - from);
    const recovered = sum(Array.from({ length: next }, (_, k) => outcome(hospital(), from + k, arm)));
    const group = { arm, many: next, told: recovered + (view().scale ? view().scale * noise[(hospital() * noise.length) / count + state.groups.length] : 0) };
    state.groups.push(group);
    if (over()) finish();
    else tell(`${patients(next)} with ${strong(letters[arm])}: ${seen(group)}. ${(wanted - from - next).toLocaleString("en")} patients left.<span class="g-spoken"> In all, ${letters[arm]}: ${share(arm)}.</span>`);
    update();
  }
  function finish() {
    const lost = sum(state.groups.map((group) => group.many * gap(group.arm))), rule = view().lost[hospital()];
    const played = state.played[state.view]; // a hospital counts once in each column, for its second time is no surprise
    if (!played.some((one) => one.hospital === hospital())) played.push({ hospital: hospital(), lost });
    const worse = letters.map((letter, arm) => ({ letter, cost: gap(arm), had: many(arm) })).filter((one) => one.had && one.cost > 0);
    const why = worse.map((one) => `${patients(one.had)} with ${one.letter}, ${show(one.cost)} each`).join(", and ");
    tell(`${strong(`${letters[best()]} is the best.`)} You lost ${strong(`${whole(lost)} recoveries`)} on average${why ? `: ${why}` : ", nothing at all"}. The computer, by ${view().scale ? "the " : ""}${escape(view().rule)}, lost ${strong(whole(rule))} with the same patients.`);
    planned();
  }
  // the plan nearest to what was done: as many groups of the first size as the treatment got that was given least
  function planned() {
    const tried = Math.min(...letters.map((_, arm) => many(arm)));
    if (!view().plans.length || !tried) return;
    const size = of(letters.findIndex((_, arm) => many(arm) === tried))[0].many, far = (plan) => Math.abs(Math.log((plan[0] * plan[1]) / tried));
    const near = view().plans.filter((plan) => plan[0] === size).sort((a, b) => far(a) - far(b))[0];
    if (near) state.plans = [{ plan: near, view: state.view }, ...state.plans].slice(0, 2);
  }
  // the next hospital, and the first view in which none was treated yet
  function unplayed() { const found = state.played.findIndex((list) => !list.length); return found < 0 ? state.view : found; }
  function next() {
    if (over()) begin(unplayed());
    $("[data-arm]").focus({ preventScroll: true });
  }
  function begin(number) {
    const left = state.groups.length && !over() ? `Hospital ${hospital() + 1} was not finished and does not count. ` : "";
    if (state.groups.length) state.turn++;
    const again = state.groups.length && !hospital() ? `All ${count} hospitals are treated. Again from the first, which counts once only. ` : "";
    state.view = number; state.groups = [];
    tell(`${left}${again}${strong(`Hospital ${hospital() + 1}.`)} ${again ? "Its treatments are as before." : "Other patients, and the treatments have changed places."} You see ${escape(view().label)}.`);
    update();
  }

  // ---------------------------------------------------------------------------------------------- pictures
  function strip(arm) {
    const svg = part(`arm-${arm}`), width = svg.clientWidth || 300, x = (patient) => (width * patient) / wanted;
    const y = (value) => (HEIGHT * (ROOF - Math.min(ROOF, Math.max(FLOOR, value)))) / (ROOF - FLOOR);
    let from = 0;
    const bars = of(arm).map((group) => {
      const value = group.told / group.many, left = x(from), wide = Math.max(x(group.many) - 0.7, SLIVER);
      from += group.many;
      const box = (low, high, look) => `<rect x="${left.toFixed(2)}" width="${wide.toFixed(2)}" y="${y(high).toFixed(2)}" height="${Math.max(0, y(low) - y(high)).toFixed(2)}" class="${look}"/>`;
      return box(0, 1, "h-box") + box(Math.min(0, value), Math.max(0, value), view().scale ? "h-noisy" : "h-exact");
    });
    const truth = over() ? `<line x1="0" x2="${width}" y1="${y(means()[arm])}" y2="${y(means()[arm])}" class="h-truth"/>` : "";
    svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    svg.innerHTML = `<line x1="0" x2="${width}" y1="${y(0)}" y2="${y(0)}" class="g-axis"/><line x1="0" x2="${width}" y1="${y(1)}" y2="${y(1)}" class="g-grid"/>${bars.join("")}${truth}`;
    svg.setAttribute("aria-label", `Treatment ${letters[arm]}: ${many(arm) ? `${patients(many(arm))} in ${of(arm).length} groups, ${view().scale ? "by noisy sums " : ""}${share(arm)} recovered` : "not given yet"}${over() ? `; in truth ${show(100 * means()[arm])} of 100` : ""}.`);
  }
  // one square for each of many hospitals, full where it ends wrong
  function squares(k) {
    const { plan, view: number } = state.plans[k] ?? {}, wrong = plan ? Math.round(MANY * plan[2]) : 0;
    const wrongs = wrong || "Fewer than 1";
    out(`plan-${k}`).innerHTML = plan ? `${strong(`${plan[1]} × ${plan[0]} patients`)} with each, ${escape(views[number].label)}` : k ? "The plan before that." : "Your plan comes after your first hospital.";
    out(`wrong-${k}`).innerHTML = plan ? `${strong(`${wrongs} of ${MANY}`)} end with a wrong treatment. On average it loses ${strong(whole(plan[3]))} recoveries, and the computer ${whole(sum(views[number].lost) / count)}.` : "";
    part(`squares-${k}`).innerHTML = Array.from({ length: MANY }, (_, one) => `<rect x="${SQUARE * (one % ACROSS) + 1}" y="${SQUARE * Math.floor(one / ACROSS) + 1}" width="${SQUARE - 2}" height="${SQUARE - 2}" class="${one < wrong ? "h-wrong" : "h-box"}"/>`).join("");
    part(`squares-${k}`).setAttribute("aria-label", plan ? `${wrongs} of ${MANY} hospitals end with a wrong treatment.` : "No plan yet.");
  }
  function update() {
    if (game.trials.length) [0, 1].forEach(squares);
    letters.forEach((_, arm) => {
      strip(arm);
      $(`[data-arm="${arm}"]`).setAttribute("aria-disabled", String(over())); // and keeps the focus
      out(`mean-${arm}`).innerHTML = many(arm) ? `${strong(share(arm))}<br>${patients(many(arm))}` : "not given yet";
      out(`truth-${arm}`).textContent = over() ? `in truth ${show(100 * means()[arm])}${arm === best() ? ": best" : ""}` : "";
    });
    for (const input of el.querySelectorAll("input")) input.checked = Number(input.value) === (input.name.endsWith("view") ? state.view : state.size);
    const more = unplayed();
    part("next").disabled = !over();
    part("next").textContent = more === state.view ? (hospital() + 1 < count ? "Next hospital" : "Again from the first") : `Next hospital: ${views[more].label}`;
    out("left").textContent = (wanted - treated()).toLocaleString("en");
    out("number").textContent = `${hospital() + 1} of ${count}`;
    out("guarantee").textContent = view().guarantee;
    const average = (number, pick) => { const list = state.played[number]; return list.length ? whole(sum(list.map(pick)) / list.length) : "–"; };
    views.forEach((one, number) => {
      out(`you-${number}`).textContent = average(number, (game) => game.lost);
      out(`rule-${number}`).textContent = average(number, (game) => one.lost[game.hospital]);
      out(`blind-${number}`).textContent = state.played[number].length ? whole(game.random) : "–";
    });
    if (part("table").open) tabulate();
    el.dispatchEvent(new CustomEvent("game:drawn", { bubbles: true }));
  }
  function tabulate() {
    part("rows").innerHTML = `<thead><tr><th scope="col">group</th><th scope="col">treatment</th><th scope="col">patients</th><th scope="col">${view().scale ? "noisy sum" : "recovered"}</th></tr></thead><tbody>${
      state.groups.map((group, k) => `<tr><th scope="row">${k + 1}</th><td>${letters[group.arm]}</td><td>${group.many}</td><td>${show(group.told, 4)}</td></tr>`).join("")}</tbody>`;
  }

  // ---------------------------------------------------------------------------------------------- hands
  el.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button?.dataset.arm) treat(Number(button.dataset.arm));
    else if (button?.dataset.part === "next") next();
  });
  el.addEventListener("change", (event) => {
    const value = Number(event.target.value);
    if (event.target.name === `${id}-size`) state.size = value;
    else if (event.target.name === `${id}-view` && value !== state.view) begin(value);
  });
  el.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("summary")) return;
    const arm = letters.indexOf(event.key.toUpperCase());
    if (arm >= 0) treat(arm);
  });
  part("table").addEventListener("toggle", () => part("table").open && tabulate());
  let width = 0;
  const sized = new ResizeObserver(() => { if (el.clientWidth && el.clientWidth !== width) { width = el.clientWidth; update(); } });
  sized.observe(el);
  tell(`Choose how many patients come at a time, and treat them. ${wanted.toLocaleString("en")} come in all.`);
  update();
  el.hospital = { state, treat, next, begin, over }; // for the console, and for tests
  return () => sized.disconnect();
}

function template({ question, letters, views, sizes, shape, caption, trials }, id) {
  const choice = (name, legend, options) => `<fieldset class="h-choice"><legend>${legend}</legend><div>${
    options.map(([value, label]) => `<label><input type="radio" name="${id}-${name}" value="${value}"><span>${escape(label)}</span></label>`).join("")}</div></fieldset>`;
  const row = (name, label) => `<tr><th scope="row">${label}</th>${views.map((_, k) => `<td data-out="${name}-${k}"></td>`).join("")}</tr>`;
  const plans = trials.length ? `<div class="h-plans" aria-live="polite"><p class="g-title">Your plan in ${MANY} hospitals</p>
      <p class="h-key">Try each treatment on so many patients, then give all others what looks best. A full square is a hospital that ends with a wrong one.</p>
      <div>${[0, 1].map((k) => `<div><p data-out="plan-${k}"></p><svg role="img" data-part="squares-${k}" viewBox="0 0 ${ACROSS * SQUARE} ${(MANY / ACROSS) * SQUARE}"></svg><p data-out="wrong-${k}"></p></div>`).join("")}</div></div>` : "";
  return `
    <p class="g-question">${escape(question)}</p>
    <div class="h-choices">${choice("view", "What you see", views.map((one, k) => [k, one.label]))}${choice("size", "Patients at a time", sizes.map((size) => [size, size]))}</div>
    <div><div class="g-cell" role="group" aria-label="${escape(question)}">
      <p class="h-key">A box is a group of patients: its width is how many, its filled height is the share that recovered.</p>
      ${letters.map((letter, arm) => `<div class="h-arm"><button type="button" data-arm="${arm}">Give ${letter}</button>
        <svg role="img" data-part="arm-${arm}" height="${HEIGHT}"></svg><p class="h-mean"><span data-out="mean-${arm}"></span><span class="h-known" data-out="truth-${arm}"></span></p></div>`).join("")}
    </div></div>
    <p class="g-said" data-out="said" aria-live="polite"></p>
    <div class="g-play"><button type="button" class="g-go" data-part="next">Next hospital</button>
      <dl><div><dt>patients left</dt><dd data-out="left"></dd></div><div><dt>hospital</dt><dd data-out="number"></dd></div></dl></div>
    ${plans}
    <table class="h-lost"><caption>Recoveries lost among ${shape[1].toLocaleString("en")} patients, on average</caption>
      <thead><tr><td></td>${views.map((one) => `<th scope="col">${escape(one.label)}</th>`).join("")}</tr></thead>
      <tbody>${row("you", "you")}${row("rule", "the computer")}${row("blind", "at random")}</tbody></table>
    <p class="g-guarantee" data-out="guarantee"></p>
    <p class="g-caption">${escape(caption)}</p>
    <div class="g-foot"><span>After a click on this card, the keys ${letters.map((letter) => `<kbd>${letter}</kbd>`).join(" ")} give a treatment.</span>
      <details data-part="table"><summary>This hospital as a table</summary><div><table data-part="rows"></table></div></details></div>`;
}

export default { render };
