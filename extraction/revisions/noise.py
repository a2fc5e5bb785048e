"""What of a page's text says nothing about its article: clocks, counters, advertisements, teasers.

A title and a text in, a digest out that stays the same while only such lines come, go or change,
and while lines change their places. Two documents of an article with one digest show one version.
"""

import hashlib
import re

from extraction.text.comparable import comparable

# A line of more words is a sentence of the article, whatever it says of times and numbers.
MAX_NOISE_WORDS = 12
# A teaser is a headline behind a label; a longer line that begins so is text ("Read the letter …").
MAX_TEASER_WORDS = 25
_DIGEST_BYTES = 16  # as `text_digest`: equal digests are equal texts

_UNITS = r"(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|weeks?|months?|years?)"
_COUNTED = (
    r"(?:views?|reads?|shares?|comments?|likes?|reactions?|replies|votes?|retweets?|followers?"
    r"|viewers?|watching|people reading this)"
)
_FIGURE = r"\d[\d.,' ]*[km]?\+?"
# What changes with the hour of the visit, where it stands in a line that is no sentence.
_CLOCKS = re.compile(
    rf"\b(?:{_FIGURE}|an?|one|few|several) ?{_UNITS} ago\b"
    rf"|\bjust now\b|\b(?:yesterday|today)(?:,? at)? \d{{1,2}}[:.h]\d\d\b"
    rf"|\b{_FIGURE} ?{_COUNTED}\b|\b{_COUNTED}:? ?\(?{_FIGURE}\)?"
    r"|\b\d{1,2}[:.h]\d\d(?::\d\d)?(?: ?[ap]\.?m\.?)?\b|\b\d{1,2} ?[ap]\.?m\b"
)
# With a time or date, words that make a line one of time: "Last updated on 20 Nov 2026 at 14:05".
_TIME_WORDS = frozenset(
    re.findall(
        r"\w+",
        """updated update published posted modified edited created first last on at by the as of
        time date am pm gmt utc sast cat est edt bst cet local st nd rd th min mins minute minutes
        read reading now live ago and jan feb mar apr may jun jul aug sep sept oct nov dec january
        february march april june july august september october november december monday tuesday
        wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun
        gepubliseer opgedateer geplaas om op januarie februarie maart mei junie julie augustus
        oktober desember maandag dinsdag woensdag donderdag vrydag saterdag sondag""",
    )
)
_DATES = re.compile(
    r"\b(?:\d{4}-\d\d-\d\d(?:t[\d:.+z-]*)?|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}"
    r"|\d{1,2}(?:st|nd|rd|th)? (?:jan|feb|ma|apr|may|mei|ju[nl]|aug|sep|o[ck]t|nov|de[cs])[a-z]*"
    r"|(?:jan|feb|mar|apr|may|ju[nl]|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2})\b"
)
_READING_TIME = re.compile(r"\b\d+ ?-?min(?:ute)?s? (?:of )?read(?:ing)?(?: time)?\b")
_WORD = re.compile(r"[^\W\d_]+")
_SENTENCE_END = re.compile(r"[.!?…]['\")\]]*$")
_ADVERTISEMENT = re.compile(
    r"[-–—|• ]*(?:advertisements?|advertensies?|ads?|ad feedback|sponsored|promoted|publicidade"
    r"|(?:story|article|text)? ?continues? (?:reading )?(?:below|after)"
    r"(?: (?:this|the))?(?: advert\w*| ads?)?"
    r"|scroll (?:down )?to continue(?: reading)?|continue reading below|remove ads?)[-–—|•.: ]*"
)
_TEASER = re.compile(
    r"(?:read (?:more|also|next|this)|also read|more on this|related(?: (?:stories|articles?))?"
    r"|recommended(?: reading)?|see also|must[- ]read|lees (?:ook|meer)|trending|top stories"
    r"|most read|watch|read) ?[:|>»–—]"
)


def version_digest(title: str, text: str) -> str:
    r"""Digest of what a title and a text say, noise and order of lines left out.

    Parameters
    ----------
    title
        A headline in any form.
    text
        A text in stored form: one block a line.

    Returns
    -------
    str
        32 hexadecimal digits.

    Notes
    -----
    Lines count as often as they stand there, in the form in which texts are compared. Of a line of
    up to `MAX_NOISE_WORDS` words that does not end as a sentence, times of day, "5 minutes ago" and
    counts of views or comments are left out; a line of nothing but these, dates and the words
    around them is left out as a whole, and so are labels of advertisements and teasers behind a
    label. A figure that stands alone is text: it may be a cell of a table.

    Examples
    --------
    >>> first = version_digest("Fire", "Updated 14:05\nTwo died.")
    >>> (
    ...     first == version_digest("Fire", "Two died.\nUpdated 16:30"),
    ...     first == version_digest("Fire", "Three died.\nUpdated 14:05"),
    ... )
    (True, False)
    """
    lines = sorted(line for part in text.split("\n") if (line := telling_part(part)))
    body = "\n".join([comparable(title), *lines]).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(body, digest_size=_DIGEST_BYTES).hexdigest()


def telling_part(line: str) -> str:
    """Give what a line says of the article, in the form that is compared; "" for noise.

    Examples
    --------
    >>> telling_part("By Thandi Nkosi · 5 minutes ago · 1,204 views")
    'by thandi nkosi'
    >>> telling_part("Last updated on Monday 20 November at 14:05."), telling_part("Advertisement")
    ('', '')
    >>> telling_part("He had left 5 minutes ago.")
    'he had left 5 minutes ago.'
    """
    said = comparable(line)
    n_words = said.count(" ") + 1
    if n_words <= MAX_TEASER_WORDS and _TEASER.match(said):
        return ""
    if n_words > MAX_NOISE_WORDS:
        return said
    if _ADVERTISEMENT.fullmatch(said) or _is_of_time(said):
        return ""
    if _SENTENCE_END.search(said) or not any(map(str.isdigit, said)):
        return said
    without = _CLOCKS.sub(" ", said)
    return said if without == said else " ".join(without.split()).strip(" ·|•-–—,:()")


def _is_of_time(said: str) -> bool:
    """Whether a line names a time, a date or a count, and says nothing else."""
    without = _CLOCKS.sub(" ", _DATES.sub(" ", _READING_TIME.sub(" ", said)))
    return without != said and _TIME_WORDS.issuperset(_WORD.findall(without))
