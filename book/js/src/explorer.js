// The front end of privrl_core.pages.explorer: sliders that follow one another, and the picture that they move.
import * as Plot from "@observablehq/plot";
import { nameSliders } from "./accessible.js";
import { axisOf, readScene, show } from "./quantities.js";

// Once for each model: the words beside the sliders, and the sliders that follow others.
function initialize({ model }) {
  const scene = readScene(model.get("specification"), model.get("tables"));
  let following = false;
  let last = slidersOf(model, scene);
  for (const name of scene.sliders) {
    model.on(`change:${name}`, () => {
      model.set(`${name}_shown`, scene.axes[name].words(model.get(name)));
      // when all links have passed the change on: a link does not carry what is set while it is at work
      if (!following) queueMicrotask(() => follow(name));
    });
  }

  function follow(name) {
    following = true;
    for (const follower of scene.followers) {
      if (!follower.of.includes(name)) continue;
      const { low, high, clamp } = scene.axes[follower.slider];
      const wanted = () => scene.number(follower, slidersOf(model, scene));
      if (wanted() < low || wanted() > high) model.set(name, stop(name, follower, low, high));
      model.set(follower.slider, clamp(wanted()));
    }
    following = false;
    last = slidersOf(model, scene);
    model.save_changes();
  }

  // How far towards its new value a slider may go before its follower is at the end of its range.
  function stop(name, follower, low, high) {
    const now = slidersOf(model, scene), axis = scene.axes[name];
    const at = (share) => axis.seen(axis.between(last[name], now[name], share));
    let reached = 0;
    for (let step = 0.5; step > 1e-6; step /= 2) {
      const wanted = scene.number(follower, { ...now, [name]: at(reached + step) });
      if (low <= wanted && wanted <= high) reached += step;
    }
    return reached > 1e-3 ? at(reached) : last[name]; // no creep that nobody sees
  }
}

const slidersOf = (model, scene) => Object.fromEntries(scene.sliders.map((name) => [name, scene.axes[name].seen(model.get(name))]));

const html = (tag, className, ...children) => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
};

const fill = (text, words) => text.replace(/\{(\w+)\}/g, (_, name) => words[name]);

const cap = (reference) => (reference ? "round" : "butt"); // strokes of no length: dots

const swatch = ({ colour, dash, reference }, { bars, dots }) => {
  const key = html("span", "explorer-key");
  key.setAttribute("aria-hidden", "true");
  if (bars && !reference) key.innerHTML = `<svg viewBox="0 0 14 14" width="14" height="14"><rect width="14" height="14" fill="${colour}" /></svg>`;
  else if (dots && !reference) key.innerHTML = `<svg viewBox="0 0 14 14" width="14" height="14"><circle cx="7" cy="7" r="5" fill="${colour}" /></svg>`;
  else key.innerHTML = `<svg viewBox="0 0 28 8" width="28" height="8"><line x1="1" x2="27" y1="4" y2="4" stroke="${colour}"
    stroke-width="${bars ? 3 : 2.5}" stroke-dasharray="${bars ? "none" : dash}" stroke-linecap="${cap(reference)}" /></svg>`;
  return key;
};

