// The one script of the pages: ipywidgets and the explorer, without a kernel, require.js or a network.
import "@jupyter-widgets/controls/css/labvariables.css";
import "@lumino/widgets/style/index.css";
import "@jupyter-widgets/controls/css/widgets-base.css";
import "../../../privrl_core/pages/explorer/explorer.css";
import "../../../privrl_core/pages/game/game.css";
import * as base from "@jupyter-widgets/base";
import { ManagerBase } from "@jupyter-widgets/base-manager";
import * as controls from "@jupyter-widgets/controls";
import { Widget } from "@lumino/widgets";
import { nameSliders } from "./accessible.js";
import * as anywidget from "./anywidget.js";
import explorer from "./explorer.js";
import game from "./game.js";
import hospital from "./hospital.js";

// executed notebooks carry one line in place of the front end, and take it from here
globalThis.privrlExplorer = explorer;
globalThis.privrlGame = game;
globalThis.privrlHospital = hospital;

const modules = { "@jupyter-widgets/base": base, "@jupyter-widgets/controls": controls, anywidget };

class BookManager extends ManagerBase {
  // ipywidgets asks for every label, whether it has a formula or none
  _rendermime = { latexTypesetter: { typeset(element) { if (/\$|\\\(/.test(element.textContent)) window.setFormulas?.([element]); } } };
  async loadClass(className, moduleName) {
    const found = modules[moduleName]?.[className];
    if (!found) throw new Error(`no widget ${className} in ${moduleName}`);
    return found;
  }
  async display(model, element) {
    Widget.attach((await this.create_view(model)).luminoWidget, element);
  }
  // nobody listens at the other end
  async _get_comm_info() { return {}; }
  async _create_comm() { return { on_close() {}, on_msg() {}, close() {}, send() {} }; }
}

// A page carries this script behind its first widget (tools/pages.py): that one is there before the browser shows or even
// reads what comes below. The others come when they are about to be seen, or when nothing else is to do.
const widgets = () => [...document.querySelectorAll('script[type="application/vnd.jupyter.widget-view+json"]')];
const manager = new BookManager(), mounted = new Set();
const models = manager.set_state(JSON.parse(document.querySelector('script[type="application/vnd.jupyter.widget-state+json"]').textContent));

async function mount(widget) {
  if (mounted.has(widget)) return;
  mounted.add(widget);
  await models;
  const { model_id: identity } = JSON.parse(widget.textContent);
  if (!manager.has_model(identity)) return;
  const element = document.createElement("div");
  element.className = "widget-subarea"; // its still makes way (explorer.css)
  widget.before(element);
  nameSliders(() => element);
  await manager.display(await manager.get_model(identity), element);
}

async function mountOthers() {
  const near = new IntersectionObserver((places) => {
    const seen = places.filter((place) => place.isIntersecting).map((place) => place.target);
    for (const widget of widgets()) if (seen.includes(widget.parentElement)) mount(widget);
  }, { rootMargin: "50%" });
  for (const widget of widgets()) near.observe(widget.parentElement);
  for (const widget of widgets()) {
    await new Promise((go) => (window.requestIdleCallback ?? setTimeout)(go));
    await mount(widget);
  }
  document.documentElement.dataset.widgets = "ready";
}

if (widgets().length) mount(widgets()[0]);
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", mountOthers);
else mountOthers();
