r"""The one tokenizer: text in, half-open code-point spans out, by one regular expression.

The scheme is that of the English Web Treebank and GUM, which the tagger is trained on: hyphens
split (well|-|known, while e-mail, co-founder and non-profit stay whole), clitics and n't split
(do|n't, Zuma|'s), units leave their number (2.5|m, 9|am), rand amounts lose their R (R|2.5|m, R|1
000) while road numbers keep it (R21, N2). Offsets come for free, so a token is never searched for
in its text.

Traps met while building it: a number that ends in ``\b`` backtracks (R2.5m became R2|.|5|m and
5.15pm 5|.|15|pm), hence ``(?!\w)``; "No." is an abbreviation only before a digit; "Sun." only
before a date. Repetitions before a required sign are bounded, so the time is linear in the text.
"""

import re

Span = tuple[int, int]

# Combining marks and joiners, which Python's \w leaves out.
_MARKS = (
    r"\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0900-\u0903\u093a-\u094f"
    r"\u200c\u200d"
)
_W = rf"[\w{_MARKS}]"
_LETTER = r"[^\W\d_]"
_APOSTROPHE = r"['’ʼ]"
_CLITIC = rf"{_APOSTROPHE}(?:[smdSMD]|ll|LL|re|RE|ve|VE)(?!\w)"
_NOT = rf"[nN]{_APOSTROPHE}[tT](?!\w)"

# Top-level domains that make "name.tld" an address without "www."; co.za and its like are two
# labels.
_TLD = (
    r"(?:com|org|net|edu|gov|info|biz|int|mil|africa|news|online|site"
    r"|za|uk|us|au|nz|ca|ie|eu|de|nl|fr|ch|in|ke|ng|zw|zm|bw)"
)
_URL_TAIL = r"[^\s<>\"“”«»]*[^\s<>\"“”«»‘’'.,;:!?…)\]}*]"
_ADDRESSES = (
    rf"(?:(?:https?|ftp|feed)://|www\.){_URL_TAIL}",
    r"[A-Za-z0-9_][\w.+%-]{0,63}@[A-Za-z0-9][A-Za-z0-9_-]{0,62}(?:\.[A-Za-z0-9-]{1,63}){0,8}(?<!-)",
    rf"(?:[A-Za-z0-9][A-Za-z0-9-]{{0,62}}\.){{1,8}}{_TLD}(?![\w@])(?!\.\w)(?:/(?:{_URL_TAIL})?)?",
    r"[A-Za-z0-9][\w-]{0,63}\.(?:[Dd][Oo][Cc]x?|[Xx][Ll][Ss]x?|pdf|html?|jpe?g|png|gif|mp[34]|zip|txt)(?!\w)",
    r"[#@][A-Za-z_]\w*",
)
_EMOTICONS = (r"[:;=8][\-o*']?[()\[\]{}DPpOo3|/\\](?![\w/])", r"<3(?!\w)", r"\^_\^")

# Titles and the like that are never a word of their own, then those that are one unless a date
# follows.
_ABBREVIATIONS = (
    r"(?:Mr|Mrs|Ms|Messrs|Mlle|Mme|Drs?|Prof|Adv|Cllr|Ald|Revd?|Hon|Capt|Const|Sgt|Insp|Supt|Lt|Maj|Gen|Brig|Cmdr|Gov|Sens?|Reps?|Col"
    r"|St|Ste|Mt|Ft|[JS]r|[js]nr|[JS]nr|vs|etc|al|approx|ca|incl|excl|Inc|Corp|Co|Ltd|Bros|Univ|Dept|Ave|Blvd|Attn|Conf|Vol|vol|Esp|esp|Ph"
    r"|Aug|Sept|Oct|Nov|Dec|Feb|Thurs?|Tues?|lbs?|oz|hrs|yrs|deg|paras?|Paras?|ext|Ext|Eds?|eds|viz|Fla|Va)\.(?!\w)"
)
_NUMBERING = (
    r"(?:[Nn]os?|[Aa]rt|[Ff]igs?|pp?|[Cc]hap|[Ss]ec|[Rr]ef|[Mm]in"
    r"|Jan|Mar|Apr|Jun|Jul|Sep|Mon|Wed|Thu|Fri|Sat|Sun|v|c|b|d)\.(?=\s?\d)"
)
_DOTTED = (
    r"Ph\.?D\.?(?!\w)",
    r"(?<!\w)(?:[A-Z]\.){1,3}(?:Sc|Com|Ed|Eng|Phil|Tech|Proc|Soc|Litt|Mus|Arch|Admin|Ch)\.?(?!\w)",
    rf"(?:{_LETTER}\.){{2,8}}(?!\w)",
    rf"(?:{_LETTER}\.){{1,8}}{_LETTER}(?![\w'’]|\.\w)",
    r"(?<![\w'’-])[A-Z]\.(?=\s?[A-Z]|\s(?:de|du|le|la|van|von|v\.|d\.) )",
    # J.-P. Pietersen; S v. Makwanyane.
    r"(?<![\w'’])[A-Z]\.(?=-[A-Z]\.)|(?<=\.-)[A-Z]\.(?=\s?[A-Z])",
    r"(?<!\w)v\.(?=\s[A-Z])",
)

# Written as one, spoken as two: can|not, gon|na.
_FUSED = (
    r"[cC]an(?=not(?!\w))|CAN(?=NOT(?!\w))|[gG]on(?=na(?!\w))|[wW]an(?=na(?!\w))|[gG]ot(?=ta(?!\w))"
    rf"|[yY]{_APOSTROPHE}(?=all(?!\w))|(?:[dD]o|[dD]oes|[dD]id|[cC]a|[wW]o|[cC]ould|[wW]ould|[iI]s|[aA]i)(?=nt(?!\w))"
)

