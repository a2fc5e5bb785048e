"""Comment systems that are named and not read: without a key they answer nobody, or POSTs alone.

Coral refuses any query that is not its own embed's (RAW_QUERY_NOT_AUTHORIZED in its API's words),
OpenWeb answers POSTs, Hyvor Talk's interface wants a key, Facebook a token; Commento lists comments
by POST. Each entry says by which marks of a page it is known; a system's mere mention in styles,
in settings of the whole site or as a counter is none.
"""

from collections.abc import Callable
from dataclasses import dataclass

from feeds.crawler.comment_systems.page_scan import PageScan, assigned
from feeds.crawler.comment_systems.threads import ThreadReference
from feeds.crawler.documents.byte_patterns import in_bytes


@dataclass(frozen=True, slots=True)
class NamedSystem:
    """How a system that cannot be read shows itself: name, signs to look for first, its marks."""

    key: str
    name: str
    signs: tuple[bytes, ...]
    marks: bytes
    identifiers: bytes = b""  # names of what holds the thread's own name

    def finder(self) -> Callable[[PageScan], ThreadReference | None]:
        """Make the function that finds it in a page."""
        marks = in_bytes(self.marks)
        names = assigned(self.identifiers) if self.identifiers else None
        key = self.key

        def find(scan: PageScan) -> ThreadReference | None:
            if not marks.search(scan.page):
                return None
            return ThreadReference(
                key, identifier=scan.string(names) if names else "", link=scan.url
            )

        return find


NAMED_SYSTEMS = (
    NamedSystem(
        "coral",
        "Coral",
        (b"coral",),
        rb"<coral-talk\b|\bid=['\"]?(?:coral[_-](?:talk(?:_stream)?|thread|community|stream))\b"
        rb"|\bCoral\.(?:Talk\.render|createStreamEmbed)\b",
        rb"\bstoryID|\bdata-story-?id|\bcontent-id|\bdata-asset-id",
    ),
    NamedSystem(
        "openweb",
        "OpenWeb",
        (b"spot.im", b"spotim", b"openweb"),
        rb"data-spotim-module=['\"]?(?:conversation|spotim-launcher)|launcher\.spot\.im/spot/"
        rb"|\bid=['\"]?spotim-(?:comments|conversation)\b|data-openweb-(?:module|sdk)",
        rb"\bdata-post-id",
    ),
    NamedSystem(
        "hyvor",
        "Hyvor Talk",
        (b"hyvor",),
        rb"<hyvor-talk-comments\b|\bhyvor-talk-view\b|\bHYVOR_TALK_WEBSITE\b|\btalk\.hyvor\.com/"
        rb"|\bprovider['\"]?\s*:\s*['\"]Hyvor['\"]",
        rb"\bpage-id|\bHYVOR_TALK_CONFIG",
    ),
    NamedSystem(
        "facebook",
        "Facebook comments",
        (b"fb-comments", b"fb:comments", b"plugins/comments.php"),
        rb"\bclass=['\"]?(?:[^'\">]{0,200}\s)?fb-comments[\s'\">]|<fb:comments[\s>]"
        rb"|facebook\.com/plugins/comments\.php",
    ),
    NamedSystem(
        "livefyre",
        "Livefyre",
        (b"livefyre",),
        rb"\b(?:id|class)=['\"]?livefyre[-_](?:comments|content)|\bfyre\.conv\.load\b"
        rb"|livefyre\.com/(?:wjs|libs/fyre\.conv)|\bid=['\"]?livefyre['\"\s>]",
        rb"\barticleId|\bdata-lf-article-id",
    ),
    NamedSystem(
        "vuukle",
        "Vuukle",
        (b"vuukle",),
        rb"\bid=['\"]?vuukle[-_]?(?:comments|div|block)\b|#vuukleBlock\b|\bvuukle-comments\b",
    ),
    NamedSystem(
        "insticator",
        "Insticator",
        (b"insticator",),
        rb"\binsticator[-_](?:comments?|commenting)\b",
    ),
    NamedSystem(
        "commento",
        "Commento",
        (b"commento",),
        rb"/js/commento\.js\b|\bid=['\"]?commento['\"\s>]",
        rb"\bdata-page-id",
    ),
    NamedSystem(
        "utterances", "utterances", (b"utteranc",), rb"\butteranc\.es/client\.js|<utterances\b"
    ),
    NamedSystem(
        "giscus",
        "giscus",
        (b"giscus",),
        rb"\bgiscus\.app/client\.js|\bclass=['\"]?giscus['\"\s>]|<giscus-widget\b",
        rb"\bdata-term",
    ),
    NamedSystem("muut", "Muut", (b"muut",), rb"\bcdn\.muut\.com/|\bclass=['\"]?muut['\"\s>]"),
    NamedSystem(
        "talkyard",
        "Talkyard",
        (b"talkyard",),
        rb"\btalkyard-comments\b|\btalkyardServerUrl\b",
        rb"\bdata-discussion-id",
    ),
    NamedSystem(
        "cackle", "Cackle", (b"cackle",), rb"\bcackle\.me/widget|\bcackle_widget\b|\bmc-container\b"
    ),
    NamedSystem(
        "intensedebate",
        "IntenseDebate",
        (b"intensedebate",),
        rb"intensedebate\.com/js/genericCommentWrapper|\bidcomments_acct\b",
        rb"\bidcomments_post_id",
    ),
    NamedSystem(
        "hypercomments",
        "HyperComments",
        (b"hypercomments",),
        rb"\bhypercomments_widget\b|hypercomments\.com/widget",
    ),
    NamedSystem(
        "fastcomments",
        "FastComments",
        (b"fastcomments",),
        rb"\bfastcomments\.com/js/embed|\bFastCommentsUI\b|\bfastcomments-widget\b",
        rb"\burlId",
    ),
    NamedSystem(
        "graphcomment",
        "GraphComment",
        (b"graphcomment",),
        rb"\bid=['\"]?graphcomment['\"\s>]|\bgraphcomment\.com/js/",
    ),
)
# What WordPress.com shows in a frame; the comments are the site's own where it tells of them.
JETPACK = NamedSystem(
    "jetpack",
    "Jetpack",
    (b"jetpack",),
    rb"\bjetpack_remote_comment\b|jetpack\.wordpress\.com/jetpack-comment",
)
