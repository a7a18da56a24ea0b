// The pictures of a game, as the content of an SVG. Heights are fixed: nothing moves while the reader plays.
import { show } from "../quantities.js";

export const COLOURS = ["var(--game-in)", "var(--game-out)"];
const TEXTS = ["g-in", "g-out"];
const DASHES = ["7 3", "2 3"];
export const REFERENCE = "#767676", REFERENCE_DASH = "1.5 4";

export const escape = (text) => String(text).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
export const key = (colour, dash = "", width = 2.2) => `<svg width="24" height="8" aria-hidden="true"><path d="M1 4H23" fill="none" style="stroke:${colour}"
  stroke-width="${width}" stroke-dasharray="${dash}" stroke-linecap="${dash === REFERENCE_DASH ? "round" : "butt"}"/></svg>`;
export const swatch = (world) => `<svg width="14" height="12" aria-hidden="true"><rect width="14" height="12" rx="2" style="fill:var(--game-${world ? "out" : "in"}-fill);stroke:${COLOURS[world]}"/></svg>`;
export const worldKey = (world) => key(COLOURS[world], DASHES[world], world ? 2.6 : 2.2);

export function frameOf(svg, height, { left = 44, right = 12, top = 10, bottom = 36 } = {}) {
  const width = Math.max(240, svg.parentElement.clientWidth);
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("height", height);
  return { svg, width, height, left, right: width - right, top, bottom: height - bottom };
}
const linear = (low, high, from, to) => (value) => from + ((value - low) / (high - low)) * (to - from);
const path = (xs, ys, style) => `<path fill="none" d="M${Array.from(xs, (x, k) => `${x.toFixed(1)} ${ys[k].toFixed(1)}`).join("L")}" ${style}/>`;
const line = (x1, x2, y1, y2, style) => `<line x1="${x1}" x2="${x2}" y1="${y1}" y2="${y2}" ${style}/>`;
const middle = (f) => (f.left + f.right) / 2;
const sparse = (ticks, most) => ticks.filter((_, k) => k % Math.ceil(ticks.length / most) === 0);

function xAxis(f, x, ticks, label) {
  return ticks.map(([at, name]) => `<text x="${x(at)}" y="${f.bottom + 16}" text-anchor="middle">${escape(name)}</text>`).join("") +
    `<text x="${middle(f)}" y="${f.bottom + 32}" text-anchor="middle">${escape(label)}</text>`;
}
function yAxis(f, y, ticks) {
  return ticks.map(([at, name]) => line(f.left, f.right, y(at), y(at), 'class="g-grid"') +
    `<text x="${f.left - 6}" y="${y(at) + 4}" text-anchor="end">${escape(name)}</text>`).join("");
}
function places(first, count) {
  const last = first + count - 1, step = [1, 2, 5, 10, 20, 50, 100].find((one) => count / one <= 5) ?? count;
  const inner = [];
  for (let at = Math.ceil((first + 1) / step) * step; at <= last - step / 2; at += step) inner.push(at);
  return [first, ...inner.filter((at) => at - first >= step / 2), ...(last > first ? [last] : [])].map((at) => [at, String(at)]);
}
const clip = (id, f, share) => `<clipPath id="${id}"><rect x="${f.left - 5}" y="${f.top - 8}" width="${(f.right - f.left + 10) * share}" height="${f.bottom - f.top + 16}"/></clipPath>`;

