// The front end of privrl_core.pages.game: publish, bet, see; what the best attacker gets is told when the rounds are over.
import { tail, uniforms } from "./game/chance.js";
import * as draw from "./game/pictures.js";
import { match, readGame } from "./game/rounds.js";
import { walkers } from "./game/walk.js";
import { show } from "./quantities.js";

const { escape, percent } = draw;
const strong = (text, side) => `<strong${side === undefined ? "" : ` class="${["g-in", "g-out"][side]}"`}>${escape(text)}</strong>`;
const rate = (x) => (Number.isFinite(x) ? `${Math.round(100 * x)} in 100` : "–");
const strongest = ({ best, player }) => (best === `best possible ${player}` ? `best ${player}` : best); // who else plays
let made = 0;

function render({ model, el }) {
  const game = model.get("specification"), id = `game-${made++}`, still = matchMedia("(prefers-reduced-motion: reduce)");
  let uniform = uniforms(game.seed ?? null);
  const { levels, deal } = readGame(game, model.get("tables"), () => uniform());
  const { worlds, rounds: wanted } = game, has = (stage) => game.stages.includes(stage), plays = has("rounds") || has("dial");
  const single = game.picture.kind === "number", pictured = plays || !single; // else the heaps are the one picture
  const alone = !plays && game.names ? 1 : 0; // the heaps are the whole game: no line, the question is how much sticks out
  const fresh = () => ({ results: [], expected: null, done: null });
  const state = { level: game.initial, reached: 1,
    phase: "ready", round: null, bet: null, subtracted: false, drawn: 1, view: null, asked: alone, told: false,
    matches: levels.map(fresh), heaps: levels.map(() => []) };
  const at = () => levels[state.level], now = () => state.matches[state.level], heap = () => state.heaps[state.level];
  const open = (stage) => game.stages.indexOf(stage) >= 0 && game.stages.indexOf(stage) < state.reached;
  const over = () => now().results.length >= wanted;

  el.classList.add("game-view");
  el.innerHTML = template(game, id, worlds, plays);
  const $ = (query) => el.querySelector(query), part = (name) => $(`[data-part="${name}"]`), out = (name) => $(`[data-out="${name}"]`);
  const dial = part("dial"), line = part("line"), factor = part("factor"), walked = game.walk && walkers(part("walk"), game.walk, new Uint8Array(model.get("paths").buffer, model.get("paths").byteOffset, model.get("paths").byteLength));

  // ---------------------------------------------------------------------------------------------- a round
  function publish() {
    if (state.phase === "bet") return;
    if (over()) { onward(); return; }
    state.round = deal(at());
    state.phase = "bet"; state.bet = null;
    tell(`Round ${now().results.length + 1} of ${wanted}. ${strong("What is your bet?")}<span class="g-spoken"> ${escape(summary())}</span>`);
    appear(!game.walk ? 600 : state.walked ? 650 : 1900);
    state.walked = true;
    part("bets").focus({ preventScroll: true });
  }
  function bet(world) {
    if (state.phase !== "bet" || over()) return null;
    stop();
    const focused = el.contains(document.activeElement), right = world === state.round.world;
    state.bet = world; state.phase = "told";
    now().results.push({ right, bet: world });
    heap().push({ x: state.round.x, world: state.round.world, published: state.round.published });
    if (over()) finish();
    tell(`${strong(right ? "Right." : "Wrong.")} ${strong(worlds[state.round.world].truth, state.round.world)}${over() ? ` ${verdict()}` : unused(right)}`);
    update();
    if (focused) part("publish").focus({ preventScroll: true });
    return right;
  }
  const unused = (right) => (game.subtract && !state.subtracted && !right ? ` The curve alone can hardly tell you. Use what you know: ${escape(game.subtract.button[0].toLowerCase() + game.subtract.button.slice(1))}.` : "");
  function finish() {
    const { results } = now(), bets = results.filter((one) => one.bet === 0).length;
    now().done = { right: results.filter((one) => one.right).length, of: results.length, first: bets, by: "you" };
  }
  const better = () => (state.round.score > 0 ? 0 : 1); // the best attacker's bet
  function rest() { // the best attacker plays what is left of the rounds
    if (over() || !plays) return;
    stop();
    const mine = now().results.length;
    while (!over()) {
      if (state.phase !== "bet") { state.round = deal(at()); state.phase = "bet"; }
      now().results.push({ right: better() === state.round.world, bet: better(), by: "best" });
      heap().push({ x: state.round.x, world: state.round.world, published: state.round.published });
      state.phase = "told";
    }
    state.bet = null; state.subtracted = Boolean(game.subtract);
    const theirs = now().results.filter((one) => one.by === "best"), yours = now().results.filter((one) => !one.by);
    now().done = { right: yours.filter((one) => one.right).length, of: mine, first: -1, by: "best" };
    tell(`The ${escape(strongest(game))} played ${theirs.length} round${theirs.length > 1 ? "s" : ""} for you, and was right in ${theirs.filter((one) => one.right).length}. ` +
      `In the long run that ${escape(game.player)} is right in ${strong(`${percent(at().ceiling)} of 100`)}.`);
    update();
    part("publish").focus({ preventScroll: true });
  }

  function verdict() {
    const { done: { right, of, first }, expected } = now(), { ceiling } = at();
    const said = [`<br>You were right ${strong(`${right} of ${of}`)} times${expected === null ? "" : `; you expected ${expected}`}. The ${escape(game.best)} is right in ${strong(`${percent(ceiling)} of 100`)}.`];
    const constant = of > 2 && (first === of || first === 0);
    if (constant) said.push(`You always bet ${strong(`“${worlds[first ? 0 : 1].name}”`)}: that is right in 50 of 100, whatever is published.`);
    else if (ceiling < 0.99 && right / of > ceiling) {
      const chance = tail(right, of, ceiling);
      said.push(chance < 0.35 ? `That was luck: even the best ${escape(game.player)} gets ${right} or more in only ${Math.max(1, Math.round(100 * chance))} of 100 tries.` : "More than that nobody gets for long.");
    } else if (at().kind !== "exact" && ceiling > 0.9 && right / of < ceiling - 0.15) said.push(`The ${escape(game.best)} makes fewer mistakes${game.best === `best possible ${game.player}` ? " with the same picture" : ""}.`);
    return said.join(" ");
  }

  // ---------------------------------------------------------------------------------------------- onward
  // what the main button does when the rounds are over
  function step() {
    if (has("dial") && !open("dial")) return { words: game.dial.first, go() { reach("dial"); setLevel(Math.min(state.level + 1, levels.length - 1)); } };
    if (has("dial") && state.level < levels.length - 1) return { words: game.dial.next.replace("{}", levels[state.level + 1].label), go() { setLevel(state.level + 1); } };
    if (has("piles") && !open("piles")) return { words: "Pile up the rounds", go() { reach("piles"); } };
    return { words: `${wanted} more rounds`, go: again };
  }
  function onward() {
    step().go();
    (over() ? part("publish") : part(state.phase === "ready" ? "publish" : "bets")).focus({ preventScroll: true });
  }
  function reach(stage) {
    state.reached = Math.max(state.reached, game.stages.indexOf(stage) + 1);
    if (stage === "piles") { tell(heap().length ? "Every round falls on one of two heaps. Pile up more." : ""); part("more").querySelector("button").focus({ preventScroll: true }); }
    update();
  }
  function setLevel(level) {
    if (level === state.level) return;
    stop();
    state.level = level;
    state.phase = over() ? "told" : "ready"; state.round = null; state.bet = null;
    if (line) line.value = 100;
    if (state.asked) startFactor();
    tell("");
    if (over()) tell(verdictOf());
    update();
    if (game.dial) out("spoken").textContent = `${game.dial.label}: ${at().label}.`;
  }
  function startFactor() { // where some sticks out and some no more
    const { epsilons, deltas } = at();
    if (!epsilons) return;
    factor.max = epsilons.length - 1;
    factor.value = deltas.findIndex((delta) => delta < 0.3 * deltas[0]);
  }
  const verdictOf = () => (now().done.by === "best" ? `The ${escape(game.best)} is right in ${strong(`${percent(at().ceiling)} of 100`)}.` : verdict().replace("<br>", ""));
  function again() {
    stop();
    state.matches[state.level] = { ...fresh(), done: null, told: now().done ?? now().told };
    state.heaps[state.level] = [];
    state.asked = alone; state.told = false;
    if (alone) factor.value = 0;
    state.phase = "ready"; state.round = null; state.bet = null;
    tell("Other draws, another coin.");
    update();
  }
  function subtract() {
    if (state.subtracted) return;
    state.subtracted = true;
    if (state.round) tell(`What is left: ${strong("which of the two is it?")}<span class="g-spoken"> ${escape(leftSummary())}</span>`);
    appear(700);
    part(state.phase === "bet" ? "bets" : "publish").focus({ preventScroll: true });
  }
  function pile(count) {
    stop();
    for (let k = 0; k < count; k++) {
      state.round = deal(at());
      heap().push({ x: state.round.x, world: state.round.world, published: state.round.published });
    }
    state.phase = "told"; state.bet = null;
    if (count === 1) {
      tell(`${strong(worlds[state.round.world].truth, state.round.world)}<span class="${pictured ? "g-spoken" : ""}"> ${escape(summary())}</span>`);
      appear(350);
    } else { tell(`${heap().length.toLocaleString("en")} rounds.`); update(); }
  }
  const tell = (html) => { out("said").innerHTML = html; };

  // ---------------------------------------------------------------------------------------------- words for those who do not see
  const unit = game.picture.unit ? ` ${game.picture.unit}` : "";
  function summary() {
    const { published } = state.round, last = game.picture.first + game.d - 1;
    const key = game.picture.key[0].toUpperCase() + game.picture.key.slice(1), named = game.picture.values;
    if (named.length) return `${key}: ${named.map(([value, name]) => `${name} ${published.filter((one) => one === value).length}`).join(", ")} times.`;
    if (game.picture.kind === "number") return `${key}: ${show(published[0], 4)}${unit}.`;
    if (game.picture.kind === "stems") return `${key}: ${game.d} values, typical size ${show(Math.hypot(...published) / Math.sqrt(game.d))}${unit}, the largest ${show(Math.max(...published.map(Math.abs)))}.`;
    return `${key}: from ${show(published[0])} at ${game.picture.first} to ${show(published[game.d - 1])}${unit} at ${last}.${state.subtracted ? ` ${leftSummary()}` : ""}`;
  }
  const leftSummary = () => `What is left holds ${show(100 * match(at(), state.round.left))} percent of the difference: ${worlds[0].name} gives 100 and ${worlds[1].name} 0, give or take ${show(100 * spread())}.`;
  const spread = () => { // of the match, in one standard deviation
    if (!at().scales) return at().kind === "exact" ? 0.05 : NaN;
    const [inside, outside] = at().means;
    return at().scales[0] * (at().law === "laplace" ? Math.SQRT2 : 1) / Math.hypot(...Array.from(inside, (value, k) => value - outside[k]));
  };

  // ---------------------------------------------------------------------------------------------- motion
  let frame = 0, ending = null;
  function stop() { cancelAnimationFrame(frame); if (ending) { const end = ending; ending = null; end(); } }
  function animate(length, at, done) {
    stop();
    if (still.matches || document.hidden) { at(1); done(); return; }
    const start = performance.now();
    ending = () => { at(1); done(); };
    const tick = (time) => {
      const share = Math.min(1, Math.max(0, (time - start) / length));
      if (share < 1) { at(share); frame = requestAnimationFrame(tick); } else { ending = null; at(1); done(); }
    };
    frame = requestAnimationFrame(tick);
  }
  function appear(length) {
    state.drawn = 0; update();
    animate(length, (share) => { state.drawn = share; pictures(); }, () => { state.drawn = 1; update(); });
  }

  // ---------------------------------------------------------------------------------------------- pictures
  const narrow = () => el.clientWidth < 480;
  function pictures() {
    if (!el.clientWidth) return;
    const { round, phase, drawn } = state, level = at(), told = phase === "told" && round;
    const colour = told ? draw.COLOURS[round.world] : "var(--game-ink)";
    if (walked) walked(drawn, told && drawn === 1 ? round.world : null);
    const svg = part("published");
    if (!svg) return;
    if (single) {
      draw.single(draw.frameOf(svg, 150, { left: Math.min(110, 14 + 7.2 * Math.max(...worlds.map((one) => one.name.length))) }), { value: round && drawn > 0.3 ? round.published[0] : null, low: level.low, high: level.high, ticks: level.ticks,
        label: game.picture.y, besides: level.besides, names: worlds.map((one) => one.name), colour, earlier: heap().slice(0, told ? undefined : heap().length).slice(-200) });
    } else {
      draw.series(draw.frameOf(svg, narrow() ? 210 : 236, { left: Math.max(44, ...game.picture.values.map(([, name]) => 14 + 7.2 * name.length)) }), { id: `${id}-p`, kind: game.picture.kind, values: round?.published, low: level.low, high: level.high, ticks: level.ticks,
        first: game.picture.first, x: game.picture.x, besides: Object.assign([...level.besides], { count: game.d }), colour, drawn });
    }
    svg.setAttribute("aria-label", `${game.picture.title}. ${round ? summary() : "Nothing is published yet."}${told ? ` ${worlds[round.world].truth}` : ""}`);
    if (game.subtract) {
      part("locked").hidden = state.subtracted; part("left").style.display = state.subtracted ? "" : "none";
      if (state.subtracted) {
        const left = part("left"), mean = (values) => Array.from(values).reduce((a, b) => a + b, 0) / values.length;
        const centres = level.means.map(mean), f = draw.frameOf(left, narrow() ? 210 : 236, { right: 46 });
        draw.series(f, { id: `${id}-l`, kind: "curve", values: round?.left, low: level.left[0], high: level.left[1], ticks: level.leftTicks,
          first: game.picture.first, x: game.picture.x, colour, drawn,
          besides: Object.assign([0, 1].map((world) => ({ world, values: level.means[world] })), { count: game.d }),
          marks: { at: centres, names: worlds.map((one) => one.name), now: round && drawn === 1 && (told || level.kind !== "exact") ? centres[1] + match(level, round.left) * (centres[0] - centres[1]) : null } });
        left.setAttribute("aria-label", `${game.subtract.title}. ${round ? leftSummary() : "Nothing is published yet."}`);
      }
    }
  }
  function scorePlot() {
    if (!open("dial") || !el.clientWidth) return;
    const told = state.matches.map((one) => ({ done: one.done ?? one.told, expected: one.expected === null ? null : one.expected / wanted }));
    draw.scores(draw.frameOf(part("scores"), 190, { left: 46, right: 12, top: 14, bottom: 14 }), { levels, level: state.level, told, bars: game.dial.bars });
    part("scores").setAttribute("aria-label", `Right guesses in 100. ${levels.map((level, k) => `${level.label}: ${told[k].done ? `best possible ${percent(level.ceiling)}${told[k].done.of ? `, you ${told[k].done.right} of ${told[k].done.of}` : ""}` : "not played yet"}`).join(". ")}.`);
  }

  // ---------------------------------------------------------------------------------------------- heaps
  const side = () => (at().pile.on === "number" && at().means[0][0] < at().means[1][0] ? -1 : 1);
  const cut = () => at().pile.low + ((at().pile.high - at().pile.low) * line.value) / 200;
  const chosen = () => at().epsilons?.[factor.value] ?? 0;
  function rates() {
    const totals = [0, 0], beyond = [0, 0];
    for (const { x, world } of heap()) { totals[world]++; if (side() * (x - cut()) > 0) beyond[world]++; }
    return { hits: beyond[0] / totals[0], alarms: beyond[1] / totals[1], right: (beyond[0] + totals[1] - beyond[1]) / heap().length };
  }
  const ratio = () => Math.exp(at().pile.on === "number" ? at().score([cut()]) : cut());
  const times = (value) => (value >= 1e6 ? "over a million" : show(value));
  function heaps() {
    if (!open("piles") || !el.clientWidth) return;
    const level = at(), certain = level.kind === "exact", asked = state.asked && !certain, found = rates(), many = heap().length >= draw.MANY;
    const pileAxis = { ...level.pile, certain, label: game.picture.y };
    const k = Math.exp(chosen()), delta = level.deltas?.[factor.value] ?? 0;
    part("sticking").hidden = !asked || !many; // below there is nothing to raise
    for (const name of game.names ? ["line", "cutting", "ratio", "trade"] : ["line"]) part(name).hidden = asked; // one question at a time
    draw.heap(draw.frameOf(part("heap"), 240, { left: 10, right: 10 }), { id: `${id}-h`, rounds: heap(), pile: pileAxis, density: level.density, cut: cut(), names: worlds.map((one) => one.name),
      factor: asked ? k : null, label: `${worlds[1].name} × ${show(k)}`, sticks: state.told ? "δ" : "sticks out" });
    const totals = [0, 1].map((world) => heap().filter((one) => one.world === world).length);
    part("heap").setAttribute("aria-label", `${totals[0]} rounds ${worlds[0].name} and ${totals[1]} rounds ${worlds[1].name}, in two heaps that overlap${certain ? " nowhere" : ""}.${asked ? "" : ` The line stands at ${show(cut())}.`}`);
    draw.roc(draw.frameOf(part("roc"), 240, { left: 40 }), { rounds: heap(), density: many ? level.density : null, side: side(), point: { hits: found.hits || 0, alarms: found.alarms || 0 } });
    part("roc").setAttribute("aria-label", `Found against falsely accused, for every place of the line. Here ${rate(found.hits)} are found, and ${rate(found.alarms)} falsely accused.`);
    out("hits").textContent = rate(found.hits); out("alarms").textContent = rate(found.alarms);
    out("right").textContent = rate(found.right); out("rounds").textContent = heap().length.toLocaleString("en");
    line.setAttribute("aria-valuetext", `found ${rate(found.hits)}, falsely accused ${rate(found.alarms)}`);
    const [blue, orange] = worlds.map((one, world) => strong(one.name, world)), here = ratio();
    const taller = here >= 1 ? `${blue} is <strong>${times(here)} times</strong> as high as ${orange}` : `${orange} is <strong>${times(1 / here)} times</strong> as high as ${blue}`;
    out("ratio").innerHTML = certain ? `Where ${blue} lies there is no ${orange}: no factor makes it high enough.` : here.toPrecision(3) === "1.00" ? `At your line ${blue} is as high as ${orange} in the long run.` : `At your line ${taller} in the long run.`;
    const button = part("name");
    button.hidden = certain || (alone && !many) || state.asked >= (game.names ? 2 : 1);
    button.textContent = state.asked ? "Give it a name" : `How much higher is “${worlds[0].name}”?`;
    if (asked) {
      const sticks = delta >= 5e-4 ? (100 * delta).toPrecision(delta < 0.1 ? 2 : 3) : null, grown = k > 1 ? `${orange} is made ${show(k)} times as high` : `${orange} is as high as it is`;
      out("factor").textContent = `${show(k)} time${k === 1 ? "" : "s"}${state.told ? `: ε = ${show(chosen())}` : ""}`;
      factor.max = level.epsilons.length - 1;
      factor.setAttribute("aria-valuetext", `${show(k)} times`);
      const rest = sticks ? `${strong(`${sticks} in 100`)} of ${blue} still stick out` : `next to nothing of ${blue} sticks out`;
      out("naming").innerHTML = state.told
        ? `The factor is written e<sup>ε</sup>, and what still sticks out is called <strong>δ</strong>. Here <strong>ε\u00a0=\u00a0${show(chosen())}</strong> and <strong>δ\u00a0${sticks ? `=\u00a0${show(delta, delta < 0.1 ? 2 : 3)}` : "<\u00a00.0005"}</strong>: ${grown}, and ${rest}.`
        : `Where ${grown}, ${rest}.${sticks ? ` Make it higher, until ${blue} hides behind it.` : ""}`;
    }
    part("naming").hidden = !asked || !many;
  }

  // ---------------------------------------------------------------------------------------------- everything
  function update() {
    const { phase, round } = state, level = at(), { results } = now(), full = over();
    for (const stage of ["dial", "piles"]) { const section = part(`${stage}-stage`); if (section) section.hidden = !open(stage); }
    if (plays) {
      for (const world of [0, 1]) {
        const button = $(`[data-bet="${world}"]`), mine = phase === "told" && state.bet === world;
        button.disabled = phase !== "bet" || full;
        button.setAttribute("aria-pressed", String(mine));
      }
      const main = part("publish");
      main.disabled = phase === "bet" && !full;
      main.textContent = full ? step().words : game.publish; // one width: nothing moves
      part("rest").disabled = full;
      part("pips").innerHTML = Array.from({ length: wanted }, (_, k) => {
        const one = results[k];
        return one ? `<li class="${one.right ? "g-right" : "g-wrong"}${one.by ? " g-theirs" : ""}"><span aria-hidden="true">${one.right ? "✓" : "×"}</span><span class="g-spoken">round ${k + 1} ${one.by ? `by the best ${escape(game.player)} ` : ""}${one.right ? "right" : "wrong"}</span></li>`
          : `<li class="${k === results.length && phase === "bet" ? "g-now" : ""}"><span class="g-spoken">round ${k + 1} open</span></li>`;
      }).join("");
      const yours = results.filter((one) => !one.by);
      out("you").textContent = !yours.length ? "–" : `${yours.filter((one) => one.right).length} of ${yours.length}`;
      const known = now().done ?? now().told;
      out("best").textContent = known ? `${percent(level.ceiling)} of 100` : "after the rounds";
      if (game.expects) {
        const expect = part("expect");
        expect.disabled = results.length > 0;
        out("expect").textContent = now().expected === null ? "your guess" : `${now().expected} of ${wanted}`;
        if (now().expected !== null) expect.value = now().expected; else if (!results.length) expect.value = Math.round(wanted / 2);
        expect.setAttribute("aria-valuetext", now().expected === null ? "no guess yet" : `${now().expected} of ${wanted}`);
      }
    }
    if (game.dial) {
      dial.value = state.level;
      out("dial").textContent = level.label;
      dial.setAttribute("aria-valuetext", level.label);
    }
    const shown = Boolean(plays ? now().done || now().told : !game.names || state.told);
    for (const [k, note] of (part("notes") ? level.notes : []).entries()) part("notes").children[k].replaceChildren(...termsOf(note));
    // both stand in one place: the taller one gives the height before it is shown
    out("guarantee").textContent = level.guarantee;
    out("guarantee").classList.toggle("g-unseen", !shown);
    out("waiting").classList.toggle("g-unseen", shown);
    keys();
    pictures(); scorePlot(); heaps();
    if (part("table").open) tabulate();
    el.dispatchEvent(new CustomEvent("game:drawn", { bubbles: true }));
  }
  const termsOf = ([label, value]) => { const term = document.createElement("dt"), words = document.createElement("dd"); term.textContent = label; words.textContent = value; return [term, words]; };
  function keys() {
    const { phase, round } = state, told = phase === "told" && round, colour = told ? draw.COLOURS[round.world] : "var(--game-ink)";
    const legend = (name, items) => { if (part(name)) part(name).innerHTML = items.map(([mark, text]) => `<li>${mark}<span>${escape(text)}</span></li>`).join(""); };
    const reference = (one) => [one.world === null ? draw.key(draw.REFERENCE, draw.REFERENCE_DASH) : draw.worldKey(one.world), one.label];
    const coloured = single || at().besides.some((one) => one.world !== null); // then a key says already what blue and orange are
    const drawn = told && !coloured ? `${game.picture.key}, ${["blue", "orange"][round.world]} for “${worlds[round.world].name}”` : game.picture.key;
    legend("keys-published", [[game.picture.kind === "number" ? `<svg width="14" height="14" aria-hidden="true"><circle cx="7" cy="7" r="6" style="fill:${colour}"/></svg>` : draw.key(colour), drawn], ...at().besides.map(reference),
      ...(single ? [[`<svg width="24" height="10" aria-hidden="true">${[[0, 5], [1, 19]].map(([world, cx]) => `<circle cx="${cx}" cy="5" r="4" style="fill:var(--game-${world ? "out" : "in"}-fill);stroke:${draw.COLOURS[world]}"/>`).join("")}</svg>`, "earlier rounds"]] : [])]);
    if (game.subtract) legend("keys-left", state.subtracted ? [[draw.key(colour), "left"], [draw.worldKey(0), game.subtract.keys[0]], [draw.worldKey(1), game.subtract.keys[1]]] : []);
    legend("keys-scores", [[`<svg width="12" height="12" aria-hidden="true"><circle cx="6" cy="6" r="4.5" style="fill:var(--game-accent)"/></svg>`, game.best],
      [`<svg width="14" height="14" aria-hidden="true"><path d="M7 1.5l5.5 5.5l-5.5 5.5l-5.5 -5.5z" style="fill:none;stroke:var(--game-ink)" stroke-width="2"/></svg>`, "you"],
      ...(game.expects ? [[draw.key("var(--game-soft)", "", 3), "you expected"]] : []), [draw.key(draw.REFERENCE, draw.REFERENCE_DASH), "a coin"]]);
    const raised = state.asked && at().density && heap().length >= draw.MANY;
    legend("keys-heap", [[draw.swatch(0), worlds[0].name], [draw.swatch(1), worlds[1].name],
      ...(at().density && heap().length >= draw.MANY ? [[draw.key(draw.COLOURS[0]) + draw.key(draw.COLOURS[1], "2 3"), "the long run"]] : []),
      ...(raised ? [[draw.key(draw.COLOURS[1], "", 3), `${worlds[1].name} × ${show(Math.exp(chosen()))}`], ['<svg width="14" height="12" aria-hidden="true"><rect width="14" height="12" rx="2" style="fill:var(--game-sticks)"/></svg>', `what sticks out of it${state.told ? ", δ" : ""}`]] : [])]);
    legend("keys-roc", [[draw.key("var(--game-accent)"), "these rounds"], [draw.key("var(--game-soft)", "7 3", 1.6), "the long run"], [draw.key(draw.REFERENCE, draw.REFERENCE_DASH), "a coin"]]);
  }
  function tabulate() {
    const { round } = state, left = game.subtract && state.subtracted, cell = (value) => `<td>${escape(game.picture.values.find(([one]) => one === value)?.[1] ?? show(value, 4))}</td>`;
    const head = [game.picture.x || "", game.picture.key, ...at().besides.map((one) => one.label), ...(left ? ["left"] : [])];
    part("rows").innerHTML = `<thead><tr>${head.map((text) => `<th scope="col">${escape(text)}</th>`).join("")}</tr></thead><tbody>` +
      Array.from({ length: game.d }, (_, k) => `<tr><th scope="row">${game.picture.first + k}</th>${round ? cell(round.published[k]) : "<td>–</td>"}${at().besides.map((one) => cell(one.values[k])).join("")}${left ? (round ? cell(round.left[k]) : "<td>–</td>") : ""}</tr>`).join("") + "</tbody>";
  }

  // ---------------------------------------------------------------------------------------------- hands
  const actions = { publish, rest, subtract, again, name() { state.asked++; if (state.asked === 1) { startFactor(); if (heap().length < 400) pile(400 - heap().length); } state.told = game.names && state.asked > 1; update(); if (part("name").hidden) factor.focus({ preventScroll: true }); },
    "pile-1": () => pile(1), "pile-20": () => pile(20), "pile-500": () => pile(500) };
  el.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button || !el.contains(button)) { if (event.target === part("walk")) stop(); return; }
    if (button.dataset.bet) bet(Number(button.dataset.bet));
    else actions[button.dataset.do]?.();
  });
  el.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, summary") || !plays) return;
    ({ 1: () => bet(0), 2: () => bet(1), p: () => state.phase !== "bet" && publish() })[event.key]?.();
  });
  dial?.addEventListener("input", () => setLevel(Number(dial.value)));
  line?.addEventListener("input", () => { stop(); heaps(); });
  factor?.addEventListener("input", () => { heaps(); keys(); });
  part("expect")?.addEventListener("input", (event) => { now().expected = Number(event.target.value); update(); });
  part("table").addEventListener("toggle", () => part("table").open && tabulate());
  part("trade")?.addEventListener("toggle", () => heaps());
  if (part("heap")) {
    const move = (event) => { const box = part("heap").getBoundingClientRect(); line.value = Math.round((200 * (event.clientX - box.left - 10)) / (box.width - 20)); heaps(); };
    part("heap").addEventListener("pointerdown", (event) => { event.target.setPointerCapture?.(event.pointerId); move(event); });
    part("heap").addEventListener("pointermove", (event) => { if (event.buttons) move(event); });
  }
  let width = 0;
  const sized = new ResizeObserver(() => { if (el.clientWidth && el.clientWidth !== width) { width = el.clientWidth; update(); } });
  sized.observe(el);
  const themed = new MutationObserver(() => pictures());
  themed.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  update();
  // for the console, and for tests
  el.game = { state, levels, wanted, publish, bet, rest, subtract, setLevel, reach, pile, again, best: () => better(), deal: () => deal(at()), seed(value) { uniform = uniforms(value); } };
  return () => { stop(); sized.disconnect(); themed.disconnect(); };
}

