"""What each part of the extraction is worth, every page by a model that has not seen its site.

Two tables, F1 of each set and their mean. Steps: the text after each step of the cascade, and with
what the other pages of the site say. Evidence: the choice by a model trained without one group of
features. The models have fewer networks than the shipped one (two, and one where evidence is left
out), so figures compare with each other, not with those of `BENCH_FOLDS`.
"""

from dataclasses import dataclass, replace

import numpy as np
from benchmarks.extraction_scores import SETS, Scores, gold_pages
from benchmarks.site_learning import site_of

from extraction.html.cascade import KEEP_PROBABILITY, CascadeInput, choose, settle
from extraction.html.extract_page import extract_page
from extraction.html.lines.line_features import FEATURE_GROUPS, line_features
from extraction.html.lines.line_model import LineModel
from extraction.html.lines.line_votes import voted
from extraction.html.lines.repeated_parts import kept_together
from extraction.html.lines.text_density import content_elements, text_densities
from extraction.html.page import PageInput
from extraction.html.site.knowledge import SiteKnowledge
from extraction.html.site.page_in_site import PageInSite
from extraction.html.training.train_line_model import N_NETWORKS, fold_of, train
from extraction.html.training.training_pages import read_pages

_EVIDENCE = (
    "support of title, description, JSON-LD", "names, tags, phrases", "containers", "records",
    "neighbours",
)  # fmt: skip

_STEP_NETWORKS, _EVIDENCE_NETWORKS = 2, 1


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


def fold_models(pages, n_folds, n_networks=N_NETWORKS):
    """A model for each fold, of the other folds' pages."""
    return [
        train([page for page in pages if fold_of(page.group, n_folds) != fold], n_networks)
        for fold in range(n_folds)
    ]


def _blind_models(pages, n_folds, hidden):
    """Models that don't know some columns; the pages are as before."""
    columns = [page.features[:, hidden].copy() for page in pages]
    for page in pages:
        page.features[:, hidden] = 0
    models = fold_models(pages, n_folds, _EVIDENCE_NETWORKS)
    for page, values in zip(pages, columns, strict=True):
        page.features[:, hidden] = values
    return [_blind(model, hidden) for model in models]


def _blind(model, hidden):
    blind = BlindModel(model.mean, model.deviation, model.networks)
    object.__setattr__(blind, "hidden", hidden)
    return blind


@dataclass
class ReadPage:
    """A page as the cascade gets it, to choose from again."""

    set_name: str
    gold: dict
    fold: int
    site: str
    cascade: CascadeInput


def read_page(set_name, gold, html, models):
    """A page without its tree, and its texts after each step, by the step's name."""
    fold = fold_of(gold.get("group") or gold["id"], len(models))
    listener = Listener()
    url = gold.get("url", "")
    page = extract_page(PageInput(body=html, url=url), model=models[fold], observer=listener)
    texts = _texts_of_steps(listener, page, models[fold])
    listener.page.outline.elements.clear()  # the memory of all trees is not there
    return ReadPage(set_name, gold, fold, gold.get("group") or site_of(url), listener.page), texts


def _texts_of_steps(listener, page, model):
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
    return texts | {"+ chooser": _text(outline, choice), "+ captions apart": page.text}


def _text(outline, choice):
    return "\n".join(choice.paragraphs or [outline.lines[at].text for at in choice.lines])


STEPS = (
    "text density, no model", "model, line by line", "+ neighbours decide doubts",
    "+ alike parts together", "+ parts vote", "+ pruning", "+ chooser", "+ captions apart",
)  # fmt: skip


def print_ablation(evaluate, shared, n_folds):
    """Both tables."""
    labelled = list(read_pages(shared / "data/extraction"))
    models = fold_models(labelled, n_folds, _STEP_NETWORKS)
    rows = {name: Scores() for name in STEPS}
    pages = []
    for set_name in SETS:
        for gold, html in gold_pages(shared, set_name):
            page, texts = read_page(set_name, gold, html, models)
            pages.append(page)
            for name in STEPS:
                _add(rows[name], evaluate, page, texts[name])
    print(f"\n{'F1 after each step':40} " + " ".join(f"{name:>8}" for name in (*SETS, "mean")))
    for name in STEPS:
        _print_row(name, rows[name].summary(evaluate))
    _print_row("+ chooser, knowing the site", _with_sites(evaluate, pages, models))
    full = fold_models(labelled, n_folds, _EVIDENCE_NETWORKS)
    _print_row("all evidence, + chooser", _chosen(evaluate, pages, full))
    for name in _EVIDENCE:
        blind = _blind_models(labelled, n_folds, FEATURE_GROUPS[name])
        _print_row(f"without {name}", _chosen(evaluate, pages, blind))


def _add(scores, evaluate, page, text):
    scores.add(evaluate, page.set_name, page.gold, lambda *_: {"text": text}, b"")


def _chosen(evaluate, pages, models):
    scores = Scores()
    for page in pages:
        choice = choose(replace(page.cascade, model=models[page.fold], site=None))
        _add(scores, evaluate, page, _text(page.cascade.outline, choice))
    return scores.summary(evaluate)


def _with_sites(evaluate, pages, models):
    """Each page with what all pages of its site in its set have in common."""
    sites = {}
    for page in pages:
        knowledge = sites.setdefault((page.set_name, page.site), SiteKnowledge())
        if page.cascade.site.sketch is not None:
            knowledge.learn(page.cascade.site.sketch)
    scores = Scores()
    for page in pages:
        own = page.cascade.site
        reading = PageInSite(own.outline, own.title, own.names, sites[page.set_name, page.site])
        choice = choose(replace(page.cascade, model=models[page.fold], site=reading))
        _add(scores, evaluate, page, _text(own.outline, choice))
    return scores.summary(evaluate)


def _print_row(name, summary):
    values = [summary[set_name]["f1"] for set_name in SETS]
    cells = " ".join(f"{value:8.4f}" for value in (*values, sum(values) / len(values)))
    print(f"{name:40} {cells}", flush=True)
