"""Widgets in executed notebooks: find those that would not work in a page (`check`), and remove redundant data (`slim`).

A page has no kernel. A slider works there only if a link made with ``jslink`` leads from it to something that
draws; `interact`, `observe` and `Output` have no effect and fail silently.
"""

from collections.abc import Iterator

from nbformat import NotebookNode, from_dict
from nbformat.v4 import new_output

STATE = "application/vnd.jupyter.widget-state+json"
VIEW = "application/vnd.jupyter.widget-view+json"

# the modules that book/js/src/widgets.js can draw
DRAWN = {"@jupyter-widgets/base", "@jupyter-widgets/controls", "anywidget"}

# the models of @jupyter-widgets/controls that the reader does not operate, or that work without a kernel
PASSIVE = {"AccordionModel", "AudioModel", "BoxModel", "DirectionalLinkModel", "FloatProgressModel", "GridBoxModel",
           "HBoxModel", "HTMLMathModel", "HTMLModel", "ImageModel", "IntProgressModel", "LabelModel", "LinkModel",
           "StackModel", "TabModel", "VBoxModel", "ValidModel", "VideoModel"}

# what the script of the pages brings, by the module of the widget
FRONT_ENDS = {"privrl_core.pages.explorer.": "export default globalThis.privrlExplorer;\n",
              "privrl_core.pages.game.": "export default globalThis.privrlGame;\n",
              "privrl_core.pages.hospital.": "export default globalThis.privrlHospital;\n"}
TRACEBACK = "Traceback (most recent call last)"


def models(notebook: NotebookNode) -> dict[str, dict]:
    """The stored widgets, by id."""
    return notebook.metadata.get("widgets", {}).get(STATE, {}).get("state", {})


def outputs(notebook: NotebookNode) -> Iterator[tuple[int, NotebookNode]]:
    """Every output with the number of its cell, from 1."""
    for number, cell in enumerate(notebook.cells, 1):
        for output in cell.get("outputs", ()):
            yield number, output


def references(value: object) -> Iterator[str]:
    """The ids of the widgets that a stored value refers to, at any depth."""
    if isinstance(value, str) and value.startswith("IPY_MODEL_"):
        yield value.removeprefix("IPY_MODEL_")
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from references(part)


def reached(starts: set[str], edges: dict[str, set[str]]) -> set[str]:
    seen, waiting = set(), list(starts)
    while waiting:
        if (here := waiting.pop()) not in seen:
            seen.add(here)
            waiting.extend(edges.get(here, ()))
    return seen


def is_input(model: dict) -> bool:
    name = model["model_name"]
    return (model["model_module"] == "@jupyter-widgets/controls" and name not in PASSIVE
            and not name.endswith("StyleModel"))


def check(notebook: NotebookNode) -> list[str]:
    """Messages about everything in an executed notebook that would not work in a page, with the cell or the widget."""
    problems, views = [], {}
    for number, output in outputs(notebook):
        if output.output_type == "error":
            problems.append(f"cell {number}: {output.ename}: {output.evalue}")
        if output.output_type == "stream" and TRACEBACK in output.text:
            problems.append(f"cell {number}: a traceback in {output.name}")
        if VIEW in output.get("data", {}):
            views[output.data[VIEW]["model_id"]] = number

    stored = models(notebook)
    for identity, number in views.items():
        if identity not in stored:
            problems.append(f"cell {number}: a widget is shown, and its state was not stored")
    children, links = {}, {}
    for identity, model in stored.items():
        state, name = model["state"], model["model_name"]
        children[identity] = set(references(state))
        if model["model_module"] == "@jupyter-widgets/output":
            problems.append("an Output widget (interact, or `with output:`) stays as it is without a kernel")
        elif model["model_module"] not in DRAWN:
            problems.append(f"{name} of {model['model_module']}: the script of the pages cannot draw it")
        if TRACEBACK in str(state):
            problems.append(f"{name}: a traceback in its state")
        if name in ("LinkModel", "DirectionalLinkModel"):
            (source, trait), (target, followed) = state["source"], state["target"]
            for end, attribute in ((source, trait), (target, followed)):
                if attribute not in stored.get(end.removeprefix("IPY_MODEL_"), {"state": ()})["state"]:
                    problems.append(f"{name}: linked to {attribute!r}, which that widget does not have")
            source, target = source.removeprefix("IPY_MODEL_"), target.removeprefix("IPY_MODEL_")
            links.setdefault(source, set()).add(target)
            if name == "LinkModel":
                links.setdefault(target, set()).add(source)

    shown = reached(views.keys() & stored.keys(), children) & stored.keys()
    for identity in shown:
        model = stored[identity]
        drawn = {end for end in reached({identity}, links) & shown if not is_input(stored[end])}
        if is_input(model) and not drawn:
            label = model["state"].get("description") or model["model_name"]
            problems.append(f"{label!r} is dead without a kernel: no jslink leads from it to anything that draws")
    return problems


def slim(notebook: NotebookNode) -> None:
    """Remove what the common script of the pages provides, and give each static picture its own output."""
    for model in models(notebook).values():
        if model["model_name"].endswith(("LayoutModel", "StyleModel")):  # drop dozens of unset properties
            model["state"] = {name: value for name, value in model["state"].items() if value is not None}
        for module, front_end in FRONT_ENDS.items():
            if model["state"].get("_anywidget_id", "").startswith(module):
                model["state"]["_esm"] = front_end
                model["state"].pop("_css", None)
    for cell in notebook.cells:
        if "outputs" in cell:
            cell.outputs = [part for output in cell.outputs for part in _split(output)]


def _split(output: NotebookNode) -> list[NotebookNode]:
    data = output.get("data", {})
    if VIEW not in data or "text/html" not in data:
        return [output]
    still = new_output("display_data", data=from_dict({"text/html": data.pop("text/html")}))
    return [output, still]