// A curve or stems over places: published values, or what is left.
export function series(f, { id, kind, values, low, high, ticks, first, x: xLabel, besides, colour, drawn, marks }) {
  const x = linear(first, first + Math.max(1, values?.length - 1 || besides.count - 1), f.left, f.right), y = linear(low, high, f.bottom, f.top);
  const at = (k) => x(first + k);
  let picture = clip(id, f, drawn) + yAxis(f, y, ticks) + xAxis(f, x, places(first, besides.count), xLabel);
  for (const one of besides) {
    const style = one.world === null ? `stroke="${REFERENCE}" stroke-width="2" stroke-dasharray="${REFERENCE_DASH}" stroke-linecap="round"`
      : `style="stroke:${COLOURS[one.world]}" stroke-width="${one.world ? 2.6 : 2.2}" stroke-dasharray="${DASHES[one.world]}"`;
    picture += path(Array.from(one.values, (_, k) => at(k)), Array.from(one.values, y), style);
  }
  if (values && kind === "curve") {
    picture += `<g clip-path="url(#${id})">${path(values.map((_, k) => at(k)), values.map(y), `style="stroke:${colour}" stroke-width="2.3" stroke-linejoin="round"`)}</g>`;
  } else if (values) {
    picture += `<g clip-path="url(#${id})">${values.map((value, k) => line(at(k), at(k), y(0), y(value), `style="stroke:${colour}" stroke-width="2"`) +
      `<circle cx="${at(k)}" cy="${y(value)}" r="3.2" style="fill:${colour}"/>`).join("")}</g>`;
  }
  if (kind === "stems") picture += line(f.left, f.right, y(0), y(0), 'class="g-axis"');
  if (marks) { // where the average of what is left would be in each world, and where it is
    const [inside, outside] = marks.at.map(y), gap = Math.max(0, 14 - Math.abs(inside - outside)) / 2; // names never overlap
    marks.at.forEach((value, world) => {
      picture += line(f.right + 3, f.right + 11, y(value), y(value), `style="stroke:${COLOURS[world]}" stroke-width="3"`);
      const lower = (world ? outside >= inside : inside > outside) ? 1 : -1;
      picture += `<text x="${f.right + 16}" y="${y(value) + 4 + gap * lower}" class="${TEXTS[world]} g-strong">${escape(marks.names[world])}</text>`;
    });
    if (marks.now !== null) picture += `<text x="${f.width}" y="${f.top - 1}" text-anchor="end">closer to</text><path d="M${f.right + 2} ${Math.min(Math.max(y(marks.now), f.top), f.bottom)}l11 -6v12z" style="fill:var(--game-ink);stroke:var(--game-paper)"/>`;
  }
  f.svg.innerHTML = picture;
}

// One number on an axis, the earlier ones of this level in two lanes.
export function single(f, { value, low, high, ticks, label, besides, names, colour, earlier }) {
  const x = linear(low, high, f.left, f.right), lanes = [f.top + 22, f.bottom - 22], centre = (f.top + f.bottom) / 2;
  const inside = (v) => Math.min(Math.max(v, low), high);
  let picture = ticks.map(([at]) => line(x(at), x(at), f.top, f.bottom, 'class="g-grid"')).join("") +
    line(f.left, f.right, f.bottom, f.bottom, 'class="g-axis"') + xAxis(f, x, sparse(ticks, f.width < 480 ? 5 : 11), "") +
    `<text x="${f.width / 2}" y="${f.bottom + 32}" text-anchor="middle">${escape(label)}</text>`;
  for (const one of besides) {
    const at = x(inside(one.values[0])), colours = one.world === null ? REFERENCE : COLOURS[one.world];
    picture += line(at, at, f.top, f.bottom, `style="stroke:${colours}" stroke-width="2" stroke-dasharray="${one.world === null ? REFERENCE_DASH : DASHES[one.world]}"`);
  }
  names.forEach((name, world) => { picture += `<text x="0" y="${lanes[world] + 4}" class="${TEXTS[world]}">${escape(name)}</text>`; });
  const taken = new Map(); // equal numbers stand above each other
  for (const { published, world } of earlier) {
    const place = `${published[0]},${world}`, before = taken.get(place) ?? 0;
    taken.set(place, before + 1);
    picture += `<circle cx="${x(inside(published[0]))}" cy="${lanes[world] + [0, -9, 9, -4.5, 4.5][before % 5]}" r="4" style="fill:var(--game-${world ? "out" : "in"}-fill);stroke:${COLOURS[world]}"/>`;
  }
  if (value !== null) picture += `<circle cx="${x(inside(value))}" cy="${centre}" r="8" style="fill:${colour};stroke:var(--game-paper)" stroke-width="2"/>`;
  f.svg.innerHTML = picture;
}

