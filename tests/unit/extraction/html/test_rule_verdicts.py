"""Verdicts on a draft's rules: agreement makes better, more words alone never do."""

from dataclasses import replace

import pytest

from extraction.html.rule_verdicts import Evidence, Outcome, Reading, agreement, judge

BODY = "\n".join(f"Paragraph {n} tells of the river, the mayor and the water." for n in range(12))
NOW = Reading("Rain at last", ("Ann Botha",), "2026-11-20", BODY)
KNOWN = Evidence(
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
    assert outcome() is Outcome.SAME


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({"title": "Rain at last | Karoo"}, {}, Outcome.BETTER),
        ({}, {"title": "Rain at last | Karoo"}, Outcome.WORSE),
        ({"title": "Rain"}, {"title": "Water"}, Outcome.SAME),
        ({"title": "Water - Home"}, {"title": "Water"}, Outcome.BETTER),
        ({"title": "Water"}, {"title": "Water - Home"}, Outcome.WORSE),
        ({"title": "Water - Today"}, {"title": "Water"}, Outcome.SAME),
        ({"authors": ("News desk",)}, {"authors": ("Sipho Dube",)}, Outcome.BETTER),
        ({"authors": ("Sipho Dube",)}, {"authors": ("News desk",)}, Outcome.WORSE),
        ({"day": "2026-11-19"}, {}, Outcome.BETTER),
        ({"text": f"{BODY}\nRead also\nSewer works shut Oxford Street"}, {}, Outcome.BETTER),
        ({"text": f"{BODY}\nSubscribe to our newsletter."}, {}, Outcome.BETTER),
        ({}, {"text": f"{BODY}\nRead also"}, Outcome.WORSE),
        ({"text": f"Rain at last\n{BODY}"}, {}, Outcome.BETTER),
        ({}, {"text": f"{BODY}\nMore and more words that nobody has asked for."}, Outcome.SAME),
        ({}, {"text": BODY[: len(BODY) // 2]}, Outcome.WORSE),
        ({}, {"text": ""}, Outcome.FAILS),
        ({}, {"title": ""}, Outcome.FAILS),
        ({}, {"authors": ()}, Outcome.FAILS),
        ({}, {"has_body_rule": True}, Outcome.FAILS),
        ({}, {"has_body_rule": True, "body_rule_matched": True}, Outcome.SAME),
    ],
)
def test_outcome_of(before, after, expected):
    assert outcome(replace(NOW, **before), replace(NOW, **after)) is expected


def test_an_author_found_where_nobody_named_one_is_better():
    before, after = replace(NOW, authors=()), replace(NOW, authors=("Thandi Mokoena",))

    verdict = judge(before, after, replace(KNOWN, authors=()))

    assert verdict.outcome is Outcome.BETTER
    assert verdict.reasons == ("author: none → Thandi Mokoena; found now",)


def test_a_known_text_decides_whatever_came_and_went():
    evidence = replace(KNOWN, text=f"{BODY}\nRead also\nSewer works shut Oxford Street")

    longer = replace(NOW, text=evidence.text)

    assert outcome(draft=longer, evidence=evidence) is Outcome.BETTER
    assert outcome(now=longer, draft=NOW, evidence=evidence) is Outcome.WORSE


def test_worse_in_one_part_is_worse_and_said_first():
    verdict = judge(
        replace(NOW, authors=("News desk",)),
        replace(NOW, authors=("Sipho Dube",), title="Other words"),
        KNOWN,
    )

    assert verdict.outcome is Outcome.WORSE
    assert [reason.partition(":")[0] for reason in verdict.reasons] == ["title", "author"]


def test_a_gallery_needs_no_body():
    draft = replace(NOW, has_body_rule=True)

    assert outcome(draft=draft, evidence=replace(KNOWN, is_article=False)) is Outcome.SAME


@pytest.mark.parametrize(
    ("text", "reference", "expected"),
    [("a b c d e", "a b c d e", 1.0), ("a b c d", "w x y z", 0.0), ("a b c d e", "a b c d", 2 / 3)],
)
def test_agreement_of(text, reference, expected):
    assert agreement(text, reference) == pytest.approx(expected)