# The prefixes that keep their hyphen in the treebanks.
_PREFIXED = (
    r"[Mm]id-\d+s?(?!\w)|(?:[Nn]on|[Ee]|[Rr]e|[Aa]nti|[Cc]o|[Pp]re|[Mm]id|[Pp]ro|[Cc]ross|[Pp]ost|[Ss]emi|[Mm]ulti|[Ee]x|[Ss]ub|[Cc]ounter|[Mm]ini|[Ii]nter|[Uu]ltra"
    rf"|[Pp]seudo|[Ii]ntra|[Pp]roto|[Nn]eo|[Uu]h|[Mm]m)-(?={_LETTER}){_W}+"
)

# Groups of thousands, not the parts of a telephone number: 082 123 4567.
_GROUPED = r"(?<!\d )[1-9]\d{0,2}(?: \d{3})+(?! ?\d|-\d)(?:[.,]\d{1,2}(?![\d,.]))?"
_AMOUNT = rf"{_GROUPED}|\d{{1,3}}(?:,\d{{3}})+(?![\d-])(?:\.\d+)?|\d+(?:[.,:]\d+)*"
_UNIT_FOLLOWS = (
    r"(?=(?:bn|tn|mn|m|k|c|km|kg|cm|mm|ml|ha|pm|am|PM|AM|M|K|b|B|ft|kWh|kW|MW|GW|GB|MB|x)(?!\w))"
)
_NUMBERS = (
    r"\d{1,4}-\d{3}-\d{3}-\d{4}(?!\w)|\d{3}-\d{3}-\d{4}(?!\w)|\d{3}-\d{4}(?!\w)",
    r"\d{1,4}/\d{1,2}/\d{1,4}(?!\w)|\d{1,2}/\d{1,2}(?![\w/])|\d{1,4}-\d{1,2}-\d{1,4}(?!\w)",
    r"(?:ZA)?R(?=\d+[.,]\d|\d+(?:bn|tn|mn|m|k)(?!\w)|[1-9]\d{0,2}(?: \d{3})+(?! ?\d)|\d{4,})",
    r"\d+(?:,\d{3})*(?:st|nd|rd|th|ST|ND|RD|TH|s)(?!\w)",
    rf"(?:{_AMOUNT})(?:(?!\w)|{_UNIT_FOLLOWS})",
    r"['’]\d0s(?!\w)|['’]\d\d(?!\w)|\.\d+(?!\w)(?<![\w)]\d)",
)
_CURRENCY = r"(?:US|AU|NZ|CA|A|C|U)\$|[$£€¥₦₹]"

# A word stops before n't and before a clitic; apostrophes and ampersands inside it stay (O'Brien,
# N'wamitwa, AT&T).
_WORDS = (
    rf"{_W}+?(?={_NOT})",
    rf"{_W}+(?:(?!{_CLITIC})['’ʼ&]{_W}+)*",
)
# Elided words with their apostrophe, among them the Afrikaans article 'n.
_ELIDED = r"['’‘]n['’](?!\w)|['’ʼ](?:em|til|cause|tis|twas|n|N)(?!\w)|[cC]['’]m(?=on(?!\w))"
_EMOJI = r"[\u2190-\u2bff\U0001f000-\U0001faff]"
_EMOJI_SEQUENCE = (
    rf"[\U0001f1e6-\U0001f1ff]{{2}}|{_EMOJI}[\ufe0f\u20e3\U0001f3fb-\U0001f3ff]*"
    rf"(?:\u200d{_EMOJI}[\ufe0f\U0001f3fb-\U0001f3ff]*)*"
)
_SIGNS = r"\.{2,}|-{2,}|\*+|_{2,}|={2,}|~{2,}|\+{2,}|[?!]+|#{2,}|<<|>>|''|``|’’"

# The two first alternatives take nine tokens of ten and are five times as fast as the rest: a plain
# word before a space or a comma, a comma or stop before white space. The look-ahead keeps the
# engine from trying every alternative on every space.
_TOKEN = re.compile(
    r"(?=\S)(?:"
    + "|".join(
        (
            _FUSED,
            r"[A-Za-z]+(?=[ ,\n])",
            r"[,.](?=\s|$)",
            *_ADDRESSES,
            *_EMOTICONS,
            *_DOTTED,
            _ABBREVIATIONS,
            _NUMBERING,
            _PREFIXED,
            *_NUMBERS,
            _CURRENCY,
            _ELIDED,
            _NOT,
            _CLITIC,
            *_WORDS,
            _SIGNS,
            _EMOJI_SEQUENCE,
            r"\S",
        )
    )
    + ")"
)


def tokenize(text: str, start: int = 0, end: int | None = None) -> list[Span]:
    """Find the tokens of a text or of one sentence of it.

    Parameters
    ----------
    text
        Normalised text.
    start, end
        Code-point offsets between which to look; what lies beyond `end` is not seen, so a
        sentence's last full stop is a token of its own even where it could belong to an initial.

    Returns
    -------
    list of (int, int)
        Half-open offsets into `text`, ascending, disjoint; every character that is not white space
        lies in exactly one of them.

    Examples
    --------
    >>> text = "R2.5m won't buy Zuma’s e-mail."
    >>> [text[a:b] for a, b in tokenize(text)]
    ['R', '2.5', 'm', 'wo', "n't", 'buy', 'Zuma', '’s', 'e-mail', '.']
    """
    return [
        match.span() for match in _TOKEN.finditer(text, start, len(text) if end is None else end)
    ]
