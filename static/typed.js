// What was typed into a form that met the end of a session: kept by this window, put back into the
// form after the same reader has signed in again. Nothing is sent by itself, passwords are not kept.

const SHELF = "typed";
const KEPT_MS = 3_600_000; // an hour: longer ago nobody remembers what it was
const reader = document.querySelector("script[data-reader]").dataset.reader;
const here = location.pathname + location.search;
const isTyped = ({ type, name, disabled }) =>
  name && !disabled && !["hidden", "password", "file", "submit", "button", "reset", "image"].includes(type);
const controls = (form) => [...form.elements].filter(isTyped);
const isSent = (form) => form.getAttribute("method")?.toLowerCase() === "post";
const sentTo = (action) =>
  [...document.forms].filter((form) => isSent(form) && form.getAttribute("action") === action);

function valuesOf(control) {
  if (control.type === "checkbox" || control.type === "radio") return control.checked;
  return control.multiple ? [...control.selectedOptions].map(({ value }) => value) : control.value;
}

function put(control, value) {
  if (typeof value === "boolean") control.checked = value;
  else if (control.multiple) for (const one of control.options) one.selected = value.includes(one.value);
  else control.value = value;
  control.dispatchEvent(new Event("input", { bubbles: true }));
}

function say(before, words) {
  const notice = Object.assign(document.createElement("p"), { className: "notice", textContent: words });
  notice.role = "status";
  before.before(notice);
}

function keep(form) {
  const fields = controls(form).map((control) => [control.name, valuesOf(control)]);
  const hasFiles = [...form.elements].some(({ type, files }) => type === "file" && files.length);
  if (!fields.length && !hasFiles) return;
  const action = form.getAttribute("action");
  write({ reader, page: here, action, number: sentTo(action).indexOf(form), fields, hasFiles, at: Date.now() });
}

function write(kept) {
  try {
    sessionStorage.setItem(SHELF, JSON.stringify(kept));
  } catch {
    /* a browser that keeps nothing, or too much was typed */
  }
}

function kept() {
  try {
    const found = JSON.parse(sessionStorage.getItem(SHELF));
    return found && Date.now() - found.at < KEPT_MS ? found : null;
  } catch {
    return null;
  }
}

function putBack({ action, number, fields, hasFiles }) {
  const same = sentTo(action);
  const form = same[number] ?? same[0];
  if (!form) return;
  const left = controls(form);
  for (const [name, value] of fields) {
    const at = left.findIndex((control) => control.name === name);
    if (at >= 0) put(left.splice(at, 1)[0], value);
  }
  for (let fold = form.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  say(form, `What you had typed is here again, and not sent yet.${hasFiles ? " Choose the file once more." : ""}`);
  form.scrollIntoView({ block: "center" });
}

const found = kept();
if (!reader) {
  // the page to sign in: the form did not arrive
  if (found) {
    write({ ...found, isLost: true });
    say(document.querySelector("main form"), "What you typed is kept in this window until you have signed in.");
  }
} else {
  if (found?.isLost && found.reader === reader && found.page === here) putBack(found);
  if (!found?.isLost || found.reader !== reader || found.page === here) sessionStorage.removeItem(SHELF);
  document.addEventListener("submit", ({ target }) => isSent(target) && keep(target));
}
