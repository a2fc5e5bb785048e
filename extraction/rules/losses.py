"""What publishing a draft costs: the articles that get worse or fail, for the editor to accept.

The sample's trials are asked, and a dry run where it tried these very rules for the same pages.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from extraction.html.proposals.verdicts import RuleOutcome
from extraction.models import Article, DryRun
from extraction.rules.trials import Trial

_LOST = frozenset({RuleOutcome.WORSE, RuleOutcome.FAILS})


@dataclass(frozen=True, slots=True)
class Loss:
    """An article that gets worse or fails, and how."""

    article_id: int
    title: str
    outcome: str
    reasons: str


@dataclass(frozen=True, slots=True)
class Losses:
    """How many articles get worse or fail, and those of them that are known by name."""

    n: int
    listed: tuple[Loss, ...]

    @property
    def n_unlisted(self) -> int:
        return self.n - len(self.listed)


def losses_of(trials: Sequence[Trial], run: DryRun | None) -> Losses:
    """Put together what the trials and a dry run of the same draft found; the worst first."""
    found = {trial.article.pk: _of_trial(trial) for trial in trials if _is_lost(trial)}
    n_counted = 0
    if run is not None:
        n_counted = sum(int(run.counts.get(outcome.value, 0)) for outcome in _LOST)
        found = {loss.article_id: loss for loss in _of_run(run)} | found
    order = list(RuleOutcome)
    listed = sorted(found.values(), key=lambda loss: -order.index(RuleOutcome(loss.outcome)))
    return Losses(max(len(listed), n_counted), tuple(listed))


def _is_lost(trial: Trial) -> bool:
    return trial.verdict.outcome in _LOST


def _of_trial(trial: Trial) -> Loss:
    verdict, article = trial.verdict, trial.article
    title = article.title or article.url
    return Loss(article.pk, title, verdict.outcome.value, "; ".join(verdict.reasons))


def _of_run(run: DryRun) -> list[Loss]:
    rows = [row for row in run.examples if row[1] in _LOST]
    titles = Article.shown.only("title", "url").in_bulk(row[0] for row in rows)
    return [
        Loss(pk, titles[pk].title or titles[pk].url, outcome, reasons)
        for pk, outcome, reasons in rows
        if pk in titles
    ]
