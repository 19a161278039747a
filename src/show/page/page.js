// All that needs a script; without it the page says the same.
(() => {
  // What is printed is all there is.
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details:not([open])")) details.open = true;
  });

  // A link out of a partition's text leads behind it.
  for (const link of document.querySelectorAll(".kind a"))
    link.addEventListener("click", () => link.closest(".kind").hidePopover?.());

  // Show only cards whose text has every word.
  const cards = Array.from(document.querySelectorAll(".card"));
  const filter = document.getElementById("filter");
  const few = 6;
  if (filter === null || few >= cards.length) return;
  filter.hidden = false;
  const input = filter.querySelector("input");
  const output = filter.querySelector("output");
  filter.addEventListener("submit", (event) => event.preventDefault());
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/);
    let shown = 0;
    for (const card of cards) {
      const text = card.textContent.toLowerCase();
      card.hidden = !words.every((word) => text.includes(word));
      shown += card.hidden ? 0 : 1;
    }
    output.textContent = input.value.trim() === "" ? "" : shown + " of " + cards.length + " drawings";
  });
})();