function render({ model, el }) {
  const scene = readScene(model.get("specification"), model.get("tables"));
  const x = scene.axes[scene.x], y = axisOf("y", scene.y);
  const marked = scene.sliders.includes(scene.x);

  const legend = scene.curves.map((curve) => ({ value: html("output", "explorer-value"), curve }));
  const still = html("div"), moving = html("div", "explorer-moving");
  const picture = html("div", "explorer-picture", still, moving);
  const leaving = html("p", "explorer-leaving");
  const readouts = scene.readouts.map((readout) => ({ ...readout, output: html("dd") }));
  const guarantee = html("p", "explorer-guarantee");
  const caption = html("p", "explorer-caption");
  const rows = html("tbody");
  const table = html("details", "explorer-table", html("summary", "", "The curves as a table"),
    html("div", "", html("table", "",
      html("thead", "", html("tr", "", ...[x.label, ...scene.curves.map((curve) => curve.label)].map(heading))), rows)));
  const spoken = html("p", "explorer-spoken");
  spoken.setAttribute("aria-live", "polite");

  el.classList.add("explorer-view");
  el.append(
    html("ul", "explorer-legend", ...legend.map(({ curve, value }) =>
      html("li", "", swatch(curve, scene), html("span", "", curve.label), ...(marked ? [value] : [])))),
    picture, leaving,
    html("dl", "explorer-readouts", ...readouts.map(({ label, output }) => html("div", "", html("dt", "", label), output))),
    guarantee, caption, table, spoken);
  el.explorer = model; // for the console, and for tests

  let size = { width: 0 };
  function resize() {
    const width = picture.clientWidth;
    if (!width || width === size.width) return;
    size = { width, height: picture.clientHeight };
    still.replaceChildren(frame(scene, x, y, size));
    draw();
  }

  let waiting = false;
  let speaking, handles = [];
  function draw() {
    waiting = false;
    const now = scene.derive(slidersOf(model, scene));
    const words = Object.fromEntries(scene.sliders.map((name) => [name, scene.axes[name].words(now[name])]));
    for (const readout of readouts) {
      const { name, digits, unit, output } = readout;
      words[name] = show(scene.number(readout, now), digits);
      output.textContent = unit ? `${words[name]} ${unit}` : words[name];
    }
    const alt = fill(scene.alt, words), lines = sample(scene, x, y, now);
    if (marked) for (const { curve, value } of legend) value.textContent = show(scene.number(curve, now));
    guarantee.textContent = fill(scene.guarantee, words);
    caption.textContent = fill(scene.caption, words);
    leaving.textContent = scene.dots ? "" : lines.map((line) => leaves(line, y)).filter(Boolean).join(" ");
    if (!size.width) return; // the words have their places, and so has all that follows, before there is a picture
    moving.replaceChildren(drawing({ scene, x, y, now, lines, size, marked, alt }));
    if (table.open) tabulate();
    if (handles.length < scene.sliders.length) handles = [...el.closest(".explorer")?.querySelectorAll('[role="slider"]') ?? []];
    handles.forEach((handle, k) => {
      handle.setAttribute("aria-valuetext", words[scene.sliders[k]]); // noUiSlider says the place of a choice only,
      handle.addEventListener("keydown", schedule); // and says it again on a key that moves nothing
    });
    clearTimeout(speaking);
    speaking = setTimeout(() => { spoken.textContent = alt; }, 700);
    el.dispatchEvent(new CustomEvent("explorer:drawn", { bubbles: true }));
  }

  function tabulate() {
    const now = slidersOf(model, scene);
    const many = standing(scene) ? x.size : 9;
    const places = new Set(Array.from({ length: many }, (_, k) => x.told(x.value(k / (many - 1))))); // a slider may have fewer
    rows.replaceChildren(...[...places].map((at) => {
      const values = scene.derive({ ...now, [x.name]: at });
      return html("tr", "", heading(show(at), "row"), ...scene.curves.map((curve) => html("td", "",
        shown(scene, curve, values, y) + (curve.low === null ? ""
          : ` (${show(scene.evaluate(curve.low, values))} to ${show(scene.evaluate(curve.high, values))})`))));
    }));
  }

  // once for all that changes in one event, and before the browser paints
  const schedule = () => { if (!waiting) { waiting = true; queueMicrotask(draw); } };
  for (const name of scene.sliders) model.on(`change:${name}`, schedule);
  table.addEventListener("toggle", tabulate);
  const sized = new ResizeObserver(resize);
  sized.observe(picture);
  draw();
  const named = nameSliders(() => el.closest(".explorer"));
  return () => { sized.disconnect(); named.disconnect(); clearTimeout(speaking); };
}

const heading = (text, scope = "col") => {
  const cell = html("th", "", text);
  cell.scope = scope;
  return cell;
};

