"""Words around comments in many languages: captions of buttons, "says", headings with a number."""

import re

# What stands on buttons and links of a comment; a number may follow.
_CAPTIONS = """
    reply | reply to this | reply to | replies | respond | responses | log in to reply | login
    to reply | quote | like | likes | unlike | dislike | liked by | share | shares | report |
    report abuse | report this comment | report comment | report unsuitable | report spam | flag
    | flag this comment | flag as inappropriate | flag comment | permalink | link | copy link |
    link to this | link to comment | edit | edited | delete | hide | show | more | show more |
    read more | see more | expand | expand full comment | collapse | load more | view replies |
    hide replies | show replies | recommend | recommend? | recommended | upvote | downvote |
    vote | vote up | vote down | votes | click to rate | rating | rate | add your comment | add
    comment | add a comment | post a comment | leave a comment | comment | comments | loading |
    helpful | follow | subscribe | translate | login | log in | sign in | register | or | to
    post comments | to post a comment | login or register to post comments | log in or register
    to post comments | complain about this comment | unsuitable or offensive? | unsuitable or
    offensive | thumbs up | thumbs down | reply ↓ | cancel reply | top | back to top | forward |
    tweet | zgłoś | zgłoś naruszenie |
    verified | staff | moderator | admin | author | guest | member | your comment is
    awaiting moderation | pinned | featured | editor's pick | read replies | view more replies |
    permanent link | pin | antworten | antwort | antworten anzeigen | auf diesen kommentar
    antworten | zitieren | zitat | gefällt mir | gefällt das | teilen | melden | kommentar
    melden | beitrag melden | missbrauch melden | bearbeiten | löschen | mehr | mehr anzeigen |
    weiterlesen | ausblenden | einblenden | empfehlen | empfehlung | daumen hoch | daumen runter
    | hilfreich | hilfreich? | kommentieren | kommentar schreiben | kommentar | kommentare |
    anmelden | zum antworten anmelden | permanenter link | login für vote | gast | autor |
    verfasser | redaktion antwortet | link kopieren | übersetzen | nach oben | bewerten |
    positiv | negativ | reageer | reageren | beantwoorden | antwoord | antwoorden | delen |
    rapporteer | rapporteren | meld misbruik | vind ik leuk | citeer | bewerken | verwijderen |
    antwoord hierop | deel | hou van | rapporteer kommentaar | répondre | réponse | réponses |
    signaler | signaler un abus | partager | j'aime | je n'aime pas | modifier | supprimer |
    citer | voir plus | lire la suite | alerter | recommander | lien permanent | responder |
    respuesta | respuestas | denunciar | reportar | compartir | me gusta | no me gusta | editar
    | eliminar | borrar | citar | ver más | leer más | votar | recomendar | resposta | respostas
    | compartilhar | partilhar | gosto | curtir | não gosto | excluir | apagar | ver mais | ler
    mais | reportar abuso | rispondi | risposta | risposte | segnala | segnala abuso | condividi
    | mi piace | non mi piace | modifica | elimina | cancella | cita | leggi tutto | altro |
    odpowiedz | odpowiedzi | pokaż odpowiedzi | pokaż | cytuj | zgłoś | zgłoś nadużycie | zgłoś
    do usunięcia | zgłoś do moderacji | udostępnij | podziel się | lubię to | usuń | edytuj |
    więcej | ocena | oceń | ciekawe? | tak | nie | zaglosuj plus | zaglosuj minus | odpovědět |
    nahlásit | sdílet | ответить | ответ | ответы | цитировать | пожаловаться | жалоба |
    поделиться | нравится | не нравится | удалить | редактировать | ссылка | оценка | рейтинг |
    ещё | показать | скрыть | відповісти | цитувати | поскаржитися | поділитися | подобається |
    yanıtla | cevapla | şikayet et | beğen | paylaş | απάντηση | αναφορά | μου αρέσει | svara |
    anmäl | gilla | dela | svar | svarer | rapportér | synes godt om | del | vastaa | ilmoita |
    回复 | 回覆 | 举报 | 檢舉 | 赞 | 顶 | 踩 | 分享 | 删除
    | 返信 | 通報 | いいね | 답글 | 신고 | 공감 | 비공감 | 추천 | next | prev | previous | root |
    context | thread | parent | 댓글 | 댓글쓰기 | 답글쓰기 | 댓글주소 | 주소 | 수정 | 삭제 |
    返信する | 引用 | 編集 | 削除 | 引用返信 | 支持 | 反对 | 點讚 | 点赞 | 檢舉 | 收起 | 展开 |
    评论 | رد | الرد | أضف ردا | إبلاغ | أعجبني | مشاركة | پاسخ | הגב | הגב לתגובה זו | תגובה |
    דווח | המלץ | trả lời | thích | chia sẻ | báo vi phạm | vi phạm | balas | bagikan | suka |
    laporkan | válasz | tetszik | reagovat | nahlásit | odpovedať | răspunde | raportează |
    ilmoita asiaton | jaa | phendula | bika | jibu | penda | ripoti | araba | tlaleha |
    svar på dette
    """
