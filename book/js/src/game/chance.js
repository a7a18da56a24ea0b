// Chance in the page: a coin, and cards that are shuffled when none is left. No noise is made here.

// Uniform numbers in [0, 1): sfc32 (Chris Doty-Humphrey), from a seed, or from the browser's own randomness.
export function uniforms(seed) {
  let [a, b, c] = seed === null ? crypto.getRandomValues(new Uint32Array(3)) : [seed >>> 0, 0x9e3779b9, 0x243f6a88];
  let counter = 1;
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return (sum >>> 0) / 4294967296;
  };
  for (let k = 0; k < 12; k++) next();
  return next;
}

// next() deals 0 .. count - 1 in random order, each once; then they are shuffled anew.
export function deck(count, uniform) {
  const cards = Uint32Array.from({ length: count }, (_, k) => k);
  let left = 0;
  return () => {
    if (!left) left = count;
    const pick = Math.floor(uniform() * left--), card = cards[pick];
    cards[pick] = cards[left];
    cards[left] = card;
    return card;
  };
}

// The probability of k or more of n, each with probability p.
export function tail(k, n, p) {
  let sum = 0, term = (1 - p) ** n;
  if (p >= 1) return k <= n ? 1 : 0;
  for (let j = 0; j <= n; j++) {
    if (j >= k) sum += term;
    term *= ((n - j) / (j + 1)) * (p / (1 - p));
  }
  return Math.min(1, sum);
}
