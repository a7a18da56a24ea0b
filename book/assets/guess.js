// A guess before the answer. A box of class `guess` ends in a list of answers, of which class `right-2` says that the second is
// right. They become buttons; until one is pressed, or the reader asks, the pictures that follow and the answer stay hidden,
// sliders without their picture and the dots of the map of the field too, the answer in a line of its own, and with it all that the same cell puts out below it. The
// answer is the paragraph of class `guess-hidden` (tools/pages.py). Without a script, and on paper, all is there.
{
  const after = (one, other) => one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING;
  const button = (text, className) => Object.assign(document.createElement("button"), { type: "button", textContent: text, className });

  const boxes = [...document.querySelectorAll(".bd-article .guess")];
  const answers = [...document.querySelectorAll("p.guess-hidden")];
  for (const [k, box] of boxes.entries()) {
    const within = (one) => after(box, one) && !(boxes[k + 1] && after(boxes[k + 1], one));
    const answer = answers.find(within);
    const before = (one) => within(one) && after(one, answer);
    const pictures = [...document.querySelectorAll(".bd-article :is(.cell_output img:not(.explorer-still, .explorer-still *), .field-picture:not(.chosen))")].filter(before);
    const explorers = [...document.querySelectorAll(".bd-article .cell_output:has(.explorer-still)")].filter(before);
    const toMove = [...document.querySelectorAll(".bd-article :is(.cell_output :is(script[type$='widget-view+json'], input), .guide)")].some(before);

    const list = box.querySelector("ul, ol"), right = +[...box.classList].find((name) => /^right-\d+$/.test(name)).slice(6) - 1;
    const group = Object.assign(document.createElement("div"), { className: "guess-choices" });
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", "Your guess");
    const said = document.createElement("output");
    const show = button("Show the answer", "guess-show");
    const choices = [...list.children].map((item) => {
      const choice = button("", "guess-choice");
      choice.append(...(item.querySelector(":scope > p") ?? item).childNodes);
      choice.setAttribute("aria-pressed", "false");
      group.append(choice);
      return choice;
    });
    const uncover = () => {
      for (const one of pictures) one.classList.remove("guess-hidden");
      for (const one of explorers) one.classList.remove("guess-first");
    };
    const reveal = () => {
      show.remove();
      uncover();
      answer.classList.remove("guess-hidden");
      choices[right].classList.add("guess-right");
      const chosen = choices.findIndex((choice) => choice.ariaPressed === "true");
      if (chosen === right) said.textContent = "Your guess is right.";
      else said.replaceChildren(`${chosen < 0 ? "" : "Not this one. "}Right is: `, ...choices[right].cloneNode(true).childNodes,
        choices[right].textContent.endsWith(".") ? "" : ".");
    };
    choices.forEach((choice, at) => choice.addEventListener("click", () => {
      if (!show.isConnected) return;
      choices.forEach((other, k) => other.setAttribute("aria-pressed", String(k === at)));
      if (!toMove) return reveal();
      uncover();
      said.textContent = "Noted. Now try it below, and then open the answer.";
    }));
    show.addEventListener("click", () => {
      reveal();
      answer.tabIndex = -1;
      answer.focus({ preventScroll: true });  // the button that had it is gone
    });
    list.replaceWith(group);
    box.append(said);
    for (const one of pictures) one.classList.add("guess-hidden");
    for (const one of explorers) one.classList.add("guess-first");
    answer.prepend(show);
  }
}
