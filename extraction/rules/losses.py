"""What publishing a draft costs: the articles that get worse or fail, for the editor to accept.

Articles that are read without the draft's rules for the body lose nothing, but the rules are idle:
they are accepted too, and named apart.

The sample's trials are asked, and a dry run where it tried these very rules for the same pages.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from extraction.html.proposals.verdicts import RuleOutcome
from extraction.models import Article, DryRun
from extraction.rules.trials import Trial
from presentation.wording.figures import counted

_LOST = frozenset({RuleOutcome.WORSE, RuleOutcome.FAILS})
_ACCEPTED = _LOST | {RuleOutcome.UNMATCHED}


@dataclass(frozen=True, slots=True)
class Loss:
    """An article that gets worse, fails or is read without the rules for its body, and how."""

    article_id: int
    title: str
    outcome: str
    reasons: str


@dataclass(frozen=True, slots=True)
class Losses:
    """How many articles are to be accepted, and those of them that are known by name.

    `n_unmatched` of them keep what they have and are read without the rules for the body.
    """

    n: int
    listed: tuple[Loss, ...]
    n_unmatched: int = 0

    @property
    def n_unlisted(self) -> int:
        return self.n - len(self.listed)

    @property
    def words(self) -> str:
        """Say how many do what: “1 article gets worse or fails”."""
        n_lost = self.n - self.n_unmatched
        some, more = "article gets worse or fails", "articles get worse or fail"
        said = [counted(n_lost, some, more)] if n_lost else []
        if self.n_unmatched:
            read = "article is read without a rule for the body, for none matches"
            many = "articles are read without a rule for the body, for none matches"
            said.append(counted(self.n_unmatched, read, many))
        return ", ".join(said)


def losses_of(trials: Sequence[Trial], run: DryRun | None) -> Losses:
    """Put together what the trials and a dry run of the same draft found; the worst first."""
    found = {trial.article.pk: _of_trial(trial) for trial in trials if _is_lost(trial)}
    n_counted = n_idle = 0
    if run is not None:
        n_counted = sum(int(run.counts.get(outcome.value, 0)) for outcome in _ACCEPTED)
        n_idle = int(run.counts.get(RuleOutcome.UNMATCHED.value, 0))
        found = {loss.article_id: loss for loss in _of_run(run)} | found
    order = list(RuleOutcome)
    listed = sorted(found.values(), key=lambda loss: -order.index(RuleOutcome(loss.outcome)))
    n_listed_idle = sum(loss.outcome == RuleOutcome.UNMATCHED for loss in listed)
    return Losses(max(len(listed), n_counted), tuple(listed), max(n_listed_idle, n_idle))


def _is_lost(trial: Trial) -> bool:
    return trial.verdict.outcome in _ACCEPTED


def _of_trial(trial: Trial) -> Loss:
    verdict, article = trial.verdict, trial.article
    title = article.title or article.url
    return Loss(article.pk, title, verdict.outcome.value, "; ".join(verdict.reasons))


def _of_run(run: DryRun) -> list[Loss]:
    rows = [row for row in run.examples if row[1] in _ACCEPTED]
    titles = Article.shown.only("title", "url").in_bulk(row[0] for row in rows)
    return [
        Loss(pk, titles[pk].title or titles[pk].url, outcome, reasons)
        for pk, outcome, reasons in rows
        if pk in titles
    ]
