// Patients as dots that walk while a round is published. One place is marked: what the coin decided about it stays hidden.

export function walkers(canvas, { shape: [n, weeks], start, end, place }, paths) {
  const last = paths.reduce((most, state) => Math.max(most, state), 1);
  const across = Array.from({ length: n }, (_, k) => (k * 0.618034) % 1), down = Array.from({ length: n }, (_, k) => (k * 0.754878) % 1);
  const rest = Math.round(0.34 * (weeks - 1)); // all arrive in the end: the picture rests where the crowd is spread most
  // share of the way from 0 to 1; world: null while it is hidden
  return (share, world) => {
    const ratio = devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
    if (!width) return;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const pen = canvas.getContext("2d"), css = getComputedStyle(canvas), colour = (name) => css.getPropertyValue(`--game-${name}`);
    pen.scale(ratio, ratio);
    const week = share < 1 ? share * rest : rest, whole = Math.floor(week), part = week - whole;
    const state = (k) => { const at = k * weeks + whole, now = paths[at]; return now + part * ((paths[at + (whole + 1 < weeks ? 1 : 0)]) - now); };
    const gap = (width - 16) / last, x = (s) => 8 + s * gap;
    pen.fillStyle = colour("soft");
    pen.globalAlpha = 0.55;
    for (let k = 1; k < n; k++) {
      pen.beginPath();
      pen.arc(x(state(k)) + (across[k] - 0.5) * gap * 0.9, 5 + down[k] * (height - 27), 1.8, 0, 7);
      pen.fill();
    }
    pen.globalAlpha = 1;
    const cx = Math.max(12, x(state(0))), cy = (height - 17) / 2, shade = world === null ? colour("ink") : colour(world ? "out" : "in");
    pen.fillStyle = colour("paper"); pen.beginPath(); pen.arc(cx, cy, 10, 0, 7); pen.fill();
    pen.strokeStyle = shade; pen.lineWidth = 2; pen.setLineDash(world === 0 ? [] : [4, 3]);
    pen.beginPath(); pen.arc(cx, cy, 9, 0, 7); pen.stroke(); pen.setLineDash([]);
    pen.fillStyle = shade;
    if (world === 0) { pen.beginPath(); pen.arc(cx, cy, 5.5, 0, 7); pen.fill(); }
    pen.textAlign = "center";
    if (world === null) { pen.font = `700 13px ${css.fontFamily}`; pen.textBaseline = "middle"; pen.fillText("?", cx, cy + 0.5); }
    pen.font = `12.5px ${css.fontFamily}`; pen.textBaseline = "alphabetic";
    pen.fillStyle = colour("ink");
    const half = pen.measureText(place).width / 2;
    const left = pen.measureText(start).width + half + 12, right = width - pen.measureText(end).width - half - 12;
    pen.fillText(place, Math.max(left, Math.min(right, cx)), height - 4);
    pen.fillStyle = colour("soft");
    pen.textAlign = "left"; pen.fillText(start, 0, height - 4);
    pen.textAlign = "right"; pen.fillText(end, width, height - 4);
  };
}
