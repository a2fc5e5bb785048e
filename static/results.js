// What pages of results do beside what all pages do; found by data attributes.
// data-acts   controls of #query in it act when chosen; data-show is the button that is then not needed
// data-middle what scrolls sideways shows its middle first
// data-fold   <details> that stays as it was left, by this name

const all = (selector) => document.querySelectorAll(selector);
const acting = new Set(["checkbox", "radio"]);

// A choice acts at once; "Show" stays where something is typed too.
document.addEventListener("change", (event) => {
  const field = event.target;
  if (!field.closest("[data-acts]") || field.form?.id !== "query") return;
  if (field.tagName === "SELECT" || acting.has(field.type)) field.form.requestSubmit();
});
for (const button of all("[data-acts] [data-show]")) button.hidden = true;

// A panel that opens has the pointer of the keyboard in its first field.
document.addEventListener("toggle", (event) => {
  if (!event.target.matches("details.panel[open]")) return;
  event.target.querySelector("input:not([type=hidden]), select")?.focus();
}, true);

for (const box of all("[data-middle]")) box.scrollLeft = (box.scrollWidth - box.clientWidth) / 2;

// What was folded away stays folded on the next page.
for (const part of all("[data-fold]")) {
  const name = `fold-${part.dataset.fold}`;
  try {
    if (localStorage.getItem(name) === "1") part.open = false;
    part.addEventListener("toggle", () => localStorage.setItem(name, part.open ? "" : "1"));
  } catch { /* no storage: it is open on each page */ }
}