// Every curve over x, with the sliders where they are: at the samples, and between them wherever a line would be off.
function sample(scene, x, y, now) {
  const lines = scene.curves.map((curve) => ({ ...curve, points: [] }));
  const high = y.scale === "log" ? Math.log(y.high) : y.high, low = y.scale === "log" ? Math.log(y.low) : y.low;
  // in heights of the picture; what is far outside counts as just outside
  const height = (value) => Math.min(Math.max(((y.scale === "log" ? Math.log(value) : value) - low) / (high - low), -0.5), 1.5);
  const at = (share) => {
    const value = x.value(share), values = scene.derive({ ...now, [x.name]: value });
    const points = lines.map((line) => ({
      x: value, y: scene.evaluate(line.value, values),
      low: line.low === null ? null : scene.evaluate(line.low, values),
      high: line.high === null ? null : scene.evaluate(line.high, values),
    }));
    return { share, points, heights: points.map((point) => height(point.y)) };
  };
  const add = ({ points }) => points.forEach((point, k) => lines[k].points.push(point));
  // a corner of a curve falls between two samples: halve until it is met
  const refine = (left, right, depth) => {
    const middle = at((left.share + right.share) / 2);
    const off = middle.heights.some((value, k) => Math.abs(2 * value - left.heights[k] - right.heights[k]) > 5e-4);
    if (!off) return;
    if (depth) refine(left, middle, depth - 1);
    add(middle);
    if (depth) refine(middle, right, depth - 1);
  };
  const coarse = Array.from({ length: scene.samples }, (_, k) => at(k / (scene.samples - 1)));
  // a corner between two samples bends the line at one of them, so straight stretches are looked at no further
  const bends = coarse.map(({ heights }, k) => k > 0 && k < coarse.length - 1 && heights.some((value, line) =>
    Math.abs(2 * value - coarse[k - 1].heights[line] - coarse[k + 1].heights[line]) > 5e-4));
  add(coarse[0]);
  for (let k = 1; k < coarse.length; k++) {
    if (!standing(scene) && (bends[k - 1] || bends[k])) refine(coarse[k - 1], coarse[k], 4);
    add(coarse[k]);
  }
  return lines;
}

// In words, if a curve or its band is not wholly in the picture.
function leaves({ label, points }, y) {
  const values = points.map((point) => point.y), bounds = points.flatMap((point) => [point.low ?? point.y, point.high ?? point.y]);
  const sides = (found) => [found.some((value) => value > y.high) && `above ${show(y.high)}`,
    found.some((value) => value < y.low) && `below ${show(y.low)}`].filter(Boolean);
  if (!sides(bounds).length) return "";
  if (!sides(values).length) return `The band of “${label}” leaves the picture: part of it lies ${sides(bounds).join(" and part ")}.`;
  if (values.some((value) => inside(value, y))) return `“${label}” leaves the picture: part of it lies ${sides(values).join(" and part ")}.`;
  return `“${label}” is outside the picture, ${sides(values).join(" and ")}: between ${show(Math.min(...values))} and ${show(Math.max(...values))}.`;
}

// Where a curve crosses the edge of the picture, an arrow that points on.
function exits({ points, colour }, y) {
  const side = (point) => Math.sign((point.y > y.high) - (point.y < y.low));
  return points.flatMap((point, k) => {
    const before = k && side(points[k - 1]), here = side(point);
    if (!k || before === here) return [];
    const out = here || before, edge = out > 0 ? y.high : y.low;
    return [{ x: points[k].x, y: edge, rotate: out > 0 ? 0 : 180, colour }];
  });
}

// What does not move: axes and their grid.
function frame(scene, x, y, size) {
  const sparse = size.width < 480 ? (_, k) => k % Math.ceil(scene.xTicks.length / 5) === 0 : () => true;
  const named = (ticks) => {
    const names = new Map(ticks);
    return { ticks: [...names.keys()], tickFormat: (value) => names.get(value), tickSize: 4, labelArrow: "none" };
  };
  const xAxis = named(scene.xTicks.filter(sparse)), yAxis = named(scene.yTicks);
  return Plot.plot({
    ...canvas(scene, x, y, size), className: "explorer-plot", ariaHidden: true,
    marks: [
      Plot.gridX(xAxis.ticks), Plot.gridY(yAxis.ticks),
      Plot.axisX({ ...xAxis, label: x.label, labelAnchor: "center", labelOffset: 38 }),
      Plot.axisY({ ...yAxis, label: y.label, labelAnchor: "top" }),
    ],
  });
}

