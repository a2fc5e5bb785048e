"""A treebank of an invented language that looks a little like isiZulu: 40 sentences of CoNLL-U."""

_NOUNS = ("ntobo", "hleki", "bando", "fuli", "zamo")
_VERBS = ("gala", "pheka", "thwisa", "lobela")

N_SENTENCES = 40


def _noun(stem: str, *, is_plural: bool) -> tuple[str, str, str]:
    return ("aba" if is_plural else "umu") + stem, f"umu{stem}", "NOUN"


def _verb(stem: str, *, is_plural: bool) -> tuple[str, str, str]:
    return ("baya" if is_plural else "uya") + stem, stem, "VERB"


def words_of(number: int) -> list[tuple[str, str, str]]:
    """Form, lemma, tag of each word of a sentence; names, conjunctions and signs among them."""
    noun, other = _NOUNS[number % 5], _NOUNS[(number // 5 + 1) % 5]
    is_plural, other_plural = number % 2 == 1, number % 3 == 1
    subject = _noun(noun, is_plural=is_plural)
    words = [
        (subject[0].capitalize(), *subject[1:]),
        _verb(_VERBS[number % 4], is_plural=is_plural),
        _noun(other, is_plural=other_plural),
    ]
    if number % 4 == 0:
        words += [("futhi", "futhi", "CCONJ"), ("Mandisa", "Mandisa", "PROPN")]
    return [*words, (".", ".", "PUNCT")]


def sentence_lines(number: int) -> list[str]:
    """Lines of a sentence in CoNLL-U."""
    words = words_of(number)
    lines = [f"# sent_id = {number}"]
    for place, (form, lemma, tag) in enumerate(words, 1):
        misc = "SpaceAfter=No" if place == len(words) - 1 else "_"
        lines.append("\t".join([str(place), form, lemma, tag, *"_____", misc]))
    return lines


def treebank(n: int = N_SENTENCES) -> str:
    """Return a whole file."""
    return "".join("\n".join(sentence_lines(number)) + "\n\n" for number in range(n))