// Right guesses in 100 over the levels: the best attacker's, the reader's, and what the reader expected.
export function scores(f, { levels, level, told, bars }) {
  const x = levels.length > 1 ? linear(0, levels.length - 1, f.left, f.right) : () => middle(f), y = linear(0, 100, f.bottom, f.top);
  const last = levels.length - 1;
  const best = (k) => y(100 * levels[k].ceiling);
  // above its dot, clear of the lines; at the top, where there is no room above, beside the first and below the last
  const label = (k, yours) => (best(k) <= f.top + 6 ? (k === last ? [x(k) + 10, best(k) + 19, "end"] : [x(k) + 11, best(k) - 3, "start"])
    : Math.abs(best(k) - 14 - yours) < 14 ? [x(k), best(k) + 20, "middle"] // your own mark is where it would stand
      : [x(k) + (k === last ? 10 : 0), best(k) - 9, k === last ? "end" : "middle"]);
  f.svg.innerHTML = `<rect x="${x(level) - 16}" y="0" width="32" height="${f.height}" rx="6" style="fill:var(--game-tint)"/>` +
    [0, 50, 100].map((value) => (value === 50 ? "" : line(f.left - 14, f.width, y(value), y(value), 'class="g-grid"')) +
      `<text x="${f.left - 18}" y="${y(value) + 4}" text-anchor="end">${value}</text>`).join("") +
    line(f.left - 14, f.width, y(50), y(50), `stroke="${REFERENCE}" stroke-width="2" stroke-dasharray="${REFERENCE_DASH}" stroke-linecap="round"`) +
    told.map(({ done }, k) => (bars ? done && `<rect x="${x(k) - 9}" width="18" y="${best(k)}" height="${y(50) - best(k)}" style="fill:var(--game-in-fill)"/>` : done && told[k + 1]?.done // no line past a level that is still open
      ? path([x(k), x(k + 1)], [best(k), best(k + 1)], 'style="stroke:var(--game-accent)" stroke-width="2"') : "") || "").join("") +
    told.map(({ done, expected }, k) => {
      let found = "";
      if (done) {
        const yours = done.of ? y((100 * done.right) / done.of) : NaN, [across, height, anchor] = label(k, yours);
        found += `<circle cx="${x(k)}" cy="${best(k)}" r="4.5" style="fill:var(--game-accent)"/><text class="g-strong" x="${across}"
          y="${height}" text-anchor="${anchor}">${percent(levels[k].ceiling)}</text>`;
        if (done.of) found += `<path d="M${x(k)} ${yours - 7}l7 7l-7 7l-7 -7z" style="fill:none;stroke:var(--game-ink)" stroke-width="2"/>`;
      } else found += `<text x="${x(k)}" y="${y(75)}" text-anchor="middle" class="g-strong">?</text>`;
      if (expected !== null) found += line(x(k) - 9, x(k) + 9, y(100 * expected), y(100 * expected), 'style="stroke:var(--game-soft)" stroke-width="3"');
      return found;
    }).join("");
}

// 50, 50.3, 54, 100: one digit more where a whole number would hide the difference from a coin or from certainty
export const percent = (share) => {
  const value = 100 * share;
  return (value >= 52 && value < 99) || value > 99.95 || value === 50 ? value.toFixed(0) : value.toFixed(1);
};

const BINS = 40;
export const MANY = 160; // rounds from which on their long run is drawn

