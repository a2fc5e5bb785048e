"""Verdicts on a draft's rules: agreement makes better, more words alone never do."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.html.proposals.verdicts import (
    PageEvidence,
    ReadFields,
    RuleOutcome,
    agreement,
    judge,
)

BODY = "\n".join(f"Paragraph {n} tells of the river, the mayor and the water." for n in range(12))
NOW = ReadFields("Rain at last", ("Ann Botha",), "2026-11-20", BODY)
KNOWN = PageEvidence(
    titles=("Rain at last", "Rain at last"),
    authors=(("Ann Botha",),),
    days=("2026-11-20",),
    link_texts=frozenset({"Sewer works shut Oxford Street", "Read also"}),
    recurring=frozenset({"Subscribe to our newsletter."}),
    common_values=frozenset({"News desk", "- Home"}),
)


def outcome(now=NOW, draft=NOW, evidence=KNOWN):
    return judge(now, draft, evidence).outcome


def test_equal_readings_are_the_same():
    assert judge(NOW, NOW, KNOWN) == judge(NOW, replace(NOW, title="RAIN at last!"), KNOWN)
    assert outcome() is RuleOutcome.SAME


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({"title": "Rain at last | Karoo"}, {}, RuleOutcome.BETTER),
        ({}, {"title": "Rain at last | Karoo"}, RuleOutcome.WORSE),
        ({"title": "Rain"}, {"title": "Water"}, RuleOutcome.CHANGED),
        ({"title": "Water - Home"}, {"title": "Water"}, RuleOutcome.BETTER),
        ({"title": "Water"}, {"title": "Water - Home"}, RuleOutcome.WORSE),
        ({"title": "Water - Today"}, {"title": "Water"}, RuleOutcome.CHANGED),
        ({"authors": ("News desk",)}, {"authors": ("Sipho Dube",)}, RuleOutcome.BETTER),
        ({"authors": ("Sipho Dube",)}, {"authors": ("News desk",)}, RuleOutcome.WORSE),
        ({"authors": ("Sign up",)}, {"authors": ("Anne Jacobs",)}, RuleOutcome.BETTER),
        ({"authors": ("Anne Jacobs",)}, {"authors": ("Sign up",)}, RuleOutcome.WORSE),
        ({"day": "2026-11-19"}, {}, RuleOutcome.BETTER),
        ({"text": f"{BODY}\nRead also\nSewer works shut Oxford Street"}, {}, RuleOutcome.BETTER),
        ({"text": f"{BODY}\nSubscribe to our newsletter."}, {}, RuleOutcome.BETTER),
        ({}, {"text": f"{BODY}\nRead also"}, RuleOutcome.WORSE),
        ({"text": f"Rain at last\n{BODY}"}, {}, RuleOutcome.BETTER),
        (
            {},
            {"text": f"{BODY}\nMore and more words that nobody has asked for."},
            RuleOutcome.CHANGED,
        ),
        ({"authors": ("Sipho Dube",)}, {"authors": ("Anne Jacobs",)}, RuleOutcome.CHANGED),
        ({"authors": ("Anne Jacobs",)}, {"authors": ("Anne", "Jacobs")}, RuleOutcome.CHANGED),
        ({"section": "News"}, {"section": "Sport"}, RuleOutcome.CHANGED),
        ({"section": "News"}, {"section": ""}, RuleOutcome.WORSE),
        ({"modified": "2026-11-20 10:30"}, {"modified": "2026-11-20 11:30"}, RuleOutcome.CHANGED),
        (
            {"published": "2026-11-20 10:30"},
            {"published": "2026-11-20 00:00"},
            RuleOutcome.CHANGED,
        ),
        ({}, {"text": BODY[: len(BODY) // 2]}, RuleOutcome.WORSE),
        ({}, {"text": ""}, RuleOutcome.FAILS),
        ({}, {"title": ""}, RuleOutcome.FAILS),
        ({}, {"authors": ()}, RuleOutcome.FAILS),
        ({}, {"has_body_rule": True}, RuleOutcome.UNMATCHED),
        ({}, {"has_body_rule": True, "section": "Sport"}, RuleOutcome.UNMATCHED),
        ({}, {"has_body_rule": True, "text": BODY[: len(BODY) // 2]}, RuleOutcome.WORSE),
        ({}, {"has_body_rule": True, "text": ""}, RuleOutcome.FAILS),
        ({}, {"has_body_rule": True, "body_rule_matched": True}, RuleOutcome.SAME),
    ],
)
def test_outcome_of(before, after, expected):
    assert outcome(replace(NOW, **before), replace(NOW, **after)) is expected


def test_an_author_found_where_nobody_named_one_is_better():
    before, after = replace(NOW, authors=()), replace(NOW, authors=("Thandi Mokoena",))

    verdict = judge(before, after, replace(KNOWN, authors=()))

    assert verdict.outcome is RuleOutcome.BETTER
    assert verdict.reasons == ("author: none → Thandi Mokoena; found now",)


def test_a_known_text_decides_whatever_came_and_went():
    evidence = replace(KNOWN, text=f"{BODY}\nRead also\nSewer works shut Oxford Street")

    longer = replace(NOW, text=evidence.text)

    assert outcome(draft=longer, evidence=evidence) is RuleOutcome.BETTER
    assert outcome(now=longer, draft=NOW, evidence=evidence) is RuleOutcome.WORSE


def test_worse_in_one_part_is_worse_and_said_first():
    verdict = judge(
        replace(NOW, authors=("News desk",)),
        replace(NOW, authors=("Sipho Dube",), title="Other words"),
        KNOWN,
    )

    assert verdict.outcome is RuleOutcome.WORSE
    assert [reason.partition(":")[0] for reason in verdict.reasons] == ["title", "author"]


def test_a_gallery_needs_no_body():
    draft = replace(NOW, has_body_rule=True)

    assert outcome(draft=draft, evidence=replace(KNOWN, is_article=False)) is RuleOutcome.SAME


@pytest.mark.parametrize(
    ("text", "reference", "expected"),
    [("a b c d e", "a b c d e", 1.0), ("a b c d", "w x y z", 0.0), ("a b c d e", "a b c d", 2 / 3)],
)
def test_agreement_of(text, reference, expected):
    assert agreement(text, reference) == pytest.approx(expected)


def test_an_author_that_nobody_else_names_is_lost_all_the_same():
    verdict = judge(NOW, replace(NOW, authors=()), replace(KNOWN, authors=()))

    assert verdict.outcome is RuleOutcome.WORSE
    assert verdict.reasons == ("author: Ann Botha → none; lost",)


def test_a_section_is_judged_by_those_who_name_it():
    named = replace(KNOWN, sections=("Sport",), common_values=frozenset({"Sport"}))
    draft = replace(NOW, section="Sport")

    assert outcome(replace(NOW, section="News"), draft, named) is RuleOutcome.BETTER
    assert outcome(draft, replace(NOW, section="News"), named) is RuleOutcome.WORSE


VALUES = st.sampled_from(["", "Rain", "Water at last"])
READINGS = st.builds(
    ReadFields,
    title=VALUES,
    authors=st.lists(st.sampled_from(["Ann Botha", "Sipho"]), unique=True).map(tuple),
    text=st.sampled_from(["", BODY, f"{BODY}\nRead also"]),
    published=st.sampled_from(["", "2026-11-20 10:30", "2026-11-20 11:30"]),
    modified=VALUES,
    section=VALUES,
)


@given(READINGS, READINGS)
def test_only_what_is_equal_in_all_fields_is_the_same(now, draft):
    verdict = judge(now, draft, KNOWN)

    assert (verdict.outcome is RuleOutcome.SAME) == (now == draft)
    assert bool(verdict.changes) == (now != draft)
    assert bool(verdict.reasons) == (now != draft)