function template(game, id, worlds, plays) {
  const cell = (title, legend, picture, rest = "") => `<div class="g-cell">${title ? `<p class="g-title">${escape(title)}</p>` : ""}<ul class="g-legend" data-part="${legend}"></ul><svg role="img" data-part="${picture}"></svg>${rest}</div>`;
  const rounds = plays ? `
    <div class="g-play" data-part="bets" role="group" tabindex="-1" aria-label="${escape(game.question)}">
      <button type="button" class="g-go" data-part="publish" data-do="publish">${escape(game.publish)}</button>
      <button type="button" class="g-bet g-in" data-bet="0" aria-pressed="false">${escape(worlds[0].bet)}</button>
      <button type="button" class="g-bet g-out" data-bet="1" aria-pressed="false">${escape(worlds[1].bet)}</button>
    </div>` : "";
  const score = plays ? `
    <div class="g-score">
      <div><p class="g-term" id="${id}-pips">your ${game.rounds} rounds</p><ol class="g-pips" data-part="pips" aria-labelledby="${id}-pips"></ol></div>
      <dl><div><dt>you were right</dt><dd data-out="you"></dd></div><div><dt>${escape(game.best)}</dt><dd data-out="best"></dd></div></dl>
      <button type="button" class="g-small" data-part="rest" data-do="rest">Let the ${escape(strongest(game))} play the rest</button>
    </div>` : "";
  const expects = plays && game.expects ? `
    <div class="g-slider"><div class="g-top"><label for="${id}-expect">Before you play: how many of the ${game.rounds} will you get right?</label><output for="${id}-expect" data-out="expect"></output></div>
      <input id="${id}-expect" data-part="expect" type="range" min="0" max="${game.rounds}" step="1"></div>` : "";
  const notes = game.levels[0].notes.length ? `<dl class="g-notes" data-part="notes">${"<div></div>".repeat(Math.max(...game.levels.map((one) => one.notes.length)))}</dl>` : "";
  const dial = game.dial ? `
    <section class="g-stage" data-part="dial-stage" aria-label="${escape(game.dial.label)}">
      <div class="g-slider"><div class="g-top"><label for="${id}-dial">${escape(game.dial.label)}</label><output for="${id}-dial" data-out="dial"></output></div>
      ${plays ? `<p class="g-title">Right guesses in 100</p><ul class="g-legend" data-part="keys-scores"></ul><svg role="img" data-part="scores"></svg>` : '<svg role="img" hidden data-part="scores"></svg>'}
      <input id="${id}-dial" data-part="dial" type="range" min="0" max="${game.levels.length - 1}" step="1">
      <div class="g-ends"><span>${escape(game.dial.low)}</span><span>${escape(game.dial.high)}</span></div></div>
      ${notes}
    </section>` : "";
  const achieves = "What each place of the line achieves";
  const piles = game.stages.includes("piles") ? `
    <section class="g-stage" data-part="piles-stage" aria-label="All rounds, in two heaps">
      <div class="${game.names ? "" : "g-grid2"}">
        ${cell(game.levels[0].pile?.on === "number" ? "All rounds, by the published number" : "All rounds, by the best score", "keys-heap", "heap", `
        <div class="g-slider"><input data-part="line" type="range" min="0" max="200" step="1" value="100" aria-label="the line between the two bets"></div>`)}
        ${game.names ? "" : cell(achieves, "keys-roc", "roc")}
      </div>
      <div class="g-play g-more" data-part="more">
        <button type="button" data-do="pile-1">Play 1 round</button><button type="button" data-do="pile-20">Play 20</button><button type="button" data-do="pile-500">Play 500</button>
        <button type="button" class="g-go" data-part="name" data-do="name"></button>
      </div>
      <dl class="g-notes" data-part="cutting">
        <div><dt>found, of those ${escape(worlds[0].name)}</dt><dd data-out="hits"></dd></div>
        <div><dt>accused, of those ${escape(worlds[1].name)}</dt><dd data-out="alarms"></dd></div>
        <div><dt>right in all</dt><dd data-out="right"></dd></div>
        <div><dt>rounds</dt><dd data-out="rounds"></dd></div>
      </dl>
      <p class="g-ratio" data-part="ratio" data-out="ratio"></p>
      <div class="g-slider" data-part="sticking"><div class="g-top"><label for="${id}-factor">how many times as high “${escape(worlds[1].name)}” is made</label><output for="${id}-factor" data-out="factor"></output></div>
        <input id="${id}-factor" data-part="factor" type="range" min="0" max="100" step="1" value="0"></div>
      <p class="g-guarantee" data-part="naming" data-out="naming" aria-live="polite"></p>
      ${game.names ? `<details class="g-trade" data-part="trade"><summary>${achieves}</summary><div>${cell("", "keys-roc", "roc")}</div></details>` : ""}
    </section>` : "";
  const subtract = game.subtract ? cell(game.subtract.title, "keys-left", "left", `
    <div class="g-locked" data-part="locked"><div><button type="button" data-do="subtract">${escape(game.subtract.button)}</button><p>${escape(game.subtract.hint)}</p></div></div>`) : "";
  return `
    <p class="g-question">${escape(game.question)}</p>
    ${expects}
    ${game.walk ? `<ul class="g-legend"><li><svg width="8" height="8" aria-hidden="true"><circle cx="4" cy="4" r="2.4" style="fill:var(--game-soft)"/></svg><span>a patient</span></li><li><svg width="20" height="20" aria-hidden="true"><circle cx="10" cy="10" r="8" style="fill:none;stroke:var(--game-ink)" stroke-width="2" stroke-dasharray="4 3"/></svg><span>${escape(`${game.walk.place}: ${worlds[0].name} or ${worlds[1].name}?`)}</span></li></ul>
    <canvas class="g-walk" data-part="walk" role="img" aria-label="${escape(`${game.walk.shape[0]} dots walk from ${game.walk.start} to ${game.walk.end}. A ring marks: ${game.walk.place}.`)}"></canvas>` : ""}
    ${plays || game.picture.kind !== "number" ? `<div class="${game.subtract ? "g-grid2" : ""}">${cell(game.picture.title, "keys-published", "published")}${subtract}</div>` : ""}
    ${rounds}
    <p class="g-said${plays ? "" : " g-brief"}" data-out="said" aria-live="polite"></p>
    ${score}${dial}${piles}
    ${game.dial ? "" : notes}
    <p class="g-guarantee g-stack"><span data-out="guarantee"></span><span data-out="waiting">What is promised here is told ${plays ? "after the rounds" : "once it has a name"}.</span></p>
    <p class="g-caption">${escape(game.caption)}</p>
    <div class="g-foot"><span>${plays ? `Keys: <kbd>P</kbd> ${escape(game.publish.toLowerCase())}, <kbd>1</kbd> ${escape(worlds[0].name)}, <kbd>2</kbd> ${escape(worlds[1].name)}.` : ""}</span><button type="button" data-do="again">Draw again</button>
      <details data-part="table"${plays ? "" : " hidden"}><summary>This round as a table</summary><div><table data-part="rows"></table></div></details></div>
    <span class="g-spoken" aria-live="polite" data-out="spoken"></span>`;
}

export default { render };