# Around a name and a date: "says", "posted by", "on", "at", "Comment number".
_FILLERS = """
    says | said | wrote | writes | commented | replied | posted | posted by | comment by |
    posted on | by | on | at | in | to | from | the | in reply to | comment | comment number |
    schreibt | schrieb | sagt | sagte | meint | meinte | antwortet | kommentiert | am | um | uhr
    | von | kommentar von | kommentar | geschrieben | geschrieben von | nr | dit | a dit |
    écrit | a écrit | le | à | par | de | dice | dijo | dijo… | escribió | el | a las | por |
    disse | diz | em | às | scrive | ha scritto | il | alle | da | pisze | napisał | napisał(a)
    | napisała | dodał | dnia | o | godz | пишет | написал | написала | сказал | говорит | в |
    от | комментирует материал | комментирует | sê | het gesê | skryf | op | om | deur | zegt |
    schreef | uthi | ngu | oleh | szerint | säger | skrev | sier | den | kl | says on | user |
    name | nick | autor | author | gast | guest | date | datum | data
    """
_SEPARATORS = r"[\s|·•∙—–\-,;:.()\[\]#/\\«»\"'…<>↓↑→←+~*✓⋅@&¶§]"


def _any(words: str) -> str:
    """Pattern for any of the words between bars."""
    each = [re.escape(" ".join(word.split())) for word in words.split("|")]
    return "|".join(sorted(each, key=len, reverse=True))


