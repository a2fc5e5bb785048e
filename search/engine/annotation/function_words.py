"""Function words of languages that have no tagger here: articles, pronouns, prepositions and so on.

Where a tagger has read a text, its tags say what a function word is. Lists that libraries have need
a download (NLTK) or are not among what this product needs, so the commonest closed-class words of
the languages that South African papers and their neighbours are printed in stand here, from the
grammars of each. A word counts only where it is not tagged: "die" stays a verb of English.
"""

_WORDS = """
de: aber als am an auch auf aus bei bis da damit das dass dem den denn der des die dies diese diesem
    diesen dieser dieses doch du durch ein eine einem einen einer eines er es für gegen haben hat
    hatte hatten ich ihr ihre ihrem ihren ihrer im in ist ja kann kein keine man mehr mein mit nach
    nicht noch nun nur ob oder ohne schon sehr sein seine seinem seinen seiner sich sie sind so über
    um und uns unter vom von vor war waren was weil wenn werden wie wieder will wir wird wo wurde
    wurden zu zum zur zwischen
fr: à afin ai ainsi alors après au aussi autre aux avait avant avec avoir ce cela ces cet cette ceux
    chez comme contre dans de depuis des donc dont du elle elles en encore entre est et été être eux
    il ils je la le les leur leurs lors lui mais même moins mon ne ni nos notre nous on ont ou où
    par pas pendant peu plus pour qu que quelques qui sa sans se selon ses si son sont sous sur ta
    tous tout toute toutes très tu un une vers vos votre vous y était
es: a al algunos ante antes aunque cada como con contra cual cuando de del desde donde durante e el
    ella ellas ellos en entre era eran es esa ese eso esta está estaba están este esto estos fue
    fueron ha había han hasta hay la las le les lo los más me mi mientras muy ni no nos o otra otro
    otros para pero poco por porque que qué quien se según ser si sí sin sobre son su sus también
    tan te tiene todo todos tras un una unas uno unos y ya yo
pt: a ao aos após as até cada com como contra da das de dela dele deles depois desde do dos e é ela
    elas ele eles em entre era essa esse esta está estão este foi foram há isso já lhe mais mas me
    mesmo muito na não nas nem no nos nós o os ou para pela pelas pelo pelos por porque qual quando
    que quem se sem ser seu seus só sobre sua suas também te tem têm um uma umas uns você à às
it: a ad agli ai al alla alle allo anche c che chi ci come con contro cui da dagli dai dal dalla
    dalle degli dei del della delle dello di dopo dove e è ed era essere fra gli ha hanno i il in io
    la le lei li lo loro lui ma mentre nei nel nella nelle nello noi non o per perché però più poi
    quando quella quello questa questo se senza si sia sono sotto su sua sue sui sul sulla suo suoi
    tra tutti tutto un una uno vi
nl: aan al als bij daar dan dat de der deze die dit doch doen door dus een en er ge geen had hadden
    heb hebben heeft hem het hier hij hoe hun iemand iets ik in is ja je kan kon kunnen maar me meer
    men met mij mijn moet na naar niet niets nog nu of om omdat onder ons ook op over reeds te tegen
    toch toen tot u uit uw van veel voor want waren was wat werd wezen wie wij wil worden wordt zal
    ze zei zelf zich zij zijn zo zonder zou
sw: au baada bado bila cha hadi hata hayo hii hilo hiyo hizo huo huyo ila ili ingawa juu kama katika
    kila kisha kuwa kwa kwamba kwenye la lakini mimi na nao ndani ni pamoja pia sasa si sisi tu vya
    wa wake wao wewe ya yake yao yeye yule za zaidi zake
tr: ama ancak bazı bir biz bu çok çünkü da daha de değil diye en gibi göre hem her için ile ise
    kadar ki mı mi mu mü ne o olan olarak oldu olduğu onun öyle sonra şu tüm ve veya ya yani
"""


def _lists(text: str) -> dict[str, frozenset[str]]:
    found: dict[str, list[str]] = {}
    code = ""
    for line in text.strip().splitlines():
        head, colon, rest = line.partition(": ")
        code = head if colon else code
        found.setdefault(code, []).extend((rest if colon else line).split())
    return {code: frozenset(words) for code, words in found.items()}


# Lower-case words by the code of their language.
FUNCTION_WORDS = _lists(_WORDS)
ALL_FUNCTION_WORDS = frozenset().union(*FUNCTION_WORDS.values())
