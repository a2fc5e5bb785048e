"""Phrases that frame an article on its page: read also, share, subscribe, and so on.

Used as evidence beside link density and position, never alone: a sentence of an article may hold
any of these words.
"""

import re2

# Each group is one bit of evidence for the line model.
PHRASE_GROUPS: dict[str, tuple[str, ...]] = {
    "read_also": (
        "read (?:also|more|next|full|the full|on)", "also read", "see also",
        r"more (?:on|from|about|stories|news|in)\b",
        "related (?:stor|article|news|content|topics|link|post|reading|coverage)", "recommended",
        "you may (?:also )?like", "(?:most|more) (?:read|popular)", "trending", "don.t miss",
        "in other news", "continue reading", "click here", "watch:", "listen:",
        "lees (?:ook|meer)", "mehr zum thema", "lesen sie (?:auch|mehr)", "auch interessant",
        "siehe auch", "mehr (?:zu|dazu|lesen)", "weiterlesen", "lire aussi", "à lire",
        "voir aussi", "lea (?:también|mas|más)", "ver también", "leia (?:também|mais)",
        "veja (?:também|mais)", "leggi anche", "czytaj (?:też|także|więcej|również)",
        "zobacz (?:też|także|również)", "więcej", "читайте также", "читать", "по теме",
        r"см\. также", "другие", "διαβάστε", "δείτε", "σχετικά", "相关", "相關",
        "推荐", "更多", "関連",
        "あわせて", "おすすめ", "funda futhi",
    ),
    "share": (
        r"\bshare\b", r"\btweet\b", "facebook", "twitter", "whatsapp", "instagram", "telegram",
        "linkedin", "pinterest", "e-?mail (?:this|a friend)", "print (?:this|article)",
        "follow us", "follow @", "teilen", "drucken", "partager", "imprimer",
        "compart(?:ir|ilhe|e)", "drukuj", "wyślij", "poleć", "поделиться", "распечатать",
        "εκτύπωση", "分享", "打印", "列印", "转发", "収藏", "deel (?:hierdie|op)",
    ),
    "subscribe": (
        "subscri", "sign up", "sign in", "log ?in", "newsletter", "register", "your inbox",
        "free trial", "support (?:us|our)", "donate", "become a member", "members? only",
        "premium", "unlock", "paywall", "abonn", "anmelden", "registrier", "spende",
        "unterstütz", "suscr[ií]b", "assin[ae]", "iscriviti", "zaloguj", "подпис", "会員", "有料",
        "登録", "ログイン", "订阅", "download (?:the|our) app", "teken in",
        r"cookies?\b", "privacy",
    ),
    "copyright": (
        "©", r"\(c\) ?\d{4}", "copyright", "all rights reserved", "alle rechte", "tous droits",
        "todos los derechos", "kopiereg", "wszelkie prawa", "все права",
        "πνευματικ", "版权", "版權",
        "著作権", "may not be (?:published|reproduced|republished)",
    ),
    "credit": (
        (
            r"^(?:photo|foto|image|picture|bild|video|graphic|source|quelle|credit|photograph|"
            r"zdjęcie|fot\.|фото|πηγή|來源|来源|图|圖|写真)(?:graph(?:y|er|"
            r"s)?|s|by|credit)?\b ?[:/|©]"
        ),
        "getty images", r"/ ?(?:reuters|afp|ap|dpa|epa|pap)\b",
        r"\((?:reuters|afp|ap|dpa|file)\)", r"\b(?:picture|photo|image|foto)s?: ",
    ),
    "advert": (
        "advertisement", "advertorial", "sponsored", r"anzeige\b", "werbung", "publicidad",
        "publicité", "reklama", "реклама", "διαφήμιση", "广告", "廣告", "pubblicità",
        "story continues", "article continues", "scroll (?:down|to)",
    ),
    "comments": (
        r"\bcomments?\b", "kommentar", r"\breply\b", "leave a",
        "join the (?:conversation|discussion)", "have your say", "dodaj", "opinie", "коммент",
        "σχόλι", "评论", "評論", "コメント", "commentaires", "comentarios?",
    ),
    "byline": (
        (
            r"^(?:by|von|par|por|di|door|deur|text|words|author|autor|автор|written by|"
            r"reported by|reporting by|editing by|additional reporting)\b"
        ),
        (
            r"^\W*(?:updated?|published|posted|last (?:updated|modified)|veröffentlicht|"
            r"aktualisiert|stand|publié|publicado|data|дата|erstellt)\b"
        ),
        "记者", "記者", "编辑", "編輯", "责任", r"\bmin(?:ute)?s? read\b", "lesezeit", "ago$",
        r"\bcorrespondent\b", r"\bstaff (?:writer|reporter)\b", r"\breporter\b$",
    ),
    "tags": (
        (
            r"^(?:tags?|topics?|filed under|categor(?:y|ies|ia)|keywords?|schlagw|themen|"
            r"etiquetas|słowa kluczowe|теги|метки|ετικέτες|标签|關鍵字|posted in|sections?)\b ?:?"
        ),
    ),
    "about_author": (
        (
            r"\bis an? (?:[\w-]+ ){0,4}(?:reporter|writer|editor|journalist|correspondent|"
            r"columnist|author|contributor|producer)\b"
        ),
        "about the author", "zum autor", "contact (?:the|us|him|her|at)",
        "follow (?:him|her|them)", "can be reached", "email (?:him|her|me|us)",
        "send (?:us )?tips", "tips?@", r"\w@\w", "contributed to this (?:report|story)",
        "originally (?:appeared|published)",
        "this (?:story|article) (?:was|has been|first|originally)",
    ),
}  # fmt: skip


def _compiled() -> re2.Set:
    """All groups in one automaton: one pass over a line, whatever the number of phrases."""
    options = re2.Options()
    options.case_sensitive = False
    patterns = re2.Set.SearchSet(options)
    for group in PHRASE_GROUPS.values():
        patterns.Add("|".join(group))
    patterns.Compile()
    return patterns


_PATTERNS = _compiled()
# Longer lines are sentences of the text; a phrase inside them says nothing.
MAX_PHRASE_LINE_CHARACTERS = 400


def phrase_bits(text: str) -> int:
    """Tell the groups that a line belongs to; bit i is the i-th key of `PHRASE_GROUPS`.

    Examples
    --------
    >>> list(PHRASE_GROUPS)[phrase_bits("Read also: Fire in the harbour").bit_length() - 1]
    'read_also'
    """
    if len(text) > MAX_PHRASE_LINE_CHARACTERS:
        return 0
    return sum(1 << position for position in _PATTERNS.Match(text) or ())