_ONLY_CAPTIONS = re.compile(
    rf"{_SEPARATORS}*(?:(?:{_any(_CAPTIONS)}|\d{{1,6}}\s*%?){_SEPARATORS}*(?:(?<=\W)|(?=\W|$)))+",
    re.IGNORECASE,
)
_ONLY_FILLERS = re.compile(
    rf"(?:{_SEPARATORS}|(?:{_any(f'{_FILLERS}|{_CAPTIONS}')}|\d{{1,6}})(?!\w))*", re.IGNORECASE
)
_MAX_CAPTION_CHARACTERS = 60
_DATED = re.compile(r"\d[.:/]\d")  # a clock or a day, no number of replies
# Behind or before a name: "Thandi says:", "Piet schreibt", "Kommentar von Anna".
_SAYS = re.compile(
    r"\s*(?<!\w)(?:says?|said|wrote|writes|commented|replied|schreibt|schrieb|sagte?|meinte?"
    r"|antwortet(?:e)?|kommentiert(?:e)?|dit|a dit|a écrit|écrit|dice|dijo"
    r"|escribió|comentó|disse|diz|escreveu|ha scritto|scrive|sê|skryf|zegt|schreef|uthi|pisze"
    r"|napisał(?:\(?a\)?)?|пишет|написала?|сказала?|говорит|комментирует"
    r"|säger|skrev|sier|λέει|έγραψε|γράφει|dedi ki|diyor ki|يقول|قال|כתב/?ה?"
    r"|reply|antworten|permalink|log in|zum antworten)(?!\w)\s*[:…]?.*$",
    re.IGNORECASE | re.DOTALL,
)
_BY = re.compile(
    r"^(?:(?:комментари[ий](?: (?:нашего )?читателя)?|reader'?s?'? comments?|leserkommentar)\s*:\s*"
    r"|(?:scritt[oa]|inviat[oa]|postat[oa]|pubblicat[oa]|lasciat[oa]|escrit[oa]|publicad[oa]|enviad[oa]|dejad[oa]|postad[oa]|publié|posté|écrit|rédigé|déposé|gepost|geplaatst|geskryf|skrev(?:et|en)|napisan[ey]|dodan[ey])\s+(?:da|di|por|par|door|deur|av|af|przez)\s*:?\s+"
    r"|(?:(?:comment|kommentar|posted|geschrieben|written|commentaire|comentario|nick|user(?:name)?|name|autor|author|auteur|gast|guest|автор)\s*(?::\s*|\s+(?=(?:by|von|par|por|da|van)[\s:])))"
    r"|(?:by|von|par|por|deur|ngu|door)(?:\s*:\s*|\s+)|@(?=\w))+",
    re.IGNORECASE,
)
_IN_BRACKETS = re.compile(
    r"\s*[(\[](?:gast|guest|gość|гость|not verified|nicht überprüft|author|autor|admin|moderator"
    r"|non vérifié|no verificado|unverified|anonym)[)\]]",
    re.IGNORECASE,
)
_GUEST_BEHIND = re.compile(r"(?<=\w)\s*[,|·-]\s*(?:gast|guest|autor|author)$", re.IGNORECASE)
# A deleted comment's place: a gap, no text.
_GONE = re.compile(
    r"\W*(?:\[?(?:removed|deleted|gelöscht|entfernt|supprimé|eliminado|usunięty|удалено"
    r"|flagged|dead)\]?|\(?(?:deleted|screened|frozen|hidden) comment\)?"
    r"|(?:this|the) (?:comment|post|message|user) (?:has been|was|is"
    r"|have been) .{0,20}(?:removed|deleted|hidden|withheld|moderated|blocked|collapsed).{0,300}"
    r"|comment (?:removed|deleted|hidden)(?: by .{1,60})?"
    r"|(?:dieser|der|ihr) (?:kommentar|beitrag) (?:wurde|ist) .{0,60}(?:gelöscht|entfernt"
    r"|gesperrt|ausgeblendet|moderiert).{0,120}"
    r"|(?:kommentar|beitrag) (?:wurde )?(?:gelöscht|entfernt|gesperrt).{0,80}"
    r"|(?:ce|le) commentaire a été .{0,20}(?:supprimé|modéré|effacé).{0,80}|(?:este"
    r"|el) comentario (?:ha sido|fue|foi) .{0,20}(?:eliminado|borrado|removido|excluído).{0,80}"
    r"|(?:ten )?(?:komentarz|wpis) (?:został|zosta\w+) .{0,20}(?:usunięty|skasowany).{0,80}"
    r"|(?:комментарий|сообщение) (?:был[ао]? )?(?:удал[её]н\w*|скрыт\w*).{0,80}"
    r"|(?:deze|hierdie|die) (?:reactie|kommentaar) is .{0,20}(?:verwijderd|verwyder).{0,80}"
    r"|(?:your|this) comment is awaiting moderation.{0,80})\W*",
    re.IGNORECASE | re.DOTALL,
)
_SINCE = re.compile(
    r"\W*(?:joined|join date|registered|registration date|member since|registriert|mitglied seit"
    r"|dabei seit|inscrit|inscription|membre depuis|registrado|miembro desde|membro desde|lid sinds"
    r"|lid sedert|geregistreerd|iscritto|dołączył\w*|с нами с|регистрация)(?!\w)",
    re.IGNORECASE,
)
_TRACKBACK = re.compile(
    r"(?:(?:ping|track)backs?\b\s*:?|\[(?:…|\.\.\.|&#8230;)\].*\[(?:…|\.\.\.|&#8230;)\]\s*$)",
    re.IGNORECASE | re.DOTALL,
)
_COUNTED = (
    r"(?:reader |user |leser-?)?(?:comments?|kommentare?r?|reacties?|reaksies?|kommentaar"
    r"|comentarios?|comentários?|commentaires?|commenti|commento|komentarz[ey]?"
    r"|komentářů?|opini[ei]|responses?|thoughts?|replies|reply|gedanken?|antworten|reactions?|réponses?|respuestas?|respostas?|reaktionen|комментари\w+|коммент\w*|отзыв\w*"
    r"|коментар\w+|σχόλι\w+|yorum(?:lar)?"
    r"|(?:ال)?تعليقات?(?: القراء)?|ردود|kommentit|评论|評論|留言|コメント|댓글)"
)
_COUNT = re.compile(
    rf"\W*(?:(?P<before>\d{{1,3}}(?:[.,\s]\d{{3}})*|\d{{1,6}})\s*{_COUNTED}(?!\w)(?:\s+(?:on|to|zu|auf|sur|en|a|su|über|für|about|in)\b.*)?"
    rf"|(?:alle |all |user |read(?:er'?s?'?)? |wasze "
    rf"|leser)?{_COUNTED}\s*\(?[:\s(\[]{{0,3}}(?P<behind>\d{{1,6}})\)?"
    rf"|[^()]{{1,80}}\((?P<last>\d{{1,6}})\s*{_COUNTED}\))\W*",
    re.IGNORECASE | re.DOTALL,
)
_ONE = re.compile(
    r"\W*(?:one|ein|eine|un|une|uma?|один)\s+(?:comment|response|thought|reply|kommentar|gedanke|antwort|commentaire|réponse|comentario|reactie)\b.*",
    re.IGNORECASE | re.DOTALL,
)
_MAX_HEADING_CHARACTERS = 200
# Headings of comments that need no number; what is behind "on", "to" and the like is their story.
_HEAD = re.compile(
    rf"\W*+(?:(?:(?:all|alle|user|our|your|die|the|os|les|los|meine|member|join the|participe en la"
    rf"|readers?['’]?s?['’]?|leser(?:innen)?|lesers se|lezers)[\s-]++)*+"
    rf"(?:{_COUNTED}|(?:reader|leser)?-?(?:discussions?|diskussion(?:en)?|besprekings?|debatt?e?"
    rf"|conversation|conversación|conversa|imibono|amazwana|izimvo|maikutlo|ditshwaelo|mavonelo|mihumbulo"
    rf"|maoni|k[ou]mentar|diskus[ei]|leser(?:innen)?(?:briefe|kommentare"
    rf"|meinungen|stimmen|zuschriften)|lesersbriewe|lezersreacties|menings|feedback))"
    rf"|(?:readers?['’]s?|readers['’]?) (?:letters|views|voices|opinions|say|have their say)"
    rf"|(?:opini[oõ]n?es|avis|cartas) d[eo]s?(?: los| las)? (?:lectores|leitores|lecteurs))"
    rf"(?:\W*+\d*+\)?)?"
    rf"(?:\s+(?:on|to|from|about|der|des|d[aeo]s?|del?|van|op|zu[mr]?|by|von|sur|k|a|ya|pembaca|yabafundi|ezivela)\s.{{1,60}})?\W*+",
    re.IGNORECASE | re.DOTALL,
)
# What only a text by readers can be asked to do: answered, quoted, reported.
_ANSWER_CAPTIONS = frozenset(
    [
        "reply",
        "reply to this",
        "quote",
        "report",
        "report abuse",
        "report comment",
        "report post",
        "report to moderator",
        "flag",
        "respond",
        "answer",
        "antworten",
        "zitieren",
        "melden",
        "beitrag melden",
        "kommentar melden",
        "antwort",
        "antwoord",
        "antwoorden",
        "reageer",
        "reageren",
        "beantwoorden",
        "rapporteer",
        "meld misbruik",
        "citeer",
        "citeren",
        "répondre",
        "signaler",
        "signaler un abus",
        "citer",
        "alerter",
        "responder",
        "denunciar",
        "reportar",
        "citar",
        "rispondi",
        "segnala",
        "odpowiedz",
        "zgłoś",
        "cytuj",
        "ответить",
        "цитировать",
        "пожаловаться",
        "відповісти",
        "svara",
        "anmäl",
        "svar",
        "vastaa",
        "yanıtla",
        "cevapla",
        "απάντηση",
        "回复",
        "回覆",
        "返信",
        "답글",
        "phendula",
        "jibu",
        "araba",
        "balas",
        "reagovat",
        "válasz",
        "bika",
        "reply with quote",
        "upvote",
        "downvote",
    ]
)


