"""The small trend beside the totals of a concordance: rates over time, with a link to the page."""

from dataclasses import dataclass

import numpy as np
from django.urls import reverse

from presentation.charts.sparkline import Sparkline
from presentation.wording.figures import rate
from search.answers.answering import hits_of, selection_of
from search.asking.address import Address
from search.asking.request import SearchRequest
from search.engine.statistics.trend import choose_unit, daily_base, trend
from search.views.concordance.query_tabs import kept_part

FEW_POINTS = 3  # two are no line to look at


@dataclass(frozen=True, slots=True)
class SmallTrend:
    """A picture and the address of the whole one."""

    picture: Sparkline
    address: str


def small_trend(request: SearchRequest, address: Address) -> SmallTrend | None:
    """Draw the trend of hits that are known already; None where there is none to see."""
    selection = selection_of(request.texts)
    base = daily_base(selection)
    if len(base.tokens) < FEW_POINTS:
        return None
    found = trend(hits_of(request), selection, choose_unit(base))
    if len(found) < FEW_POINTS or found.peak is None:
        return None
    names = found.periods.names
    sentence = (
        f"hits per million tokens by {found.periods.unit}, {names[0]} to {names[-1]}, highest in "
        f"{names[found.peak]} with {rate(float(found.rates[found.peak]))}"
    )
    values = tuple(np.nan_to_num(found.rates).tolist())
    return SmallTrend(Sparkline(sentence, values), kept_part(address).at(reverse("trend")))
