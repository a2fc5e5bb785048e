"""Names of languages by their codes: ISO 639-1 (Library of Congress, 2024), in house spelling.

Our own languages are named as South Africans write them. A table of some 180 lines of text does for
readers what a library of locales would do with 30 MB.
"""

from extraction.text.language_model import NAMES, UNKNOWN

_ISO = """
aa Afar; ab Abkhazian; ak Akan; am Amharic; an Aragonese; ar Arabic; as Assamese; av Avaric;
ay Aymara; az Azerbaijani; ba Bashkir; be Belarusian; bg Bulgarian; bi Bislama; bm Bambara;
bn Bengali; bo Tibetan; br Breton; bs Bosnian; ca Catalan; ce Chechen; ch Chamorro; co Corsican;
cr Cree; cs Czech; cu Church Slavonic; cv Chuvash; cy Welsh; da Danish; de German; dv Dhivehi;
dz Dzongkha; ee Ewe; el Greek; eo Esperanto; es Spanish; et Estonian; eu Basque; fa Persian;
ff Fulah; fi Finnish; fj Fijian; fo Faroese; fr French; fy Western Frisian; ga Irish;
gd Scottish Gaelic; gl Galician; gn Guarani; gu Gujarati; gv Manx; ha Hausa; he Hebrew; hi Hindi;
ho Hiri Motu; hr Croatian; ht Haitian Creole; hu Hungarian; hy Armenian; hz Herero;
ia Interlingua; id Indonesian; ie Interlingue; ig Igbo; ii Sichuan Yi; ik Inupiaq; io Ido;
is Icelandic; it Italian; iu Inuktitut; ja Japanese; jv Javanese; ka Georgian; kg Kongo;
ki Kikuyu; kj Kuanyama; kk Kazakh; kl Greenlandic; km Khmer; kn Kannada; ko Korean; kr Kanuri;
ks Kashmiri; ku Kurdish; kv Komi; kw Cornish; ky Kyrgyz; la Latin; lb Luxembourgish; lg Ganda;
li Limburgish; ln Lingala; lo Lao; lt Lithuanian; lu Luba-Katanga; lv Latvian; mg Malagasy;
mh Marshallese; mi Māori; mk Macedonian; ml Malayalam; mn Mongolian; mr Marathi; ms Malay;
mt Maltese; my Burmese; na Nauru; nb Norwegian Bokmål; nd North Ndebele; ne Nepali; ng Ndonga;
nl Dutch; nn Norwegian Nynorsk; no Norwegian; nv Navajo; ny Chichewa; oc Occitan; oj Ojibwa;
om Oromo; or Odia; os Ossetian; pa Punjabi; pi Pali; pl Polish; ps Pashto; pt Portuguese;
qu Quechua; rm Romansh; rn Rundi; ro Romanian; ru Russian; rw Kinyarwanda; sa Sanskrit;
sc Sardinian; sd Sindhi; se Northern Sami; sg Sango; si Sinhala; sk Slovak; sl Slovenian;
sm Samoan; sn Shona; so Somali; sq Albanian; sr Serbian; su Sundanese; sv Swedish; sw Swahili;
ta Tamil; te Telugu; tg Tajik; th Thai; ti Tigrinya; tk Turkmen; tl Tagalog; to Tonga; tr Turkish;
tt Tatar; tw Twi; ty Tahitian; ug Uyghur; uk Ukrainian; ur Urdu; uz Uzbek; vi Vietnamese;
vo Volapük; wa Walloon; wo Wolof; yi Yiddish; yo Yoruba; za Zhuang; zh Chinese
"""
# Three letters that pages declare where ISO 639-1 has two, and old codes that are still met.
_SAME = {
    "afr": "af", "eng": "en", "nbl": "nr", "sot": "st", "ssw": "ss", "tsn": "tn", "tso": "ts",
    "ven": "ve", "xho": "xh", "zul": "zu", "deu": "de", "ger": "de", "fra": "fr", "fre": "fr",
    "spa": "es", "por": "pt", "nld": "nl", "dut": "nl", "ita": "it", "tur": "tr", "ara": "ar",
    "swa": "sw", "sna": "sn", "iw": "he", "in": "id", "ji": "yi", "mo": "ro",
    "nb": "no", "nn": "no",
}  # fmt: skip
# Every language that is told apart here, by its code.
LANGUAGES = dict(item.strip().split(" ", 1) for item in _ISO.split(";")) | NAMES


def language_name(code: str) -> str:
    """Name a language; the code itself where it is none that is known.

    Examples
    --------
    >>> language_name("zu"), language_name("de"), language_name("qqq"), language_name("")
    ('isiZulu', 'German', 'qqq', 'unknown')
    """
    return LANGUAGES.get(code, code) if code else NAMES[UNKNOWN]


def language_code(declared: str) -> str:
    """Reduce what a page declares ("de-DE", "fr_FR", "German") to a code; "" for none.

    Examples
    --------
    >>> [language_code(text) for text in ("de-DE", "fr_FR.utf8", "AFR", "x-default", "Türkçe")]
    ['de', 'fr', 'af', '', '']
    """
    code = declared.strip().lower().replace("_", "-").partition("-")[0].partition(".")[0]
    code = _SAME.get(code, code)
    return code if code in LANGUAGES and code != UNKNOWN else ""
