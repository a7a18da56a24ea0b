// The handles of sliders have the role "slider" and no name: they take the one of their label, whenever one appears.
export function nameSliders(root) {
  const name = (element) => {
    for (const handle of element.querySelectorAll('[role="slider"]:not([aria-label])')) {
      const label = handle.closest(".widget-slider, .jupyter-widget-slider")?.querySelector(".widget-label, .jupyter-widget-label");
      if (label?.textContent) handle.setAttribute("aria-label", label.textContent);
    }
  };
  const seen = new MutationObserver(() => name(root()));
  // a view is made before it is put into the page
  requestAnimationFrame(() => { if (root()) { seen.observe(root(), { childList: true, subtree: true }); name(root()); } });
  return seen;
}
