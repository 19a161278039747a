// All that needs a script; without it the page says the same.
(() => {
  // What is printed is all there is.
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details:not([open])")) details.open = true;
  });

  // A link out of a partition's text leads behind it.
  for (const link of document.querySelectorAll(".kind a"))
    link.addEventListener("click", () => link.closest(".kind").hidePopover?.());

  // What a link leads to is open, also where the browser does not see to that.
  const reveal = () => {
    const details = document.getElementById(location.hash.slice(1))?.closest("details");
    if (details) details.open = true;
  };
  addEventListener("hashchange", reveal);
  reveal();

  // Under a mouse a partition says in short what it holds, why, and what was refused.
  addEventListener("pointerover", (event) => {
    const box = event.target.closest?.("button.p");
    if (!box || box.title !== "") return;
    const kind = document.getElementById(box.getAttribute("popovertarget"));
    box.title = Array.from(kind.querySelectorAll("h3, h4, p:not(.at), li"), (part) => part.textContent).join("\n");
  });

  // Show only cards whose text has every word.
  const cards = Array.from(document.querySelectorAll(".card"));
  const filter = document.getElementById("filter");
  const few = 6;
  if (filter === null || few >= cards.length) return;
  filter.hidden = false;
  const input = filter.querySelector("input");
  const output = filter.querySelector("output");
  const about = (box) => document.getElementById(box.getAttribute("popovertarget")).querySelector("p").textContent;
  const text_of = (card) =>
    [card.textContent, ...Array.from(card.querySelectorAll("button.p"), about)].join(" ").toLowerCase();
  let texts = null;
  filter.addEventListener("submit", (event) => event.preventDefault());
  input.addEventListener("input", () => {
    texts ??= cards.map(text_of);
    const words = input.value.toLowerCase().split(/\s+/);
    let shown = 0;
    cards.forEach((card, index) => {
      card.hidden = !words.every((word) => texts[index].includes(word));
      shown += card.hidden ? 0 : 1;
    });
    output.textContent = input.value.trim() === "" ? "" : shown + " of " + cards.length + " drawings";
  });
})();
