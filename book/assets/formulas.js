// Formulas come after sliders: MathJax is fetched when the page has been read, sets what is in view or next to it, and
// then the rest, a few at a time, whenever nothing else is to do.
{
  const src = document.currentScript.getAttribute("src").replace(/formulas\.js.*/, "vendor/mathjax/es5/tex-mml-chtml.js");
  let done = new Promise((ready) => {
    (window.MathJax ??= {}).startup = { typeset: false, ready() { MathJax.startup.defaultReady(); ready(); } };
  });
  // for labels of widgets too (book/js/src/widgets.js); one after the other, as MathJax wants it
  window.setFormulas = (elements) => done = done.then(() => MathJax.typesetPromise(elements));

  const rest = () => new Promise((go) => (window.requestIdleCallback ?? setTimeout)(go));
  const seen = new IntersectionObserver(async (formulas) => {
    seen.disconnect();
    const [now, later] = [true, false].map((inView) => formulas.filter((one) => one.isIntersecting === inView).map((one) => one.target));
    await setFormulas(now);
    while (later.length) {
      await rest();
      await setFormulas(later.splice(0, 20));
    }
    document.documentElement.dataset.formulas = "set";
  }, { rootMargin: "50%" });
  for (const formula of document.querySelectorAll(".math")) seen.observe(formula);
  document.head.append(Object.assign(document.createElement("script"), { src }));
}
