// Earlier queries: kept by this browser alone, shown by ↑ and ↓ in the empty field of a search
// form, each in the language that it was asked in. A field of words has a list of its own.

const MOST_KEPT = 200;
const DEFAULT_LANGUAGE = "simple";
const shelf = (field) => (field.name === "q" ? "queries" : `queries ${field.name}`);

function earlier(field) {
  try {
    return JSON.parse(localStorage.getItem(shelf(field))).filter(({ text }) => text);
  } catch {
    return [];
  }
}

const languageOf = (form) => form.elements.ql?.value || DEFAULT_LANGUAGE;

function setLanguage(form, language) {
  if (!form.elements.ql) {
    // the short form in the masthead has no choice of languages
    const carrier = Object.assign(document.createElement("input"), { type: "hidden", name: "ql" });
    carrier.dataset.default = DEFAULT_LANGUAGE;
    form.append(carrier);
  }
  form.elements.ql.value = language;
}

const isSame = (one, other) => one.text === other.text && one.language === other.language;

document.addEventListener("submit", (event) => {
  const form = event.target;
  const field = form.matches("[role=search]") && form.querySelector("[data-query]");
  const query = { text: field && field.value.trim(), language: languageOf(form) };
  if (!query.text) return;
  const kept = [query, ...earlier(field).filter((other) => !isSame(other, query))];
  try {
    localStorage.setItem(shelf(field), JSON.stringify(kept.slice(0, MOST_KEPT)));
  } catch {
    /* a browser that keeps nothing */
  }
});

document.addEventListener("keydown", (event) => {
  const field = event.target;
  if (!["ArrowUp", "ArrowDown"].includes(event.key) || !field.matches("[role=search] [data-query]")) return;
  const kept = earlier(field);
  const shown = { text: field.value, language: languageOf(field.form) };
  const at = kept.findIndex((query) => isSame(query, shown));
  if (field.value && at < 0) return;
  const next = event.key === "ArrowUp" ? at + 1 : at - 1;
  if (next >= kept.length || next < -1) return;
  field.value = kept[next]?.text ?? "";
  if (kept[next] && field.name === "q") setLanguage(field.form, kept[next].language);
  event.preventDefault();
});