// All rounds of a level in two heaps, the line between the bets, and the long run of each once there are many.
export function heap(f, { id, rounds, pile, density, cut, names, factor, label, sticks }) {
  const { low, high } = pile, x = linear(low, high, f.left, f.right), width = (high - low) / BINS;
  const counts = [new Array(BINS).fill(0), new Array(BINS).fill(0)], bin = (value) => Math.max(0, Math.min(BINS - 1, Math.floor((value - low) / width)));
  for (const { x: value, world } of rounds) counts[world][bin(value)]++;
  const few = rounds.length <= 70, bells = density && rounds.length >= MANY, raised = bells && factor !== null;
  const long = bells ? density.map((one) => Array.from(one, (value) => (value * width * rounds.length) / 2)) : null;
  const together = counts[0].map((count, k) => count + counts[1][k]);
  // beside a raised heap there is room above: its sides are seen, and its top leaves the picture
  const highest = Math.max(1.08 * Math.max(few ? 12 : 4, ...counts.flat()), (raised ? 1.5 : 1.08) * Math.max(0, ...(long ? long.flat() : []))), y = linear(0, highest, f.bottom, f.top + 4);
  let picture = "";
  if (few) {
    const r = Math.max(2, Math.min((x(low + width) - x(low)) / 2 - 0.5, 5)), stacked = new Array(BINS).fill(0);
    const step = Math.min(2 * r + 0.5, (f.bottom - f.top) / Math.max(1, ...together));
    for (const { x: value, world } of rounds) {
      const k = bin(value);
      picture += `<circle cx="${x(low + (k + 0.5) * width).toFixed(1)}" cy="${(f.bottom - r - step * stacked[k]++).toFixed(1)}" r="${r}"
        style="fill:${world ? "var(--game-paper)" : COLOURS[0]};stroke:${COLOURS[world]}" stroke-width="1.8"/>`;
    }
  } else for (const world of [1, 0]) {
    const steps = counts[world].map((count, k) => `L${x(low + k * width).toFixed(1)} ${y(count).toFixed(1)}H${x(low + (k + 1) * width).toFixed(1)}`).join("");
    picture += `<path d="M${f.left} ${f.bottom}${steps}V${f.bottom}Z" style="fill:var(--game-${world ? "out" : "in"}-fill);stroke:${raised ? "none" : COLOURS[world]}" stroke-width="1.2" opacity="${raised ? 0.4 : 1}"/>`;
  }
  if (long) {
    const grid = long[0].map((_, k) => low + ((high - low) * k) / (long[0].length - 1)), xs = grid.map(x);
    if (raised) picture += stickingOut(f, { id, xs, y, ours: long[0], theirs: long[1].map((value) => value * factor), label, sticks });
    for (const world of [1, 0]) picture += path(xs, long[world].map(y), `style="stroke:${COLOURS[world]}" stroke-width="${raised && !world ? 2.6 : 2}" stroke-dasharray="${world ? DASHES[1] : ""}"`);
  }
  const at = x(cut);
  const cutter = factor !== null ? "" : line(at, at, f.top - 4, f.bottom, 'style="stroke:var(--game-ink)" stroke-width="2.5"') +
    `<path d="M${at} ${f.top - 7}m-6 0h12l-6 8z" style="fill:var(--game-ink)"/>`;
  f.svg.innerHTML = picture + line(f.left, f.right, f.bottom, f.bottom, 'class="g-axis"') + cutter + heapAxis(f, x, pile, names);
}

// The raised heap, and what of ours sticks out of it, both with their names beside them.
function stickingOut(f, { id, xs, y, ours, theirs, label, sticks }) {
  const peak = (one) => one.indexOf(Math.max(...one)), away = peak(ours) >= peak(theirs) ? 1 : -1;
  const last = ours.length - 1, within = (k) => Math.max(0, Math.min(last, k)), top = f.top - 6;
  const say = (x, height, text, style) => {
    const room = away > 0 ? f.right - x : x - f.left, turned = room < 7.2 * text.length;
    return `<text x="${turned ? (away > 0 ? f.right : f.left) : x}" y="${height}" text-anchor="${(away > 0) === turned ? "end" : "start"}" ${style}>${escape(text)}</text>`;
  };
  const out = ours.map((_, k) => k).filter((k) => ours[k] > theirs[k] + 1e-9);
  let picture = `<clipPath id="${id}"><rect x="${f.left}" y="${top}" width="${f.right - f.left}" height="${f.bottom - top}"/></clipPath>`;
  if (out.length > 1) {
    picture += `<path d="M${out.map((k) => `${xs[k].toFixed(1)} ${y(ours[k]).toFixed(1)}`).join("L")}L${[...out].reverse().map((k) => `${xs[k].toFixed(1)} ${y(theirs[k]).toFixed(1)}`).join("L")}Z" class="g-sticks"/>`;
    const best = out.reduce((one, k) => (ours[k] - theirs[k] > ours[one] - theirs[one] ? k : one));
    if (y(theirs[best]) - y(ours[best]) > 1.5) {
      const from = [Math.max(f.left, Math.min(f.right, xs[best] + 30 * away)), Math.max(f.top + 34, y(ours[best]) - 26)];
      picture += line(from[0], xs[best] + 2 * away, from[1] + 3, (y(ours[best]) + y(theirs[best])) / 2, 'style="stroke:var(--game-ink)"') +
        say(from[0] + 3 * away, from[1], sticks, 'class="g-strong"');
    }
  }
  picture += `<g clip-path="url(#${id})">${path(xs, theirs.map(y), `style="stroke:${COLOURS[1]}" stroke-width="3"`)}</g>`;
  // where its side, the one towards ours, leaves the picture; or beside its top
  let edge = peak(theirs);
  while (edge > 0 && edge < last && y(theirs[edge]) < top) edge += away;
  return picture + say(xs[within(edge)] + 8 * away, Math.max(f.top + 6, y(theirs[edge]) - (edge === peak(theirs) ? 9 : 0)), label, `class="${TEXTS[1]} g-bold"`);
}

