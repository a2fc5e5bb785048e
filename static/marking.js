// Keys of the page of marked lines; without this, its form is sent as a whole.
// data-marked  on a row: the number of its line; fields v… and n… are its category and its note

const form = document.getElementById("marks");
const rows = [...document.querySelectorAll("[data-marked]")];
const sorted = document.getElementById("sorted");
const announced = document.getElementById("announce");
const field = (row, letter) => form.elements.namedItem(`${letter}${row.dataset.marked}`);
const valueOf = (row) => field(row, "v").value;
const kept = new Map(rows.map((row) => [row, valueOf(row)]));
const sending = new Map();
let nSorted = Number(sorted?.textContent.replace(/\D/g, ""));

function say(text) { if (announced) announced.textContent = text; }

// One request after the other for a line, so that the last key wins.
async function send(row) {
  const value = valueOf(row);
  const body = new URLSearchParams({
    csrfmiddlewaretoken: form.elements.csrfmiddlewaretoken.value,
    [`v${row.dataset.marked}`]: value,
    [`n${row.dataset.marked}`]: field(row, "n").value,
  });
  let answer = null;
  try {
    answer = await fetch(form.action, {
      method: "POST", body, headers: { "HX-Request": "true" }, keepalive: true,
    });
  } catch { /* no network: said below */ }
  const isKept = answer?.status === 204;
  row.dataset.state = isKept ? "kept" : "failed";
  if (!isKept) { say("This mark is not saved. Use Save marks, or load the page again."); return; }
  nSorted += Number(value !== "") - Number(kept.get(row) !== "");
  kept.set(row, value);
  if (sorted) sorted.textContent = String(nSorted).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

function save(row) {
  const task = (sending.get(row) ?? Promise.resolve()).then(() => send(row));
  sending.set(row, task);
}

function choose(row, value) {
  const choice = [...field(row, "v")].find((one) => one.value === value);
  if (!choice) return false;
  choice.checked = true;
  save(row);
  say(choice.parentElement.textContent.trim());
  return true;
}

function go(row) {
  if (!row) return;
  row.querySelector("[data-open]").focus();
  row.scrollIntoView({ block: "nearest" });
}

function runKey(key) {
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const row = rows[Math.max(0, at)];
  if (key === "ArrowDown") { go(at < 0 ? row : rows[at + 1]); return true; }
  if (key === "ArrowUp") { go(rows[at - 1]); return true; }
  if (key === "t") { field(row, "n").focus(); return true; }
  if (key === "-") { choose(row, ""); go(row); return true; }
  if (!/^[0-9]$/.test(key) || !choose(row, key)) return false;
  go(rows[Math.max(0, at) + 1] ?? row);
  return true;
}

// Before the keys of all pages, and before the arrows move among the categories of a line.
document.addEventListener("keydown", (event) => {
  const element = document.activeElement;
  const isText = element.matches("select, textarea, input:not([type=radio]), [contenteditable]");
  if (isText && event.key === "Enter" && element.closest("[data-marked]")) {
    event.preventDefault();  // else the whole form is sent
    go(element.closest("[data-marked]"));
    return;
  }
  if (isText || event.ctrlKey || event.metaKey || event.altKey || event.repeat && /\d/.test(event.key)) return;
  if (document.body.dataset.keys === "off" || document.querySelector("dialog[open]")) return;
  if (!rows.length || !runKey(event.key)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

form?.addEventListener("change", (event) => {
  const row = event.target.closest("[data-marked]");
  if (row) save(row);
});