def is_caption(text: str) -> bool:
    """Whether a text is nothing but captions of buttons and numbers.

    Examples
    --------
    >>> is_caption("Reply | Report (3)"), is_caption("I like it")
    (True, False)
    """
    text = text.strip()
    if len(text) > _MAX_CAPTION_CHARACTERS or _DATED.search(text):
        return False
    return _ONLY_CAPTIONS.fullmatch(text) is not None


def is_filler(text: str) -> bool:
    """Whether a text says nothing beside a name and a date ("says:", "on", "Reply", "#3")."""
    return len(text) <= _MAX_CAPTION_CHARACTERS and _ONLY_FILLERS.fullmatch(text) is not None


def plain_name(signature: str) -> str:
    """Cut "says", "by", "(guest)" and what stands around a name.

    Examples
    --------
    >>> plain_name("Kommentar von Anna (Gast) schreibt:")
    'Anna'
    """
    name = _IN_BRACKETS.sub("", _SAYS.sub("", _BY.sub("", signature.strip())))
    return _GUEST_BEHIND.sub("", name).lstrip(" ,:;|-–—·•").rstrip(" ,:;|-–—·•[(#…\"'")


def is_head(text: str) -> bool:
    """Whether a heading says that readers' comments follow.

    Examples
    --------
    >>> is_head("Leserkommentare zu diesem Artikel"), is_head("A comment on the budget")
    (True, False)
    """
    if len(text) > _MAX_HEADING_CHARACTERS:
        return False
    return _HEAD.fullmatch(" ".join(text.split())) is not None


