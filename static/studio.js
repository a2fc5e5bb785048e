// Picking in the stored page of the rule studio. The frame runs no script; this page reaches into it.
// #stored   the frame, with the address of a pick in data-picks; its elements have numbers in data-n
// #walked   says which element is under the keys
const frame = document.getElementById("stored");
const NUMBERED = "[data-n]";
let walked = null;

const go = (element) => {
  location.href = frame.dataset.picks + element.dataset.n + "#picked";
};

function walkTo(element) {
  if (!element) return;
  walked?.removeAttribute("data-walked");
  walked = element;
  walked.setAttribute("data-walked", "");
  walked.scrollIntoView({ block: "nearest" });
  const words = walked.textContent.trim().replace(/\s+/g, " ").slice(0, 60);
  document.getElementById("walked").textContent = `${walked.localName}: ${words}`;
}

const sibling = (element, step) => {
  let next = element[step];
  while (next && !next.matches(NUMBERED)) next = next[step];
  return next;
};

const STEPS = {
  ArrowUp: (element) => element.parentElement?.closest(NUMBERED),
  ArrowDown: (element) => element.querySelector(NUMBERED),
  ArrowLeft: (element) => sibling(element, "previousElementSibling"),
  ArrowRight: (element) => sibling(element, "nextElementSibling"),
};

function walk(event) {
  const root = frame.contentDocument.body;
  if (event.key === "Enter" && walked) {
    event.preventDefault();
    go(walked);
    return;
  }
  if (!(event.key in STEPS)) return;
  event.preventDefault();
  walkTo(
    walked
      ? STEPS[event.key](walked)
      : root.querySelector('[data-mark="picked"]') || root.querySelector(NUMBERED),
  );
}

function prepare() {
  const inner = frame.contentDocument;
  if (!inner?.body) return;
  inner.body.tabIndex = 0;
  inner.addEventListener("pointerover", (event) => walkTo(event.target.closest(NUMBERED)));
  inner.addEventListener("click", (event) => {
    const element = event.target.closest(NUMBERED);
    if (element) {
      event.preventDefault();
      go(element);
    }
  });
  inner.addEventListener("keydown", walk);
  inner.querySelector('[data-mark="picked"]')?.scrollIntoView({ block: "center" });
}

if (frame) {
  frame.addEventListener("load", prepare);
  if (frame.contentDocument?.readyState === "complete") prepare();
}
