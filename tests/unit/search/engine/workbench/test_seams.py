"""Matches across texts are the same however the corpus is cut into segments."""

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from search.engine.index.building.bulk import BulkBuilder
from search.engine.query import reach
from search.engine.query.ast import Strategy
from search.engine.query.filters import DocumentFilter
from search.engine.query.language.parser import Language, parse
from search.engine.query.run import run
from search.engine.workbench import building
from search.engine.workbench.building import BuildRequest, build
from search.engine.workbench.corpus import Corpus

QUERIES = (
    '"a" "b"',
    '"a" []{0,2} "b"',
    '"a"+ "b"? "c"',
    "[] [] []",
    '@"a" "b" | "b" @"c"',
    '"a" []* "c" within 3 text',
    '"a" []* "c" within 2 s',
    '"a" []* "b" within 4 tokens',
    'MU(meet "a" "b" -2 2)',
    '"a" </text> <text> []',
    '[word="a" & _.text_publication="x"] [] "b"',
    '"a" <s>',
    '</text> "a"',
    '</s> "a" []? within s',
    '"a" [: word="b" :] within text',
)
TEXTS = st.lists(
    st.tuples(st.sampled_from("xy"), st.lists(st.sampled_from("abc"), min_size=1, max_size=6)),
    min_size=2,
    max_size=30,
)


def file_of(texts):
    return "".join(
        f'<text publication="{paper}">\n<s>\n'
        + "".join(f"{word}\t{word}\tX\n" for word in words)
        + "</s>\n</text>\n"
        for paper, words in texts
    )


def corpus_of(folder, texts, tokens_per_segment):
    folder.mkdir()
    (folder / "corpus.vrt").write_text(file_of(texts))
    with pytest.MonkeyPatch.context() as patch:
        small = partial(BulkBuilder, tokens_per_segment=tokens_per_segment)
        patch.setattr(building, "BulkBuilder", small)
        build(BuildRequest(str(folder / "corpus.vrt"), folder / "index"))
    return Corpus(folder / "index")


def spans(corpus, query, wanted):
    hits = run(corpus.snapshot, query, wanted, across_texts=True)
    starts, ends = corpus.spans(hits)
    return sorted(zip(starts.tolist(), ends.tolist(), strict=True)), hits.total, hits.n_texts


@settings(deadline=None, max_examples=12)
@given(
    TEXTS,
    st.sampled_from((4, 12, 30)),
    st.sampled_from((2, 500)),
    st.sampled_from(Strategy),
    st.sampled_from((DocumentFilter(), DocumentFilter(publications=("x",)))),
)
def test_matches_do_not_depend_on_segments(
    tmp_path_factory, texts, tokens_per_segment, boundary, strategy, wanted
):
    folder = tmp_path_factory.mktemp("seams")
    whole = corpus_of(folder / "whole", texts, 10_000)
    parts = corpus_of(folder / "parts", texts, tokens_per_segment)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reach, "HARD_BOUNDARY", boundary)
        for cql in QUERIES:
            query = parse(f"(?{strategy}) {cql}", Language.CQL)

            assert spans(parts, query, wanted) == spans(whole, query, wanted), cql