def is_answer_caption(text: str) -> bool:
    """Whether a button's caption asks for what only a reader's text can be asked for."""
    return text.strip(" \n\t↓↩▼·|#").lower() in _ANSWER_CAPTIONS


def is_gone(text: str) -> bool:
    """Whether a text only says that a comment was here, or waits for approval."""
    return _GONE.fullmatch(text) is not None


def is_since(text: str) -> bool:
    """Whether a line tells since when somebody is a member, no time of what was said."""
    return _SINCE.match(text) is not None


def is_trackback(text: str) -> bool:
    """Whether a text is that of a pingback or trackback: marked, or cut out at both ends."""
    return _TRACKBACK.match(text) is not None


def named_count(text: str) -> int:
    """Give the number in a heading such as "134 Comments" or "Kommentare (12)"; 0 where it is none.

    Examples
    --------
    >>> (
    ...     named_count("134 Comments"),
    ...     named_count("Kommentare (12)"),
    ...     named_count("Comments are closed"),
    ... )
    (134, 12, 0)
    """
    text = " ".join(text.split())
    if len(text) > _MAX_HEADING_CHARACTERS:
        return 0
    match = _COUNT.fullmatch(text)
    if match is None:
        return int(_ONE.fullmatch(text) is not None)
    return int(re.sub(r"\D", "", match["before"] or match["behind"] or match["last"]))