const curve = ({ points, colour, dash, reference }) => Plot.line(points, { ...silent,
  x: "x", y: "y", stroke: colour, strokeWidth: reference ? 2.75 : 2.25, strokeDasharray: dash, strokeLinecap: cap(reference), clip: true });

const cell = (x) => (x.high - x.low) / (x.size - 1);

// A bar at each point of x; of a reference, the place of its top.
const bars = ({ points, colour, reference }, x, y, size) => (reference
  ? Plot.ruleY(points, { ...silent, y: "y", x1: (point) => point.x - 0.4 * cell(x), x2: (point) => point.x + 0.4 * cell(x), stroke: colour, strokeWidth: 3 })
  : Plot.ruleX(points.filter((point) => point.y > y.low), { ...silent, x: "x", y1: y.low, y2: "y", stroke: colour, strokeWidth: (0.6 * (size.width - 72)) / x.size, clip: true }));

// A dot at each point of x, but for what lies below the picture: it is not there yet.
const dots = ({ points, colour }, y) => Plot.dot(points.filter((point) => point.y >= y.low), { ...silent, x: "x", y: "y", fill: colour, r: 5.5 });

const standing = ({ bars, dots }) => bars || dots; // at the points of x, with nothing between them
const shown = (scene, curve, values, y) => (scene.dots && scene.evaluate(curve.value, values) < y.low ? "–" : show(scene.number(curve, values)));

const silent = { ariaHidden: true }; // Plot names its marks (“line”, “dot”); the alt text says what they show

// What moves.
function drawing({ scene, x, y, now, lines, size, marked, alt }) {
  // written when it is asked for: of hundreds, a reader points at one
  const told = (at) => {
    const values = scene.derive({ ...now, [x.name]: at });
    return [`${x.label}: ${show(at)}`, ...lines.map((line) => `${line.label}: ${shown(scene, line, values, y)}`)].join("\n");
  };
  const rows = lines[0].points.map((point) => ({ x: point.x, words: { toString: () => told(x.told(point.x)) } }));
  return Plot.plot({
    ...canvas(scene, x, y, size), className: "explorer-plot", ariaLabel: alt,
    marks: [
      ...lines.filter((line) => line.low !== null).map(({ points, colour }) =>
        Plot.areaY(points, { x: "x", y1: "low", y2: "high", fill: colour, fillOpacity: 0.18, clip: true, ...silent })),
      ...lines.map((line) => (scene.bars ? bars(line, x, y, size) : scene.dots && !line.reference ? dots(line, y) : curve(line))),
      Plot.dot(scene.dots ? [] : lines.flatMap((line) => exits(line, y)), { x: "x", y: "y", fill: "colour", symbol: "triangle", rotate: "rotate", r: 5, ...silent }),
      ...(marked ? [
        Plot.ruleX([now[x.name]], { strokeOpacity: 0.7, ...silent }),
        Plot.dot(lines.filter((line) => inside(scene.evaluate(line.value, now), y)),
          { x: () => now[x.name], y: (line) => scene.evaluate(line.value, now), fill: "colour", r: 4.5,
            stroke: "var(--explorer-paper)", strokeWidth: 1.5, ...silent }),
      ] : []),
      Plot.ruleX(rows, Plot.pointerX({ x: "x", strokeOpacity: 0.35, ...silent })),
      Plot.tip(rows, Plot.pointerX({ x: "x", title: "words", frameAnchor: "top", lineWidth: 30, lineHeight: 1.3, ...silent })),
    ],
  });
}

// half a place beyond the first and the last
const canvas = (scene, x, y, size) => ({
  ...size, marginTop: 28, marginRight: 16, marginBottom: 42, marginLeft: 56,
  x: { type: x.scale, domain: standing(scene) ? [x.low - cell(x) / 2, x.high + cell(x) / 2] : [x.low, x.high], axis: null },
  y: { type: y.scale, domain: [y.low, y.high], axis: null },
});

const inside = (value, y) => y.low <= value && value <= y.high;

export default { initialize, render };
