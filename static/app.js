// Behaviour of all pages, by data attributes; nothing here is needed to read or to search.
// data-keys   on <body>: single keys work, unless it says "off"
// data-query  the field that "/" goes to
// data-row    a row for j and k; its first link or data-open is opened by Enter, data-expand by x
// data-live   seconds between two refreshes of a part (with hx-get and hx-trigger="live")
// data-copy   button that copies this text   data-next, data-prev  links for n and p
// data-key    button or link that this letter clicks, before the keys of all pages
// data-busy   on a form that takes long: what its button says then
// data-slim   on a GET form: empty and default fields (data-default) are not sent

const fieldTypes = new Set(["checkbox", "radio", "button", "submit"]);
const isTyping = (element) =>
  element.isContentEditable ||
  ["TEXTAREA", "SELECT"].includes(element.tagName) ||
  (element.tagName === "INPUT" && !fieldTypes.has(element.type));
const first = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];

// --- keys -------------------------------------------------------------------------------------
let awaitsArea = 0;

function step(by) {
  const rows = all("[data-row]").filter((row) => row.offsetParent !== null);
  if (!rows.length) return;
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const row = rows[Math.min(rows.length - 1, Math.max(0, at < 0 ? 0 : at + by))];
  const target = first("[data-open]", row) || first("a, button", row) || row;
  if (target === row) row.tabIndex = -1;
  target.focus();
  row.scrollIntoView({ block: "nearest" });
}

const click = (selector, root = document) => {
  const element = root && first(selector, root);
  if (element) element.click();
  return Boolean(element);
};

function runKey(key) {
  if (click(`[data-key="${CSS.escape(key)}"]`)) return true;
  const row = document.activeElement.closest("[data-row]");
  if (key === "/") {
    const field = first("[data-query]");
    if (field) { field.focus(); field.select(); }
    return Boolean(field);
  }
  if (key === "?") { first("#keys")?.showModal(); return true; }
  if (key === "j" || key === "k") { step(key === "j" ? 1 : -1); return true; }
  if (key === "x") return click("[data-expand]", row);
  if (key === "n") return click("[data-next]");
  if (key === "p") return click("[data-prev]");
  if (key === "g") { awaitsArea = Date.now(); return true; }
  if (/^[1-9]$/.test(key)) { const tab = all(".tabs a")[key - 1]; tab?.click(); return Boolean(tab); }
  return false;
}

document.addEventListener("keydown", (event) => {
  if (!("keys" in document.body.dataset)) return;
  const element = document.activeElement;
  if (isTyping(element)) {
    if (event.key === "Escape") { element.blur(); event.preventDefault(); }  // else a search field is emptied
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) element.form?.requestSubmit();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || first("dialog[open]")) return;
  if (document.body.dataset.keys === "off" && event.key !== "Escape") return;
  if (event.key === "Escape") all("details.menu[open]").forEach((menu) => { menu.open = false; });
  if (Date.now() - awaitsArea < 1500) {
    awaitsArea = 0;
    if (event.key === "h") first(".brand").click();
    else click(`[data-go="${CSS.escape(event.key)}"]`);
    return;
  }
  if (event.repeat && first(`[data-key="${CSS.escape(event.key)}"]`)) return;  // held down: one wish
  if (runKey(event.key)) event.preventDefault();
});

document.addEventListener("click", (event) => {
  all("details.menu[open]").forEach((menu) => { if (!menu.contains(event.target)) menu.open = false; });
  const copier = event.target.closest("[data-copy]");
  if (copier) {
    navigator.clipboard?.writeText(copier.dataset.copy).then(() => announce("Copied."));
  }
});

// --- forms ------------------------------------------------------------------------------------
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "get" || !("slim" in form.dataset || form.matches("[role=search]"))) return;
  const dropped = [...form.elements].filter(
    (field) => field.name && !field.disabled && field.type !== "radio" && field.type !== "checkbox"
      ? field.value.trim() === (field.dataset.default ?? "") && !("keep" in field.dataset)
      : field.name && field.checked && field.dataset.default === field.value,
  );
  dropped.forEach((field) => { field.disabled = true; });
  setTimeout(() => dropped.forEach((field) => { field.disabled = false; }));
});

// A second press while the answer is awaited, and the second half of a double click on the page that
// came meanwhile, would decide what nobody chose: of a row or section one form is sent, once.
const sentGroups = new WeakSet();
document.addEventListener("click", (event) => {
  if (event.detail > 1 && event.target.closest("[data-busy] button")) event.preventDefault();
});
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.dataset.busy) return;
  const group = form.closest("[data-row], section") || form;
  if (sentGroups.has(group)) { event.preventDefault(); return; }
  sentGroups.add(group);
  const button = event.submitter;
  if (!button) return;
  button.style.minWidth = `${button.offsetWidth}px`;  // else its neighbour slides under the pointer
  button.textContent = form.dataset.busy;
  setTimeout(() => { button.disabled = true; });
});
window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

// --- live parts -------------------------------------------------------------------------------
let isStopped = false;
let announcedAt = 0;

function announce(text) {
  const place = first("#announce");
  if (place) place.textContent = text;
}

const isBusy = (part) => {
  const selection = document.getSelection();
  return part.contains(document.activeElement) ||
    (selection && !selection.isCollapsed && part.contains(selection.anchorNode));
};

const polls = new Map();
function startLive() {
  for (const [part, timer] of polls) {
    if (!part.isConnected) { clearInterval(timer); polls.delete(part); }
  }
  for (const part of all("[data-live]")) {
    if (polls.has(part)) continue;
    polls.set(part, setInterval(() => {
      if (document.hidden || isStopped || isBusy(part)) return;
      window.htmx?.trigger(part, "live");
    }, Number(part.dataset.live) * 1000));
  }
  for (const button of all("[data-stop-live]")) button.hidden = false;
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-stop-live]");
  if (!button) return;
  isStopped = !isStopped;
  button.textContent = isStopped ? "refresh again" : "stop refreshing";
  button.setAttribute("aria-pressed", String(isStopped));
});

const digest = (part) => first("[data-row]", part)?.textContent;
document.addEventListener("htmx:beforeSwap", (event) => { event.detail.target.before = digest(event.detail.target); });
document.addEventListener("htmx:afterSwap", (event) => {
  startLive();
  const part = event.detail.target;
  if (part.before !== digest(part) && Date.now() - announcedAt > 60000) {
    announcedAt = Date.now();
    announce("New rows.");
  }
});

// A row of tabs that scrolls sideways shows the one that is chosen.
const tab = first(".tabs [aria-current]");
if (tab) {
  const row = tab.closest(".tabs");
  row.scrollLeft = tab.offsetLeft + tab.offsetWidth - row.offsetLeft - row.clientWidth;
}

startLive();
// Whoever comes back to a line of a list goes on from it; the browser has scrolled to it.
const named = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
const row = named && named.closest("[data-row]");
const landing = row ? first("[data-open]", row) || named : first("[data-focus]");
landing?.focus({ preventScroll: true });
