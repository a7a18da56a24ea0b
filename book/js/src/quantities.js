// What privrl_core/pages/explorer/tables.py computed, looked up: the same interpolation and the same way to print a number.

export function axisOf(name, { label, options, low, high, points, scale, grid, onGrid }) {
  const same = (index) => index;
  if (options) return { name, label, size: options.length, seen: same, position: same, words: (index) => options[index] };
  const scaled = scale === "log" ? Math.log10 : (value) => value;
  const unscaled = scale === "log" ? (value) => 10 ** value : (value) => value;
  const clamp = (value) => Math.min(Math.max(value, low), high);
  const start = scaled(low), span = scaled(high) - start;
  const even = (value) => ((scaled(clamp(value)) - start) / span) * (points - 1);
  const marks = grid?.map(scaled); // of a slider: numbers of three digits, not quite evenly spaced
  const uneven = (value) => {
    const lower = Math.min(Math.floor(even(value)), points - 2);
    return lower + (scaled(clamp(value)) - marks[lower]) / (marks[lower + 1] - marks[lower]);
  };
  const seen = (value) => clamp(Number(value.toPrecision(3))); // what readers see is what counts
  return {
    name, label, low, high, scale, size: points, clamp, words: (value) => show(value), seen,
    told: onGrid ? (value) => grid[Math.round(even(value))] : seen, // where numbers of a curve are told
    position: grid ? uneven : even,
    value: (share) => clamp(unscaled(start + span * share)),
    between: (from, to, share) => unscaled(scaled(from) + (scaled(to) - scaled(from)) * share),
  };
}

// A function of {axis name: value}, multilinear between the points of the grid.
function lookup(data, axes, scale) {
  const lower = new Int32Array(axes.length), share = new Float64Array(axes.length);
  const strides = axes.map((_, k) => axes.slice(k + 1).reduce((size, axis) => size * axis.size, 1));
  const mix = (k, at) => {
    if (k === axes.length) return data[at];
    const here = at + lower[k] * strides[k];
    if (share[k] === 0) return mix(k + 1, here);
    return (1 - share[k]) * mix(k + 1, here) + share[k] * mix(k + 1, here + strides[k]);
  };
  return (values) => {
    axes.forEach((axis, k) => {
      const position = axis.position(values[axis.name]);
      lower[k] = Math.min(Math.floor(position), axis.size - 2);
      share[k] = position - lower[k];
    });
    return scale === "log" ? Math.exp(mix(0, 0)) : mix(0, 0);
  };
}

// of two numbers exactly: reduce() hands over the place and the whole list as well
const OPERATIONS = {
  "*": (a, b) => a * b, "/": (a, b) => a / b, "+": (a, b) => a + b, "-": (a, b) => a - b,
  hypot: (a, b) => Math.hypot(a, b), max: (a, b) => Math.max(a, b), min: (a, b) => Math.min(a, b),
};

// The scene of a model: its axes by name, and evaluate(expression, values).
export function readScene(specification, bytes) {
  const axes = Object.fromEntries(Object.entries(specification.axes).map(([name, axis]) => [name, axisOf(name, axis)]));
  const all = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  let offset = 0;
  const tables = specification.tables.map((table) => {
    const over = table.axes.map((name) => axes[name]);
    const size = over.reduce((product, axis) => product * axis.size, 1);
    return lookup(all.subarray(offset, (offset += size)), over, table.scale);
  });
  const evaluate = (expression, values) => Array.isArray(expression)
    ? expression.slice(1).map((part) => evaluate(part, values)).reduce(OPERATIONS[expression[0]])
    : tables[expression](values);
  const derive = (values) => {
    for (const { axis, table } of specification.derived) values[axis] = tables[table](values);
    return values;
  };
  // The number that is shown: what must not be below the exact one is rounded up.
  const number = ({ value, up, digits = 3 }, values) => up ? roundUp(evaluate(value, values), digits) : evaluate(value, values);
  return { ...specification, axes, evaluate, number, derive };
}

const superscript = (number) => String(number).replace("-", "⁻").replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]);

// The smallest number of so many digits that is not below the value; a millionth is as fine as tables are.
export function roundUp(value, digits) {
  const nearest = Number(value.toPrecision(digits));
  if (nearest >= value - Math.abs(value) * 1e-6) return nearest;
  const exponent = nearest.toExponential(digits - 1).split("e")[1];
  return Number((nearest + 10 ** (exponent - digits + 1)).toPrecision(digits));
}

// 0.125, 12,300, 1.2 × 10⁻⁵
export function show(value, digits = 3) {
  if (value === 0) return "0";
  const sign = value < 0 ? "−" : "";
  const [mantissa, exponent] = Math.abs(value).toExponential(digits - 1).split("e");
  if (exponent >= -3 && exponent < 6) {
    const [whole, fraction] = String(Number(`${mantissa}e${exponent}`)).split(".");
    const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ","); // toLocaleString takes a tenth of a millisecond
    return sign + (fraction ? `${grouped}.${fraction}` : grouped);
  }
  const short = String(Number(mantissa)), power = "10" + superscript(Number(exponent));
  return sign + (short === "1" ? power : `${short}\u00a0×\u00a0${power}`);
}
