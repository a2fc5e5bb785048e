"""Names of months and days of the week → English ones, in the languages of feeds that are met.

The official languages of South Africa, those of its neighbours and of Europe's newspapers. Forms
are those of the Unicode CLDR and, where a language has both, the inherited names (uMasingana)
beside the borrowed ones (uJanuwari). "Mopitlo" is March in Setswana and May in older Sepedi,
"Phupu" July in Sesotho and June in older Sepedi, whose papers write Mei and Juni.
"""

import re
import unicodedata

# The twelve months in order, their forms with a stroke between; without accents, in small letters.
_MONTHS = {
    "af": "januarie februarie maart|mrt april mei junie julie augustus september oktober|okt "
    "november desember|des",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
    "de": "januar|janner februar|feber marz|mrz|mar april mai juni juli august september "
    "oktober|okt november dezember|dez",
    "fr": "janvier|janv fevrier|fevr|fev mars avril|avr mai juin juillet|juil aout septembre "
    "octobre novembre decembre",
    "es": "enero|ene febrero marzo abril|abr mayo junio julio agosto|ago septiembre|setiembre "
    "octubre noviembre diciembre|dic",
    "pt": "janeiro fevereiro marco abril maio junho julho agosto setembro|set outubro|out "
    "novembro dezembro",
    "it": "gennaio|gen febbraio marzo aprile maggio|mag giugno|giu luglio|lug agosto settembre "
    "ottobre|ott novembre dicembre",
    "sw": "januari februari machi aprili mei juni julai agosti septemba oktoba novemba desemba",
    "zu": "januwari|masingana februwari|nhlolanja mashi|ndasa ephreli|mbasa meyi|unhlaba "
    "juni|nhlangulana julayi|ntulikazi agasti|ncwaba septhemba|mandulo okthoba|mfumfu "
    "novemba|lwezi disemba|zibandlela",
    "xh": "janyuwari|yomqungu febhuwari|yomdumba matshi|yokwindla epreli|tshazimpuzi "
    "meyi|canzibe juni|yesilimela julayi|yekhala agasti|yethupha septemba|yomsintsi "
    "oktobha|yedwarha novemba|yenkanga disemba|yomnga",
    "st": "phesekgong|pherekgong hlakola hlakubele mmesa|mmese motsheanong phupjane phupu "
    "phato|phata loetse|leotse mphalane pudungwana|pundungwane tshitwe",
    "tn": "ferikgong tlhakole mopitlo moranang motsheganang|motsheganong seetebosigo phukwi phatwe "
    "lwetse diphalane ngwanatsele|ngwanaitseele sedimonthole",
    "nso": "janaware feberware matshe|matse aporele|aprele mei juni julae agostose setemere "
    "oktobore|oktoboro nofemere disemere",
    "ts": "sunguti nyenyenyani nyenyankulu dzivamisoko mudyaxihi khotavuxika mawuwani mhawuri "
    "ndzhati nhlangula hukuri nwendzamhala",
    "ss": "bhimbidvwane ndlovana ndlovulenkhulu mabasa nkhwekhweti inhlaba kholwane ngci nyoni "
    "mphala lweti ngongoni",
    "ve": "phando luhuhi thafamuhwe lambamai shundunthule fulwi fulwana thangule khubvumedzi "
    "tshimedzi lara nyendavhusiku",
    "nr": "janabari feberbari|febherbari matjhi apreli meyi juni julayi arhostosi septemba oktoba "
    "novemba|sinyikhaba disemba",
}
_ENGLISH = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
# Days tell nothing that the date does not, so they are left out, with the words around a date.
_UNSAID_AS_TEXT = """
    maandag dinsdag woensdag donderdag vrydag saterdag sondag vrijdag zaterdag zondag
    montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag
    mo di mi do fr sa so ma wo vr vry sat son don woe maa din
    lundi mardi mercredi jeudi vendredi samedi dimanche lun jeu ven sam dim
    lunes martes miercoles jueves viernes sabado domingo segunda terca quarta quinta sexta feira
    lunedi martedi mercoledi giovedi venerdi domenica
    jumatatu jumanne jumatano alhamisi ijumaa jumamosi jumapili
    msombuluko lwesibili lwesithathu lwesine lwesihlanu mgqibelo sonto
    mvulo lwesibini cawe cawa
    mantaha labobedi laboraru labone labohlano labohlane moqebelo sontaha
    mosupologo laboraro labotlhano matlhatso tshipi latshipi labohlano mokibelo sontaga lamorena
    musumbhunuku ravumbirhi ravunharhu ravumune ravuntlhanu mugqivela
    lesibili lesitsatfu lesine lesihlanu mgcibelo lisontfo
    musumbuluwo lavhuvhili lavhuraru lavhuna lavhutanu mugivhela swondaha lesithathu
    a om um uhr de del di den der le la les ka nga ngo ngomhla op kl at on heure heures
"""
_UNSAID = frozenset(_UNSAID_AS_TEXT.split())
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*\.?")
_PREFIX = re.compile(r"^(?:u|i|e|ngo|nga)-?")  # uJanuwari, u-Apreli, iNdlovana, EyoMqungu
_JOINTS = re.compile(r"['\u2019-]")  # N'wendzamhala, iNdlovu-lenkhulu, terça-feira


def _by_form() -> dict[str, str]:
    found: dict[str, str] = {}
    for months in _MONTHS.values():
        for english, forms in zip(_ENGLISH, months.split(), strict=True):
            for form in forms.split("|"):
                found.setdefault(form, english)
    return found


_MONTH_OF = _by_form()


def in_english(text: str) -> str:
    """Put English months where another language's stand, and leave its days out.

    What is no name of a month or day stays as it is.

    Examples
    --------
    >>> in_english("Freitag, 20. März 2026 10:00")
    ', 20. Mar 2026 10:00'
    >>> in_english("uMasingana 20, 2026"), in_english("20 de novembro de 2026")
    ('Jan 20, 2026', '20  Nov  2026')
    """
    return _WORD.sub(lambda match: _english(match[0]), text)


def _english(word: str) -> str:
    marks = unicodedata.normalize("NFKD", word.rstrip(".").casefold())
    plain = "".join(c for c in marks if not unicodedata.combining(c))
    for joined in (plain, *_JOINTS.split(plain)[:1]):
        form = _JOINTS.sub("", joined)
        bare = _PREFIX.sub("", form)
        for tried in (form, bare):
            if tried in _MONTH_OF:
                return _MONTH_OF[tried]
            if tried in _UNSAID:
                return ""
    return word
