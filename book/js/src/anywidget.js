// What a page needs of anywidget: a model whose front end is a module, and its views.
// (anywidget's own script gives a front end two seconds to start, which a busy page does not always keep.)
import { DOMWidgetModel, DOMWidgetView } from "@jupyter-widgets/base";

// The front ends of the book are in its one script: a module would be fetched, and wait for all that the page has to do.
const OURS = /^export default globalThis\.(\w+);\s*$/;

async function fetched(source) {
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const { default: exported } = await import(address);
  URL.revokeObjectURL(address);
  return exported;
}

async function load(model) {
  const style = model.get("_css"), identity = model.get("_anywidget_id");
  if (style && !document.getElementById(identity)) {
    document.head.append(Object.assign(document.createElement("style"), { id: identity, textContent: style }));
  }
  const exported = globalThis[model.get("_esm").match(OURS)?.[1]] ?? await fetched(model.get("_esm"));
  const frontEnd = typeof exported === "function" ? await exported() : exported;
  await frontEnd.initialize?.({ model });
  return frontEnd;
}

export class AnyModel extends DOMWidgetModel {
  initialize(...given) {
    super.initialize(...given);
    this.frontEnd = load(this);
  }
}

export class AnyView extends DOMWidgetView {
  async render() {
    const frontEnd = await this.model.frontEnd;
    this.cleanUp = await frontEnd.render?.({ model: this.model, el: this.el });
  }
  remove() {
    this.cleanUp?.();
    return super.remove();
  }
}
