// The query builder as one types: its page is asked for again, and its parts are put in place.
// #drawing  the form; its buttons "do" and "use" change the drawing, all but "search"
// #answer   the query and its hits; #lists  what can be added by a click

const PAUSE_MS = 350;  // after the last key; a query may run for as long
const REDRAWN = new Set(["p.what", "p.any"]);  // controls that others depend on
const REFUSALS = {
  400: "The query is too long to be drawn.",
  429: "Too much was asked at once: wait a moment, then go on.",
};
const form = document.getElementById("drawing");
const announced = document.getElementById("announce");
let waiting = 0;
let asking = new AbortController();

function parametersOf(button) {
  const sent = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (value.trim()) sent.append(name, value);
  if (button?.name) sent.append(button.name, button.value);
  return sent;
}

// Returns the page for the form as it is, or null when it was asked for again meanwhile.
async function ask(parameters) {
  asking.abort();
  asking = new AbortController();
  try {
    const answer = await fetch(`${form.action}?${parameters}`, { signal: asking.signal });
    if (answer.ok) return new DOMParser().parseFromString(await answer.text(), "text/html");
    say(REFUSALS[answer.status] ?? "The page did not answer.");
  } catch (error) {
    if (error.name !== "AbortError") say("The page did not answer.");
  }
  return null;
}

function say(text) {
  if (announced) announced.textContent = text;
  const place = document.querySelector("#answer .state-of");
  if (place) place.textContent = text;
}

function put(page, id) {
  const fresh = page.getElementById(id);
  if (fresh) document.getElementById(id).replaceChildren(...fresh.childNodes);
}

// What was unfolded stays so; what the server unfolds is shown.
function putWhole(page, id) {
  const isOpen = new Map([...document.querySelectorAll(`#${id} details[id]`)].map((one) => [one.id, one.open]));
  put(page, id);
  for (const one of document.querySelectorAll(`#${id} details[id]`)) one.open ||= Boolean(isOpen.get(one.id));
}

function ready() {
  for (const button of document.querySelectorAll("[data-without-script]")) button.hidden = true;
}

async function showAnswer() {
  const parameters = parametersOf();
  const address = `${form.action}?${parameters}`;
  parameters.append("only_answer", "1");
  const page = await ask(parameters);
  if (!page) return;
  put(page, "answer");
  document.getElementById("q").value = page.getElementById("q").value;
  history.replaceState(null, "", address);
  ready();
}

async function redraw(button) {
  clearTimeout(waiting);
  const was = document.activeElement?.id;
  const page = await ask(parametersOf(button));
  if (!page) return;
  putWhole(page, "drawing");
  putWhole(page, "lists");
  document.getElementById("q").value = page.getElementById("q").value;
  ready();
  history[button ? "pushState" : "replaceState"](null, "", `${form.action}?${parametersOf()}`);
  const next = button ? form.querySelector("[autofocus]") : document.getElementById(was);
  (next ?? document.getElementById("h-pattern")).focus();
}

form.addEventListener("input", (event) => {
  if (REDRAWN.has(event.target.name)) return;
  clearTimeout(waiting);
  waiting = setTimeout(showAnswer, PAUSE_MS);
});

form.addEventListener("change", (event) => {
  if (REDRAWN.has(event.target.name)) redraw();
});

// Before the form's empty fields are taken out for sending.
form.addEventListener("submit", (event) => {
  if (event.submitter?.value === "search") return;
  event.preventDefault();
  event.stopPropagation();
  redraw(event.submitter);
});

// Going back undoes what a button did.
window.addEventListener("popstate", () => { location.reload(); });

ready();
