"""Posts of microblogs: the answer of a timeline in which one stood → what an article is made of.

A post has no headline. What stands before a folded one is its standfirst, what is said of its
pictures are its captions, its hashtags are its tags. Its words are its author's alone: nothing is
sought on a page, and an edit is a version whatever it leaves of the text.
"""

from dataclasses import dataclass, replace

from extraction.html.markup.blocks import Block, BlockKind, join_blocks, make_block
from extraction.html.page import ChosenSource, ExtractedKind, ExtractedPage, Extractor
from extraction.models import Article
from extraction.stage.post_replies import Answered
from extraction.stage.read_articles import LaterDocument, ReadArticle, Verdict
from extraction.text.normalize import normalize_text
from feeds.crawler.archive.warc_reading import ArchivedExchange
from feeds.crawler.documents.timeline_posts import TimelinePost
from feeds.crawler.timelines.networks import find_post
from feeds.models import Page
from feeds.visiting.posts import key_of

# Changed with what is read of a post, so that a later document is read by it.
VERSION = "1"
SOURCE = "post"
_MAX_KEY = 500  # what the columns hold
GONE = "Its server says that the post is gone."
_FIELDS = ("text", "authors", "published_at", "modified_at", "tags", "description")


@dataclass(frozen=True, slots=True)
class ExtractedPost:
    """A post as an extracted page, with the address of its page for people."""

    page: ExtractedPage
    url: str
    answered: Answered | None = None


def read(page: Page, archived: ArchivedExchange | None) -> ExtractedPost | None:
    """Read the post of a page; None where no answer was archived in which it stands."""
    post = find_post(archived.url, archived.body, page.url) if archived else None
    if post is None:
        return None
    key = key_of(post.reply_to)[:_MAX_KEY]
    answered = Answered(key, key_of(post.thread)[:_MAX_KEY]) if key else None
    return ExtractedPost(_extracted(post), post.url or page.url, answered)


def _extracted(post: TimelinePost) -> ExtractedPage:
    blocks = [make_block(BlockKind.PARAGRAPH, line) for line in post.text.split("\n")]
    blocks += [make_block(BlockKind.CAPTION, words) for words in post.descriptions]
    kept: tuple[Block, ...] = tuple(block for block in blocks if block.text)
    text = join_blocks(kept)
    found = ExtractedPage(
        kind=ExtractedKind.TEXT if text else ExtractedKind.EMPTY,
        blocks=kept,
        text=text,
        authors=(normalize_text(post.byline),),
        published_at=post.posted_at,
        modified_at=post.edited_at,
        tags=tuple(map(normalize_text, post.tags)),
        description=normalize_text(post.warning),
        declared_language=post.language,
        extractor=Extractor.POST,
        confidence=1.0,
        reason="A post of a timeline, as its author wrote it.",
    )
    said = tuple(ChosenSource(name, SOURCE) for name in _FIELDS if getattr(found, name))
    return replace(found, sources=said)


def judge(stored: Article, read: ReadArticle) -> LaterDocument | None:
    """Say what a later document of a stored post is; None for the document that is stored."""
    if stored.fetch_id == read.fetch_id:
        return None
    found = read.extracted
    is_same = stored.text == found.text and stored.standfirst == found.description
    return LaterDocument(Verdict.SAME if is_same else Verdict.VERSION)
