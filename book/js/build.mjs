// npm run build [-- INTO]: the front end for JupyterLab, the one script of the pages, MathJax, reveal.js, the theme's icons, and the type.
// INTO (default: the repository) is where the result goes; tests/test_assets.py holds one against the other.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const here = path.dirname(fileURLToPath(import.meta.url));
const into = path.resolve(process.argv[2] ?? path.join(here, "../.."));
const core = path.join(into, "privrl_core/pages/explorer");
const game = path.join(into, "privrl_core/pages/game");
const hospital = path.join(into, "privrl_core/pages/hospital");
const vendor = path.join(into, "book/assets/vendor");
process.chdir(here);

const shared = { bundle: true, minify: true, legalComments: "none", charset: "utf8", metafile: true, target: "es2022" };
// Not on the pages: parts of Node that the packages name for work that no page asks for, and a quarter of the script that cleans
// descriptions of foreign HTML. All descriptions are the book's own, and have none: tags are dropped.
const left = {
  name: "left-out",
  setup(build) {
    build.onResolve({ filter: /^(path|url|fs|source-map-js)$/ }, (found) => ({ path: found.path, namespace: "empty" }));
    build.onResolve({ filter: /^sanitize-html$/ }, (found) => ({ path: found.path, namespace: "plain" }));
    build.onLoad({ filter: /.*/, namespace: "empty" }, () => ({ contents: "module.exports = {}" }));
    build.onLoad({ filter: /.*/, namespace: "plain" }, () => ({ contents: 'export default (html) => html.replace(/<[^>]*>/g, "")' }));
  },
};

fs.rmSync(vendor, { recursive: true, force: true });
const lab = await esbuild.build({ ...shared, entryPoints: ["src/explorer.js"], format: "esm",
  outfile: path.join(core, "explorer.js") });
const played = await esbuild.build({ ...shared, entryPoints: ["src/game.js"], format: "esm", outfile: path.join(game, "game.js") });
const treated = await esbuild.build({ ...shared, entryPoints: ["src/hospital.js"], format: "esm", outfile: path.join(hospital, "hospital.js") });
const pages = await esbuild.build({ ...shared, entryPoints: ["src/widgets.js"], format: "iife",
  outfile: path.join(vendor, "widgets/widgets.js"), loader: { ".svg": "dataurl" }, plugins: [left],
  define: { "process.env.NODE_ENV": '"production"', global: "globalThis", process: '{"env":{}}' } });

// where the theme looks for its own
const icons = await esbuild.build({ ...shared, entryPoints: ["src/icons.js"], format: "iife",
  outfile: path.join(into, "book/assets/scripts/fontawesome.js") });

const mathjax = "node_modules/mathjax", fonts = "es5/output/chtml/fonts/woff-v2";
fs.cpSync(`${mathjax}/${fonts}`, path.join(vendor, "mathjax", fonts), { recursive: true });
fs.copyFileSync(`${mathjax}/es5/tex-mml-chtml.js`, path.join(vendor, "mathjax/es5/tex-mml-chtml.js"));

// the slides of tools/slides.py, with a window for who speaks
const reveal = path.join(vendor, "reveal");
for (const file of ["dist/reveal.css", "dist/reveal.js", "plugin/notes/notes.js"]) {
  fs.cpSync(`node_modules/reveal.js/${file}`, path.join(reveal, path.basename(file)));
}

// the type of the pages: what their languages use of it
const type = ["source-serif-4", "source-sans-3"].map((family) => `node_modules/@fontsource-variable/${family}`);
fs.mkdirSync(path.join(vendor, "fonts"));
for (const folder of type) for (const letters of ["latin", "greek"]) for (const style of ["normal", "italic"]) {
  const file = `${path.basename(folder)}-${letters}-wght-${style}.woff2`;
  fs.copyFileSync(`${folder}/files/${file}`, path.join(vendor, "fonts", file));
}

// Whose work is in a bundle, and under which licence. Jupyter's packages come without the text of theirs.
const text = (file) => `${fs.readFileSync(file, "utf8").replaceAll("\r\n", "\n").trim()}\n`;
function licences({ inputs }) {
  const packages = new Set(Object.keys(inputs).map((file) => file.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1]).filter(Boolean));
  return [...packages].sort().map((name) => {
    const folder = `node_modules/${name}`, { version, license } = JSON.parse(text(`${folder}/package.json`));
    const file = fs.readdirSync(folder).sort().find((entry) => /^(licen[cs]e|copying)/i.test(entry));
    if (!file && !/^@(jupyter-widgets|lumino)\//.test(name)) throw new Error(`${name} has no text of its licence`);
    const phosphor = name.startsWith("@lumino/") ? "Copyright (c) 2014-2017, PhosphorJS Contributors\n" : "";
    return `${name} ${version} (${license})\n\n${file ? text(`${folder}/${file}`) : phosphor + text("licences/jupyter.txt")}`;
  }).join(`\n${"-".repeat(100)}\n\n`);
}
fs.writeFileSync(path.join(core, "explorer.LICENSES.txt"), licences(lab.metafile));
fs.writeFileSync(path.join(vendor, "widgets/LICENSES.txt"), licences(pages.metafile));
fs.writeFileSync(path.join(into, "book/assets/scripts/fontawesome.LICENSES.txt"), licences(icons.metafile));
fs.writeFileSync(path.join(vendor, "fonts/LICENSES.txt"), type.map((folder) => `${path.basename(folder)}\n\n${text(`${folder}/LICENSE`)}`).join("\n"));
fs.writeFileSync(path.join(vendor, "mathjax/LICENSE.txt"), text(`${mathjax}/LICENSE`));
fs.writeFileSync(path.join(reveal, "LICENSE.txt"), text("node_modules/reveal.js/LICENSE"));

for (const { metafile } of [lab, played, treated, pages, icons]) {
  for (const [file, { bytes }] of Object.entries(metafile.outputs)) console.log(`${path.basename(file)}: ${(bytes / 1000).toFixed(0)} kB`);
}
