// The outline of the rule studio as a tree: one of its rows is in the tab order, arrows move it.
// .outline  a list of rows with a link each; data-depth says how deep a row stands
// Without script they are plain links. With it: ↑ ↓ rows, → opens or goes in, ← closes or goes out,
// Home and End, letters find a row that begins with them, Enter picks (it is a link).
const tree = document.querySelector(".outline");
const rows = tree ? [...tree.children] : [];
const links = rows.map((row) => row.firstElementChild);
const depth = (at) => Number(rows[at].dataset.depth);
const hasInner = (at) => at + 1 < rows.length && depth(at + 1) > depth(at);
const isClosed = (at) => links[at].getAttribute("aria-expanded") === "false";

function outer(at) {
  for (let i = at - 1; i >= 0; i -= 1) if (depth(i) < depth(at)) return i;
  return at;
}

function place() {
  const seen = {};
  let hiddenBelow = Infinity;
  rows.forEach((row, at) => {
    if (depth(at) <= hiddenBelow) hiddenBelow = Infinity;
    row.hidden = hiddenBelow < depth(at);
    if (!row.hidden && isClosed(at)) hiddenBelow = depth(at);
    const siblings = `${at === outer(at) ? -1 : outer(at)}:${depth(at)}`;
    (seen[siblings] ||= []).push(at);
  });
  for (const group of Object.values(seen)) {
    group.forEach((at, n) => {
      links[at].setAttribute("aria-posinset", n + 1);
      links[at].setAttribute("aria-setsize", group.length);
    });
  }
}

function open(at, isOpen) {
  links[at].setAttribute("aria-expanded", isOpen);
  place();
}

function focus(at) {
  links.forEach((link, i) => {
    link.tabIndex = i === at ? 0 : -1;
  });
  links[at].focus();
}

const isShown = (at) => !rows[at].hidden;
const next = (at) => links.findIndex((_, i) => i > at && isShown(i));
const before = (at) => links.findLastIndex((_, i) => i < at && isShown(i));

function right(at) {
  if (!hasInner(at)) return at;
  if (!isClosed(at)) return at + 1;
  open(at, true);
  return at;
}

function left(at) {
  if (!hasInner(at) || isClosed(at)) return outer(at);
  open(at, false);
  return at;
}

const KEYS = {
  ArrowDown: next,
  ArrowUp: before,
  ArrowRight: right,
  ArrowLeft: left,
  Home: () => 0,
  End: () => before(rows.length),
};

function find(letter, at) {
  const order = [...links.keys()].map((i) => (at + 1 + i) % links.length);
  const begins = (i) => links[i].textContent.trim().toLowerCase().startsWith(letter.toLowerCase());
  return order.find((i) => isShown(i) && begins(i)) ?? -1;
}

function move(event) {
  const at = links.indexOf(event.target.closest("a"));
  if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
  const isLetter = event.key.length === 1 && event.key !== " ";
  if (!(event.key in KEYS) && !isLetter) return;
  event.preventDefault();
  event.stopPropagation(); // single keys of the whole page mean something else
  const to = event.key in KEYS ? KEYS[event.key](at) : find(event.key, at);
  if (to >= 0) focus(to);
}

if (tree && rows.length) {
  tree.setAttribute("role", "tree");
  rows.forEach((row, at) => {
    row.setAttribute("role", "none");
    links[at].setAttribute("role", "treeitem");
    links[at].setAttribute("aria-level", depth(at) + 1);
    if (hasInner(at)) links[at].setAttribute("aria-expanded", "true");
    const isPicked = links[at].hasAttribute("aria-current");
    if (isPicked) links[at].setAttribute("aria-selected", "true");
  });
  const picked = links.findIndex((link) => link.hasAttribute("aria-current"));
  links.forEach((link, i) => {
    link.tabIndex = i === Math.max(picked, 0) ? 0 : -1;
  });
  if (picked >= 0) links[picked].scrollIntoView({ block: "nearest" });
  tree.addEventListener("keydown", move);
  tree.addEventListener("focusin", (event) => {
    const at = links.indexOf(event.target);
    if (at >= 0) links.forEach((link, i) => { link.tabIndex = i === at ? 0 : -1; });
  });
  place();
}
