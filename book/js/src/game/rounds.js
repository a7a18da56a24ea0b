// Rounds: what the coin decided, what is published of it, what is left without the known, and the best score.
import { deck } from "./chance.js";

// The levels of a game with their numbers, and deal(level): one round.
export function readGame(specification, bytes, uniform) {
  const all = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  const part = (place) => (place ? all.subarray(place[0], place[0] + place[1]) : null);
  const { d, per } = specification;
  const noise = part(specification.noise), known = part(specification.known);
  const nextNoise = noise && deck(noise.length, uniform), nextKnown = known && deck(known.length / d, uniform);

  const levels = specification.levels.map((level) => {
    const means = level.means ? rows(part(level.means), d) : null, values = part(level.values), ratios = part(level.ratios);
    const cards = level.kind === "draws" ? [0, 1].map(() => deck(level.n, uniform)) : null;
    const density = level.pile?.density ? rows(part(level.pile.density), level.pile.density[1] / 2) : null;
    const epsilons = part(level.pile?.epsilons), deltas = part(level.pile?.deltas);
    const besides = specification.picture.beside.map((one, k) => ({ ...one, values: part(level.besides[k]) }));
    return { ...level, besides, means, values, ratios, cards, density, epsilons, deltas, score: scoreOf(level, means) };
  });

  // 0 or 1: the coin; then a stored draw, picked at random
  function deal(level) {
    const world = uniform() < 0.5 ? 0 : 1;
    if (level.kind === "draws") {
      const at = world * level.n + level.cards[world]();
      const published = Array.from(level.values.subarray(at * d, (at + 1) * d));
      return { world, published, left: published, score: level.ratios[at], x: level.ratios[at] };
    }
    const row = known ? nextKnown() * d : 0, published = [], left = [];
    for (let k = 0; k < d; k++) {
      const others = known ? known[row + k] : 0;
      if (level.kind === "exact") {
        const scale = 10 ** level.decimals;
        published.push(Math.round(((others + level.means[world][k]) / per) * scale) / scale);
        left.push(published[k] * per - others);
      } else {
        left.push(level.means[world][k] + level.scales[world] * noise[nextNoise()]);
        published.push((others + left[k]) / per);
      }
    }
    const score = level.score(left);
    return { world, published, left, score, x: level.pile?.on === "number" ? left[0] : level.kind === "exact" ? Math.sign(score) / 2 : score };
  }
  return { levels, deal };
}

const rows = (numbers, size) => Array.from({ length: numbers.length / size }, (_, k) => numbers.subarray(k * size, (k + 1) * size));

// The logarithm of how much likelier a release is in the first world (privrl_core.privacy.two_worlds).
function scoreOf(level, means) {
  if (!means) return null;
  const [a, b] = level.scales ?? [1, 1], size = means[0].length;
  if (level.law === "laplace") return (left) => (Math.abs(left[0] - means[1][0]) - Math.abs(left[0] - means[0][0])) / a;
  return (left) => {
    let sum = size * Math.log(b / a);
    for (let k = 0; k < size; k++) sum += (((left[k] - means[1][k]) / b) ** 2 - ((left[k] - means[0][k]) / a) ** 2) / 2;
    return sum;
  };
}

// How much of the difference between the worlds is there: 1 all of it, 0 nothing. All that matters, if the scales agree.
export function match(level, left) {
  const [inside, outside] = level.means;
  let sum = 0, size = 0;
  for (let k = 0; k < left.length; k++) {
    const step = inside[k] - outside[k];
    sum += step * (left[k] - outside[k]);
    size += step * step;
  }
  return size ? sum / size : 0;
}
