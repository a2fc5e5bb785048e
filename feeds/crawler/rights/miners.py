"""Names in robots.txt by which sites turn away who collects texts for mining and training.

One table. A name is in it where its owner says that what it fetches (or, for a name that fetches
nothing itself, what others of the same house fetched) goes into training data or data sets. Who
only searches, or fetches one page for one reader, is not: being closed to these says nothing of
mining. To be gone through once a year; names that are used no more stay, as they still stand in
the files of sites.
"""

from dataclasses import dataclass

# When the pages below were last read.
CHECKED = "2026-11"
# A list of such names with their owners, kept by many hands.
_LIST = "https://github.com/ai-robots-txt/ai.robots.txt"
_OPENAI = "https://developers.openai.com/docs/bots"
_ANTHROPIC = "https://support.claude.com/en/articles/8896518"
_GOOGLE = "https://developers.google.com/crawling/docs/crawlers-fetchers/google-common-crawlers"
_APPLE = "https://support.apple.com/en-us/119829"
_META = "https://developers.facebook.com/docs/sharing/webmasters/web-crawlers"
_AI2 = "https://allenai.org/crawler"
_WEBZ = "https://webz.io/bot.html"


@dataclass(frozen=True, slots=True)
class Miner:
    """A name, whose it is, and where that is said."""

    name: str
    owner: str
    source: str


MINERS = (
    Miner("GPTBot", "OpenAI", _OPENAI),
    Miner("ClaudeBot", "Anthropic", _ANTHROPIC),
    Miner("anthropic-ai", "Anthropic, formerly", _LIST),
    Miner("Claude-Web", "Anthropic, formerly", _LIST),
    Miner("Google-Extended", "Google", _GOOGLE),
    Miner("Applebot-Extended", "Apple", _APPLE),
    Miner("meta-externalagent", "Meta", _META),
    Miner("FacebookBot", "Meta, formerly", _LIST),
    Miner("CCBot", "Common Crawl", "https://commoncrawl.org/ccbot"),
    Miner("Amazonbot", "Amazon", "https://developer.amazon.com/amazonbot"),
    Miner("Bytespider", "ByteDance", _LIST),
    Miner("cohere-ai", "Cohere", _LIST),
    Miner("cohere-training-data-crawler", "Cohere", _LIST),
    Miner("AI2Bot", "Allen Institute for AI", _AI2),
    Miner("Ai2Bot-Dolma", "Allen Institute for AI", _AI2),
    Miner("DeepSeekBot", "DeepSeek", _LIST),
    Miner("PanguBot", "Huawei", _LIST),
    Miner("Diffbot", "Diffbot", _LIST),
    Miner("omgili", "Webz.io", _WEBZ),
    Miner("omgilibot", "Webz.io", _WEBZ),
    Miner("Webzio-Extended", "Webz.io", _WEBZ),
    Miner("ImagesiftBot", "The Hive", _LIST),
    Miner("img2dataset", "img2dataset, a program", _LIST),
    Miner("ICC-Crawler", "NICT, Japan", _LIST),
    Miner("SBIntuitionsBot", "SB Intuitions", _LIST),
    Miner("Kangaroo Bot", "Kangaroo LLM", _LIST),
    Miner("Timpibot", "Timpi", _LIST),
    Miner("VelenPublicWebCrawler", "Velen", _LIST),
)
