"""What each part of the extraction is worth, every page by a model that has not seen its site.

Two tables. Steps: the text after each step of the cascade. Evidence: the whole extraction with a
model trained without one group of features. F1 of each set and their mean.
"""

import numpy as np
from benchmarks.extraction_scores import SETS, Scores, gold_pages

from extraction.html.cascade import KEEP_PROBABILITY, settle
from extraction.html.extract_page import extract_page
from extraction.html.line_features import FEATURE_GROUPS, line_features
from extraction.html.line_model import LineModel
from extraction.html.line_votes import voted
from extraction.html.page import PageInput
from extraction.html.repeated_parts import kept_together
from extraction.html.text_density import content_elements, text_densities
from extraction.html.train_line_model import fold_of, train
from extraction.html.training_pages import read_pages

_EVIDENCE = (
    "support of title, description, JSON-LD", "names, tags, phrases", "containers", "records",
    "neighbours",
)  # fmt: skip


class BlindModel(LineModel):
    """A model that does not see some columns."""

    __slots__ = ("hidden",)

    def probabilities(self, features):
        """Probabilities from what is left."""
        left = features.copy()
        left[:, self.hidden] = 0
        return LineModel.probabilities(self, left)


class Listener:
    """Keeps what the cascade chose from and what it chose."""

    def parsed(self, root):
        pass

    cleaned = ruled = parsed

    def chosen(self, page, choice):
        self.page, self.choice = page, choice


def fold_models(pages, n_folds, hidden=None):
    """A model for each fold, of the other folds' pages; without the hidden columns."""
    models = []
    for fold in range(n_folds):
        known = [page for page in pages if fold_of(page.group, n_folds) != fold]
        models.append(_blind(known, hidden) if hidden else train(known))
    return models


def _blind(pages, hidden):
    for page in pages:
        page.features[:, hidden] = 0
    model = train(pages)
    blind = BlindModel(model.mean, model.deviation, model.networks)
    object.__setattr__(blind, "hidden", hidden)
    return blind


def steps_of_a_page(body, url, model):
    """Text after each step, by the step's name."""
    listener = Listener()
    page = extract_page(PageInput(body=body, url=url), model=model, observer=listener)
    outline, choice = listener.page.outline, listener.choice
    if not outline.lines:
        return dict.fromkeys(STEPS, page.text)
    lines = [line.text for line in outline.lines]
    probabilities = model.probabilities(line_features(outline, listener.page.context))
    joined = kept_together(outline, probabilities)
    together = settle(voted(outline, joined))
    dense = [
        position
        for element in content_elements(outline, text_densities(outline))
        for position in range(outline.first_line[element], outline.end_line[element])
    ]
    kept = {
        "text density, no model": dense,
        "model, line by line": np.flatnonzero(probabilities >= KEEP_PROBABILITY).tolist(),
        "+ neighbours decide doubts": settle(probabilities),
        "+ alike parts together": settle(joined),
        "+ parts vote": together,
        "+ pruning": [position for position in together if position not in choice.reasons],
    }
    texts = {name: "\n".join(lines[at] for at in chosen) for name, chosen in kept.items()}
    chosen_text = "\n".join(choice.paragraphs or [lines[at] for at in choice.lines])
    return texts | {"+ chooser": chosen_text, "+ captions apart": page.text}


STEPS = (
    "text density, no model", "model, line by line", "+ neighbours decide doubts",
    "+ alike parts together", "+ parts vote", "+ pruning", "+ chooser", "+ captions apart",
)  # fmt: skip


def print_ablation(evaluate, shared, n_folds):
    """Both tables; some twenty minutes."""
    data = shared / "data/extraction"
    models = fold_models(list(read_pages(data)), n_folds)
    rows = {name: Scores() for name in STEPS}
    for set_name, gold, html, model in _all_pages(shared, models):
        texts = steps_of_a_page(html, gold.get("url", ""), model)
        for name in STEPS:
            rows[name].add(
                evaluate, set_name, gold, lambda *_, n=name, t=texts: {"text": t[n]}, html
            )
    print(f"\n{'F1 after each step':40} " + " ".join(f"{name:>8}" for name in (*SETS, "mean")))
    for name in STEPS:
        _print_row(name, rows[name].summary(evaluate))
    for name in _EVIDENCE:
        _print_row(f"without {name}", _without(name, evaluate, shared, n_folds))


def _without(name, evaluate, shared, n_folds):
    pages = list(read_pages(shared / "data/extraction"))
    scores = Scores()
    for set_name, gold, html, model in _all_pages(
        shared, fold_models(pages, n_folds, FEATURE_GROUPS[name])
    ):

        def extract(body, url, model=model):
            return {"text": extract_page(PageInput(body=body, url=url), model=model).text}

        scores.add(evaluate, set_name, gold, extract, html)
    return scores.summary(evaluate)


def _all_pages(shared, models):
    for set_name in SETS:
        for gold, html in gold_pages(shared, set_name):
            yield (
                set_name,
                gold,
                html,
                models[fold_of(gold.get("group") or gold["id"], len(models))],
            )


def _print_row(name, summary):
    values = [summary[set_name]["f1"] for set_name in SETS]
    cells = " ".join(f"{value:8.4f}" for value in (*values, sum(values) / len(values)))
    print(f"{name:40} {cells}", flush=True)