function heapAxis(f, x, pile, names) {
  if (pile.on === "number") return xAxis(f, x, sparse(pile.ticks, f.width < 420 ? 5 : 9), pile.label);
  const factor = nice(Math.exp(0.75 * pile.high)), at = Math.log(factor);
  const words = pile.certain ? [[-0.5, names[1]], [0.5, names[0]]]
    : [[-at, `${show(factor)}× ${names[1]}`], [0, "even"], [at, `${show(factor)}× ${names[0]}`]];
  return words.map(([value, name]) => line(x(value), x(value), f.bottom, f.bottom + 4, 'class="g-axis"') +
    `<text x="${x(value)}" y="${f.bottom + 17}" text-anchor="middle" class="${value ? TEXTS[value < 0 ? 1 : 0] : ""}">${escape(name)}</text>`).join("") +
    `<text x="${middle(f)}" y="${f.bottom + 33}" text-anchor="middle">${pile.certain ? "the two worlds" : "how many times likelier the release is"}</text>`;
}
const nice = (value) => (value < 1.2 ? Number(value.toPrecision(3)) : value < 4 ? Number(value.toPrecision(2)) : Number(value.toPrecision(1)));

// The corners of what each place of the line achieves, found anew when there are more rounds: the line moves more often.
const known = new WeakMap();
function stairs(rounds, side) {
  const before = known.get(rounds);
  if (before?.size === rounds.length) return before.steps;
  const totals = [0, 0], found = [0, 0], sorted = [...rounds].sort((one, other) => side * (other.x - one.x));
  for (const { world } of sorted) totals[world]++;
  const steps = [[0, 0]], least = rounds.length > 1000 ? 0.004 : 0;
  for (const { world } of sorted) {
    found[world]++;
    const here = [found[1] / Math.max(1, totals[1]), found[0] / Math.max(1, totals[0])], last = steps[steps.length - 1];
    if (here[0] - last[0] + here[1] - last[1] > least) steps.push(here);
  }
  if (rounds.length) steps.push([totals[1] ? 1 : 0, totals[0] ? 1 : 0]);
  known.set(rounds, { size: rounds.length, steps });
  return steps;
}

// What each place of the line achieves: found against falsely accused.
export function roc(f, { rounds, density, side, point }) {
  const size = Math.min(f.right - f.left, f.bottom - f.top);
  f.right = f.left + size;
  const x = linear(0, 100, f.left, f.right), y = linear(0, 100, f.bottom, f.bottom - size);
  const steps = stairs(rounds, side), xs = steps.map(([alarms]) => x(100 * alarms)), ys = steps.map(([, hits]) => y(100 * hits));
  let long = "";
  if (density) {
    const sums = density.map((one) => { const all = one.reduce((a, b) => a + b, 0); let sum = 0;
      return (side > 0 ? Array.from(one).reverse() : Array.from(one)).map((value) => (sum += value) / all); });
    long = path([x(0), ...sums[1].map((v) => x(100 * v))], [y(0), ...sums[0].map((v) => y(100 * v))], 'style="stroke:var(--game-soft)" stroke-width="1.6" stroke-dasharray="7 3"');
  }
  f.svg.innerHTML = [0, 50, 100].map((at) => line(f.left, f.right, y(at), y(at), 'class="g-grid"') + line(x(at), x(at), f.bottom - size, f.bottom, 'class="g-grid"') +
    `<text x="${f.left - 6}" y="${y(at) + 4}" text-anchor="end">${at}</text><text x="${x(at)}" y="${f.bottom + 16}" text-anchor="middle">${at}</text>`).join("") +
    `<text x="${middle(f)}" y="${f.bottom + 32}" text-anchor="middle">falsely accused, in 100</text>` +
    `<text transform="translate(11 ${f.bottom - size / 2}) rotate(-90)" text-anchor="middle">found, in 100</text>` +
    path([x(0), x(100)], [y(0), y(100)], `stroke="${REFERENCE}" stroke-width="2" stroke-dasharray="${REFERENCE_DASH}" stroke-linecap="round"`) + long +
    (rounds.length ? path(xs, ys, 'style="stroke:var(--game-accent)" stroke-width="2.2" stroke-linejoin="round"') : "") +
    (rounds.length ? `<circle cx="${x(100 * point.alarms)}" cy="${y(100 * point.hits)}" r="6.5" style="fill:var(--game-ink);stroke:var(--game-paper)" stroke-width="2"/>` : "");
}
