"""Structure alarms on real pages: a synthetic redesign is noticed, ordinary days are not."""

import json
import re
from datetime import UTC, datetime, timedelta

import pytest
from benchmarks.extraction_scores import gold_pages
from shared_data import SHARED, shared

from extraction.html.extract_page import extract_page
from extraction.html.page import PageInput
from extraction.html.site.knowledge import SiteKnowledge
from extraction.html.site.structure_alarm import PageFacts, Signal, find_changes

pytestmark = pytest.mark.data

SITE = "guardian.co.uk"
CHANGED_AT = 14
_NAMES = re.compile(rb'(class|id)(\s*=\s*["\'])([^"\']*)')


@pytest.fixture(scope="module")
def bodies():
    path = shared("data/extraction/gold/sites.jsonl")
    groups = [json.loads(line)["group"] for line in path.read_text().splitlines()]
    pages = zip(groups, gold_pages(SHARED, "sites"), strict=True)
    return [html for group, (_, html) in pages if group == SITE]


def redesigned(body):
    """Every class name and id changed, `article` a `section`: the replay web's redesign."""
    changed = _NAMES.sub(lambda match: match[1] + match[2] + b"x" + match[3][::-1], body)
    return re.sub(rb"(</?)article", rb"\1section", changed)


def noticed(bodies):
    """Numbers of pages after which something was found, with what."""
    site, facts, found = SiteKnowledge(), [], []
    for number, body in enumerate(bodies):
        page = extract_page(PageInput(body=body))
        known = site.familiarity(page.sketch.keys)
        moment = datetime(2012, 1, 1, tzinfo=UTC) + timedelta(hours=number)
        shown = known.places if known else None
        facts.append(PageFacts(number, moment, len(page.text), familiarity=shown))
        site.learn(page.sketch)
        found += [(number, evidence) for evidence in find_changes(facts)]
    return found


def test_ordinary_days_raise_no_alarm(bodies):
    assert len(bodies) > 20
    assert noticed(bodies) == []


def test_redesign_is_noticed_with_its_first_page(bodies):
    changed = [*bodies[:CHANGED_AT], *map(redesigned, bodies[CHANGED_AT:])]

    number, evidence = noticed(changed)[0]

    assert (evidence.signal, evidence.page_after) == (Signal.TEMPLATE, CHANGED_AT)
    assert number < CHANGED_AT + 6
