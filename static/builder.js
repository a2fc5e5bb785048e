// The query builder: a card for each token writes CQL into the query field, and reads simple CQL back.
// Loaded when its button is pressed; where it cannot show a query it says which part and leaves it alone.

const ATTRIBUTES = [
  ["word", "word"],
  ["lemma", "lemma"],
  ["pos", "tag"],
];
const RELATIONS = [
  ["is", "is"],
  ["not", "is not"],
  ["starts", "starts with"],
  ["ends", "ends with"],
  ["has", "contains"],
  ["like", "matches the pattern"],
];
const SPECIAL = /[.*+?()[\]{}|\\^$"]/g;
const LITERAL = String.raw`(?:[^.*+?()[\]{}|\\^$"]|\\[.*+?()[\]{}|\\^$"])`;
const TOKEN = new RegExp(
  String.raw`^\s*(?:\[\s*(?:(word|lemma|pos)\s*(!?=)\s*("(?:[^"\\]|\\.)*")\s*(%c)?)?\s*\]` +
    String.raw`|("(?:[^"\\]|\\.)*")\s*(%c)?)(?:\{(\d+)(?:,(\d+))?\})?`,
);
const WITHIN = /^\s*within\s+(?:<s\s*\/>|s)\s*$/;
const PLAIN = /^[\p{L}\p{N}'’ -]+$/u;
const MOST_BETWEEN = 20;

const escaped = (text) => text.replace(SPECIAL, "\\$&");
const unescaped = (text) => text.replace(/\\(.)/g, "$1");
const token = () => ({ attribute: "word", relation: "is", value: "", fold: true, from: 0, to: 0 });

function pattern({ relation, value }) {
  if (relation === "like") return value.replace(/\\(?!.)|(?<!\\)"/g, "\\$&");
  const text = escaped(value);
  return { starts: `${text}.*`, ends: `.*${text}`, has: `.*${text}.*` }[relation] ?? text;
}

export function write({ tokens, isWithin }) {
  const parts = tokens.map((each, place) => {
    const gap = place && each.to ? `[]{${each.from},${each.to}} ` : "";
    if (!each.value) return `${gap}[]`;
    const fold = each.fold && each.attribute !== "pos" ? "%c" : "";
    return `${gap}[${each.attribute}${each.relation === "not" ? "!=" : "="}"${pattern(each)}"${fold}]`;
  });
  return parts.join(" ") + (isWithin && parts.length ? " within s" : "");
}

function relationOf(text) {
  const fits = (form) => new RegExp(form).exec(text);
  for (const [relation, form] of [
    ["is", `^(${LITERAL}*)$`],
    ["has", `^\\.\\*(${LITERAL}+)\\.\\*$`],
    ["starts", `^(${LITERAL}+)\\.\\*$`],
    ["ends", `^\\.\\*(${LITERAL}+)$`],
  ]) {
    const found = fits(form);
    if (found) return { relation, value: unescaped(found[1]) };
  }
  return { relation: "like", value: text };
}

// A query as cards; `rest` is the part that no card can show.
export function read(text) {
  const query = { tokens: [], isWithin: false, rest: "" };
  let gap = [0, 0];
  let left = text;
  while (left.trim()) {
    if (query.tokens.length && WITHIN.test(left)) {
      query.isWithin = true;
      break;
    }
    const found = TOKEN.exec(left);
    if (!found) {
      query.rest = left.trim();
      return query;
    }
    const [whole, attribute = "word", sign, bracketed, foldInside, bare, foldBehind, from, to = from] = found;
    const quoted = bracketed ?? bare;
    const isGap = quoted === undefined && from !== undefined;
    if (isGap ? gap[1] || !query.tokens.length || Number(to) > MOST_BETWEEN : from !== undefined) {
      query.rest = left.trim();
      return query;
    }
    if (isGap) gap = [Number(from), Number(to)];
    else {
      const said = quoted === undefined ? { relation: "is", value: "" } : relationOf(quoted.slice(1, -1));
      if (sign === "!=" && said.relation !== "is") {
        query.rest = left.trim();
        return query;
      }
      if (sign === "!=") said.relation = "not";
      query.tokens.push({
        ...token(),
        attribute,
        ...said,
        fold: Boolean(foldInside ?? foldBehind) || quoted === undefined,
        from: gap[0],
        to: gap[1],
      });
      gap = [0, 0];
    }
    left = left.slice(whole.length);
  }
  if (gap[1]) query.rest = text.trim();
  return query;
}

function fromWords(text) {
  const words = text.trim().split(/\s+/).filter(Boolean);
  return { tokens: words.map((value) => ({ ...token(), value })), isWithin: false, rest: "" };
}

// --- the panel --------------------------------------------------------------------------------
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

const labelled = (words, control) => make("label", {}, make("span", { class: "sr" }, words), control);
const choice = (options, chosen, change) =>
  make(
    "select",
    { change },
    ...options.map(([value, words]) => make("option", { value, selected: value === chosen }, words)),
  );

class Builder {
  constructor(button) {
    this.button = button;
    this.form = button.form;
    this.field = this.form.querySelector("[data-query]");
    this.panel = make("div", {
      class: "builder sheet",
      id: "builder",
      role: "group",
      "aria-label": "Query builder",
    });
    button.closest(".row").after(this.panel);
  }

  open() {
    const language = this.form.querySelector("[name=ql]:checked")?.value;
    const text = this.field.value;
    const shown = this.form.querySelector(".as-cql code");
    if (language === "cql" || !text.trim()) this.query = read(text);
    else if (PLAIN.test(text)) this.query = fromWords(text);
    else if (shown && text === this.field.defaultValue) this.query = read(shown.textContent);
    else this.query = { tokens: [], rest: text };
    this.panel.hidden = false;
    this.button.setAttribute("aria-expanded", "true");
    if (this.query.rest) {
      this.refuse();
      return;
    }
    if (!this.query.tokens.length) this.query.tokens.push(token());
    this.draw();
    this.focus(0);
  }

  close() {
    this.panel.hidden = true;
    this.button.setAttribute("aria-expanded", "false");
    this.field.focus();
  }

  refuse() {
    this.panel.replaceChildren(
      make(
        "p",
        { role: "status", class: "small" },
        "The builder has no card for ",
        make("code", {}, this.query.rest),
        ". The query stays as it is.",
      ),
      make(
        "p",
        { class: "bar" },
        make(
          "button",
          {
            type: "button",
            click: () => {
              this.query = { tokens: [token()], isWithin: false };
              this.draw();
              this.write();
              this.focus(0);
            },
          },
          "Begin a new query",
        ),
      ),
    );
  }

  write() {
    const cql = this.form.querySelector("[name=ql][value=cql]");
    if (cql) cql.checked = true;
    this.field.value = write(this.query);
    this.shown.textContent = this.field.value;
  }

  change(place, name, value) {
    this.query.tokens[place][name] = value;
    this.write();
  }

  card(each, place) {
    const set = (name) => (event) => this.change(place, name, event.target.value);
    const number = (name, words) =>
      labelled(
        words,
        make("input", {
          type: "number",
          min: 0,
          max: MOST_BETWEEN,
          value: each[name],
          input: (event) => {
            this.change(place, name, Math.min(MOST_BETWEEN, Math.max(0, Number(event.target.value) || 0)));
            if (each.from > each.to) this.change(place, "to", each.from);
          },
        }),
      );
    const fold = make("input", {
      type: "checkbox",
      checked: !each.fold,
      change: (event) => this.change(place, "fold", !event.target.checked),
    });
    const card = make(
      "fieldset",
      { class: "token" },
      make("legend", { class: "small" }, `Token ${place + 1}`),
      labelled("attribute", choice(ATTRIBUTES, each.attribute, set("attribute"))),
      labelled("how it is compared", choice(RELATIONS, each.relation, set("relation"))),
      labelled(
        "value; empty: any token",
        make("input", {
          type: "text",
          value: each.value,
          placeholder: "any token",
          autocapitalize: "none",
          autocomplete: "off",
          spellcheck: "false",
          input: set("value"),
        }),
      ),
      make("label", { class: "opt small" }, fold, " match case"),
      make(
        "button",
        {
          type: "button",
          class: "plain",
          "aria-label": `Remove token ${place + 1}`,
          disabled: this.query.tokens.length === 1,
          click: () => {
            this.query.tokens.splice(place, 1);
            this.draw();
            this.write();
            this.focus(Math.max(0, place - 1));
          },
        },
        "Remove",
      ),
    );
    if (!place) return [card];
    return [
      make(
        "p",
        { class: "between small" },
        number("from", `fewest tokens before token ${place + 1}`),
        "–",
        number("to", `most tokens before token ${place + 1}`),
        " tokens between",
      ),
      card,
    ];
  }

  draw() {
    this.shown = make("code", {}, write(this.query));
    const within = make("input", {
      type: "checkbox",
      checked: this.query.isWithin,
      change: (event) => {
        this.query.isWithin = event.target.checked;
        this.write();
      },
    });
    this.panel.replaceChildren(
      make("div", { class: "tokens" }, ...this.query.tokens.flatMap((each, place) => this.card(each, place))),
      make(
        "p",
        { class: "bar" },
        make(
          "button",
          {
            type: "button",
            click: () => {
              this.query.tokens.push(token());
              this.draw();
              this.write();
              this.focus(this.query.tokens.length - 1);
            },
          },
          "Add a token",
        ),
        make("label", { class: "opt" }, within, " within one sentence"),
        make("span", { class: "small muted" }, "CQL: "),
        this.shown,
      ),
    );
  }

  focus(place) {
    this.panel.querySelectorAll(".token input[type=text]")[place]?.focus();
  }
}

const builders = new WeakMap();
export function toggle(button) {
  if (!builders.has(button)) builders.set(button, new Builder(button));
  const builder = builders.get(button);
  if (button.getAttribute("aria-expanded") === "true") builder.close();
  else builder.open();
}
