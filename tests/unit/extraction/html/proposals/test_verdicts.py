"""Verdicts on a draft's rules: agreement makes better, more words alone never do."""

from dataclasses import replace

import pytest

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
        ({"title": "Rain"}, {"title": "Water"}, RuleOutcome.SAME),
        ({"title": "Water - Home"}, {"title": "Water"}, RuleOutcome.BETTER),
        ({"title": "Water"}, {"title": "Water - Home"}, RuleOutcome.WORSE),
        ({"title": "Water - Today"}, {"title": "Water"}, RuleOutcome.SAME),
        ({"authors": ("News desk",)}, {"authors": ("Sipho Dube",)}, RuleOutcome.BETTER),
        ({"authors": ("Sipho Dube",)}, {"authors": ("News desk",)}, RuleOutcome.WORSE),
        ({"authors": ("Sign up",)}, {"authors": ("Anne Jacobs",)}, RuleOutcome.BETTER),
        ({"authors": ("Anne Jacobs",)}, {"authors": ("Sign up",)}, RuleOutcome.WORSE),
        ({"day": "2026-11-19"}, {}, RuleOutcome.BETTER),
        ({"text": f"{BODY}\nRead also\nSewer works shut Oxford Street"}, {}, RuleOutcome.BETTER),
        ({"text": f"{BODY}\nSubscribe to our newsletter."}, {}, RuleOutcome.BETTER),
        ({}, {"text": f"{BODY}\nRead also"}, RuleOutcome.WORSE),
        ({"text": f"Rain at last\n{BODY}"}, {}, RuleOutcome.BETTER),
        ({}, {"text": f"{BODY}\nMore and more words that nobody has asked for."}, RuleOutcome.SAME),
        ({}, {"text": BODY[: len(BODY) // 2]}, RuleOutcome.WORSE),
        ({}, {"text": ""}, RuleOutcome.FAILS),
        ({}, {"title": ""}, RuleOutcome.FAILS),
        ({}, {"authors": ()}, RuleOutcome.FAILS),
        ({}, {"has_body_rule": True}, RuleOutcome.FAILS),
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
