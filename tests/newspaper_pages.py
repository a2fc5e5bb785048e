"""Pages of an invented newspaper for tests of the extraction.

One template, every part replaceable.
"""

PARAGRAPHS = (
    (
        "The harbour master of Saldanha said on Tuesday that the dredging of the inner "
        "basin, which began in March, would be finished before the winter storms."
    ),
    (
        "Fishermen who have waited for months to bring their boats back to the jetty "
        "were less certain, and pointed to the two barges that had stood idle since "
        "Friday."
    ),
    (
        "“We were promised a date, and then another one,” said Thandi Jacobs, who owns "
        "three boats and employs nineteen people in the season."
    ),
    (
        "The municipality has set aside four million rand for the work, a sum that the "
        "council's own engineers called modest when they presented the plan last year."
    ),
    (
        "Nobody at the department would say on Wednesday whether the contractor had "
        "been paid for the second phase, or when divers would inspect the wall again."
    ),
)
MENU = (
    '<nav><ul><li><a href="/">Home</a></li><li><a href="/sport">Sport</a></li><li>'
    '<a href="/opinion">Opinion</a></li></ul></nav>'
)
FOOTER = (
    "<footer><p>The Saldanha Herald, 12 Main Road. All rights reserved.</p><p><a "
    'href="/terms">Terms</a> <a href="/privacy">Privacy</a></p></footer>'
)
TITLE = "Dredging of the inner basin nears its end"


def paragraphs_html(paragraphs=PARAGRAPHS):
    return "".join(f"<p>{text}</p>" for text in paragraphs)


def article_page(body=None, *, head="", after="", title=TITLE, before=""):
    """Bytes of a whole page around an article's body.

    `before` and `after` stand beside the body in the article element.
    """
    body = paragraphs_html() if body is None else body
    return (
        f"<!doctype html><html lang='en'><head><meta charset='utf-8'><title>{title} | "
        "The Saldanha Herald</title>"
        f"<meta property='og:site_name' content='The Saldanha Herald'>{head}</head>"
        f"<body>{MENU}<main><article><h1>{title}</h1>{before}<div "
        f"class='article-body'>{body}</div>{after}</article></main>{FOOTER}</body>"
        "</html>"
    ).encode()
