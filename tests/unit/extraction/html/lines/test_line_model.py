import numpy as np
from newspaper_pages import PARAGRAPHS, article_page

from extraction.html.extract_page import extract_page
from extraction.html.lines.line_features import FEATURE_GROUPS, line_features
from extraction.html.lines.line_model import LineModel, default_model, forward, sigmoid
from extraction.html.lines.line_places import PageContext
from extraction.html.markup.cleaning import clean
from extraction.html.markup.outline_walk import outline_page
from extraction.html.markup.parse import parse_html
from extraction.html.page import PageInput
from extraction.html.training.train_line_model import cross_validated, fold_of, train
from extraction.html.training.training_pages import label_page

BODY = "\n".join(PARAGRAPHS)


def labelled(number, set_name="fundus"):
    gold = {"id": f"page{number}", "group": f"site{number}.example", "url": "", "body": BODY}
    return label_page(article_page(), gold, set_name)


def test_labels_mark_the_lines_of_the_gold_body():
    page = labelled(1)

    assert [text for text, label in zip(page.texts, page.labels, strict=True) if label] == list(
        PARAGRAPHS
    )
    assert page.weights.min() > 0


def test_segment_labels_leave_other_lines_open():
    gold = {
        "id": "a",
        "group": "a.example",
        "with": ["inner basin, which began"],
        "without": ["All rights reserved"],
    }

    page = label_page(article_page(), gold, "segments")

    known = [
        (text[:20], label)
        for text, label, weight in zip(page.texts, page.labels, page.weights, strict=True)
        if weight
    ]
    assert known == [(PARAGRAPHS[0][:20], 1.0), ("The Saldanha Herald,", 0.0)]


def test_page_without_text_is_not_labelled():
    assert label_page(b"<html></html>", {"id": "a", "body": "x"}, "zyte") is None


class Watcher:
    """Keeps what the cascade chose from."""

    def parsed(self, root):
        pass

    cleaned = ruled = parsed

    def chosen(self, page, _choice):
        self.page = page


def test_pages_are_read_for_training_as_they_are_read_later():
    script = "<script type='text/template'>" + "<p>The reed beds burnt again.</p>" * 20
    comments = "".join(
        f"<div class='comment'><b class='author'>Piet {n}</b><p>We saw the smoke.</p></div>"
        for n in range(9)
    )
    body = article_page(before=script + "</script><p hidden>Nothing.</p>", after=comments)
    gold = {"id": "a", "url": "https://saldanha.example/a", "body": BODY}
    watcher = Watcher()

    extract_page(PageInput(body=body, url=gold["url"]), observer=watcher)

    seen = line_features(watcher.page.outline, watcher.page.context)
    page = label_page(body, gold, "zyte")
    assert sum("reed beds" in text for text in page.texts) == 20
    assert np.array_equal(page.features, seen)


def test_training_learns_and_is_reproducible(tmp_path):
    pages = [labelled(number) for number in range(60)]

    model, again = train(pages), train(pages)
    model.save(tmp_path / "model.npz")
    loaded = LineModel.load(tmp_path / "model.npz")

    found = loaded.probabilities(pages[0].features)
    assert ((found >= 0.5) == pages[0].labels).all()
    assert np.array_equal(
        again.probabilities(pages[0].features), model.probabilities(pages[0].features)
    )
    assert np.allclose(found, model.probabilities(pages[0].features), atol=0.01)


def test_cross_validation_answers_for_every_page():
    pages = [labelled(number) for number in range(12)]

    found = cross_validated(pages, 3)

    assert [len(probabilities) for probabilities in found] == [len(page.labels) for page in pages]
    assert {fold_of(page.group, 3) for page in pages} <= {0, 1, 2}


def test_shipped_model_fits_the_features():
    root = parse_html(article_page().decode())
    clean(root)
    outline = outline_page(root)

    features = line_features(outline, PageContext())

    assert features.shape == (len(outline.lines), len(default_model().mean))
    assert np.isfinite(features).all()


def test_groups_of_features_are_all_columns():
    ends = [group.stop for group in FEATURE_GROUPS.values()]

    assert [group.start for group in FEATURE_GROUPS.values()] == [0, *ends[:-1]]
    assert ends[-1] == len(default_model().mean)


def test_features_of_a_page_without_lines_have_no_rows():
    assert len(line_features(outline_page(parse_html("")), PageContext())) == 0


def test_others_are_asked_where_the_first_network_is_in_doubt():
    model = default_model()
    features = labelled(1).features
    scaled = model.standardized(features)
    votes = np.stack([sigmoid(forward(layers, scaled)) for layers in model.networks])
    is_sure = (votes[0] < 0.005) | (votes[0] > 0.995)

    found = model.probabilities(features)

    assert 0 < is_sure.sum() < len(is_sure)
    assert np.allclose(found, np.where(is_sure, votes[0], votes.mean(axis=0)), atol=1e-5)
