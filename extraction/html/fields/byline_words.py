"""Words of bylines in the languages of our publications and of the evaluation pages.

English, Afrikaans, isiZulu, German, French, Spanish, Portuguese, Italian, Dutch, the Nordic
languages, Polish, Greek, Russian, Chinese and Japanese; as parts of regular expressions.
"""

# What was done: "Written by", "Eine Kolumne von", "Gespeichert von"; it never stands alone.
DONE = (
    "written|posted|published|reported|story|text|words|article|edited|reviewed|review|updated|post|"
    "advice|opinion|analysis|interview|column|submitted|researched|author|report|"
    "gespeichert|geschrieben|erstellt|eingestellt|verfasst|veröffentlicht|artikel|beitrag|gastbeitrag|"
    "kolumne|essay|kommentar|nachricht|wortlaut|pressemitteilung|bericht|interview|"
    "publié|écrit|escrito|publicado|fotos?|photos?|bilder|geskryf|berig|rubriek|ibhalwe|ilotshwe"
)
# "By". Dutch and Afrikaans "van" is left out: it begins surnames.
BY = "by|von|vom|par|por|di|da|de|door|av|af|od|przez|deur|ngu|pelo|pela"
# Labels that stand before the names, mostly with a colon.
LABEL = (
    r"post author|authors?|autor(?:in|innen|en|es|e|a)?|auteure?s?|autore|autorzy|writers?|"
    r"verfasser(?:in)?|redakteur(?:in)?|redaktion(?=\s?:)|"
    r"text(?:\s?(?:&|und|and|\+)\s?(?:fotos?|photos?|bilder))?|reporters?|"
    r"interview|a cura di|skrywer|(?:ngu|u|i)mbhali|συντάκτης|συντάκτρια|"
    r"автор(?:ы)?|текст|文|記者|记者|作者|责任编辑|責任編集|责编|编辑|執筆"
)
# What was written, where it stands before a name with a colon or with who made the pictures:
# "Words: …", "Woorde en foto's: …". In a byline alone: many a title begins so.
WORDS = (
    "words|text|story|storie|woorde|teks|verslag|amazwi|umbhalo|worte|texte|texto|testo|tekst|tekster|"
    "palabras|palavras|parole|mots|woorden|ord|słowa|текст"
)
# What was made by somebody and is no text.
PICTURE = (
    "fotos?|photos?|photography|bild(?:er)?|image|illustration|grafik|graphic|cartoon|video|caption|pictures?|"
    "imagen|zeichnung|foto's|prent|unsplash|pexels|pixabay|getty"
)
# "And" between names.
AND = (
    "and|und|et|y|e|og|och|en|oraz|i|ja|ve|with|mit|na|no|kanye|και|и|і|im gespräch mit|"
    "in conversation with"
)
# Titles before a name, and professions that German and English bylines put there.
HONORIFIC = (
    r"dr|prof|professor|mr|mrs|ms|miss|sir|dame|rev|adv|hon|herr|frau|ds|mnr|mev|mej|me|"
    r"dipl\.?-?\s?ing|mag|rechtsanwalt|rechtsanwältin|gastautor(?:in)?|gastkommentator(?:in)?"
)
MONTH = (
    "jan|feb|mar|mär|mrt|apr|may|mai|mei|maj|jun|jul|aug|sep|oct|okt|out|nov|dec|dez|des|"
    "enero|abril|ago|gen|mag|giu|lug|ott|dic|janv|févr|avr|juin|juil|août|déc"
)
WEEKDAY = (
    "mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|satur|sat|sun|mo|di|mi|do|fr|sa|so|montag|dienstag|mittwoch|"
    "donnerstag|freitag|samstag|sonntag|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|"
    "maandag|dinsdag|woensdag|donderdag|vrydag|saterdag|sondag"
)
# A word that makes a name that of a house, a desk or an agency.
ORGANISATION = (
    r"redaktion|magazin[e]?|verlag|stiftung|verband|e\.?\s?v|gmbh|ag|inc|ltd|llc|plc|news|nachrichten|"
    r"media|press|presse|agency|agentur|team|staff|desk|editorial|editors|board|zeitung|journal|"
    r"online|tv|radio|institute|institut|university|universität|foundation|association|bureau|newsroom|"
    r"services?|network|group|club|blog|newspapers?|publishing|publications?|welle|experience|editorial|"
    r"company|corporation|ministerium|ministry|department|behörde|verein|gesellschaft|"
    r"developer|office|afp|dpa|ap|apa|sda|reuters|sapa|xinhua|jiji|kyodo|efe|ansa|tass|rtr"
)
# A word that makes it a role, a label or a number of minutes and no name at all.
ROLE = (
    r"staff|reporters?|correspondent|editors?|writers?|journalist|contributors?|columnist|producer|"
    r"bureau chief|team leader|founder|ceo|redakteur(?:in)?|korrespondent(?:in)?|journaliste|"
    r"rédaction|director|analyst|professor|fellow|author|expert|specialist|developer|manager|officer|"
    r"uhr|min|minutes?|minuten|lesezeit|read|datum|quelle|source|kategorie|foto|photo|nachricht|"
    r"veröffentlicht|published|updated|aktualisiert|geändert|kommentare?|comments?"
)
# Roles that stand beside a person's name without a comma; English ones behind houses as well.
ROLE_OF_PERSON = (
    r"(?:chef|sport|politik|wirtschafts)?redakteur(?:in)?|chefredaktor(?:in)?|experte|expertin|"
    r"korrespondent(?:in)?|autor(?:in)?|kolumnist(?:in)?|volont[äa]r(?:in)?|journalist(?:in)?|"
    r"verslaggewer|redactor(?:a)?"
)
# What leads from a name to all that somebody wrote, or says whose box it is.
ALL_OF = (
    r"(?:(?:view|see|read|show)\s)?(?:all|more)\s(?:(?:posts?|articles?|stories|entries|content)\s)?"
    r"(?:by|from|of)|(?:zeige\s)?alle?s?\s(?:(?:beiträge|artikel|texte)\s)?von|"
    r"(?:weitere|mehr)\s(?:(?:beiträge|artikel|texte)\s)?von|"
    r"ver\s(?:todas?|todos?|más)\s(?:\w+\s){1,3}(?:de|por)|"
    r"voir\stou(?:s|tes)\sles\s\w+\s(?:de|par)|alle\s(?:artikels|plasings)\sdeur|"
    r"about(?:\sthe\sauthor)?|meet|über(?:\s(?:den\sautor|die\sautorin))?|contributors?\s?(?=:)|"
    r"from\s?(?=:)|acerca\sde|sobre|à\spropos\sde"
)
# Words of themes and buttons; nobody is called so.
THEME = (
    r"posts|entries|articles|archives?|view|weiterlesen|beiträge|artikel empfehlen|entradas|"
    r"leave a|reply|permalink|uncategorized|unkategorisiert|sin categoría|non classé|"
    r"related topics|trending|skip to|menu|sign (?:up|in)|join (?:us|now)|get started|learn more|"
    r"contact us|cookies?|privacy|font size|table of contents|show more|load more|listen|"
    r"mehr lesen|mehr erfahren|anmelden|drucken|merken|teilen|leer más|compartir|lire la suite"
)
