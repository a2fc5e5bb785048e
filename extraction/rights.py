"""What follows for texts whose sites reserve the rights of text and data mining."""

from extraction.models import Article

# Why such a text is left out of the corpus; the comments on its page go out with it.
RIGHTS_REASON = "Its rights are reserved: left out by the policy on rights."


def is_left_out_by_rights(article: Article) -> bool:
    """Say whether the policy on rights keeps an article out of the corpus."""
    return not article.in_corpus and article.reason == RIGHTS_REASON
