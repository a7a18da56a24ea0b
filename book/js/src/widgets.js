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

// executed notebooks carry one line in place of the front end, and take it from here
globalThis.privrlExplorer = explorer;
globalThis.privrlGame = game;

const modules = { "@jupyter-widgets/base": base, "@jupyter-widgets/controls": controls, anywidget };

class BookManager extends ManagerBase {
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

// ipywidgets typesets every label through the interface of MathJax 2; the pages carry MathJax 3, or none at all
function shimMathJax() {
  const mathJax = (window.MathJax ??= {});
  mathJax.Hub ??= { Queue: ([, , element]) => {
    if (/\$|\\\(/.test(element.textContent)) mathJax.startup?.promise?.then(() => mathJax.typesetPromise([element]));
  } };
}

async function start() {
  const state = document.querySelector('script[type="application/vnd.jupyter.widget-state+json"]');
  if (!state) return;
  shimMathJax();
  const manager = new BookManager();
  const models = new Map((await manager.set_state(JSON.parse(state.textContent))).map((model) => [model.model_id, model]));
  for (const view of document.querySelectorAll('script[type="application/vnd.jupyter.widget-view+json"]')) {
    const model = models.get(JSON.parse(view.textContent).model_id);
    if (!model) continue;
    const element = document.createElement("div");
    element.className = "widget-subarea";
    view.before(element);
    nameSliders(() => element);
    await manager.display(model, element);
  }
  document.documentElement.dataset.widgets = "ready"; // stills make way (explorer.css)
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
