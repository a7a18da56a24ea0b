// A guide: a box of class `guide` holds questions and lists of answers, one within the other. The answers become buttons. The one that
// is chosen opens what follows from it and hides the others; chosen again, it closes. Without a script, and on paper, all is there.
for (const box of document.querySelectorAll(".bd-article .guide")) {
  const close = (item) => {
    item.classList.remove("guide-chosen");
    item.firstElementChild.ariaExpanded = "false";
  };
  for (const item of box.querySelectorAll("li")) {
    const answer = Object.assign(document.createElement("button"), { type: "button", className: "guide-answer", ariaExpanded: "false" });
    answer.append(...item.firstElementChild.childNodes);
    item.firstElementChild.replaceWith(answer);
    answer.addEventListener("click", () => {
      const open = item.classList.contains("guide-chosen");
      for (const one of [item, ...item.querySelectorAll("li")]) close(one);
      if (open) return;
      item.classList.add("guide-chosen");
      answer.ariaExpanded = "true";
    });
  }
  box.append(Object.assign(document.createElement("p"), { className: "guide-again", textContent: "Press an answer again to take it back." }));
  box.classList.add("guide-asks");
}
