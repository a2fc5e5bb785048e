"""Questions made to take the machine: names → address and parameters."""


def cql(pattern, page="search", **more):
    """Give the address and the parameters of a page for a pattern."""
    path = "/search/" if page == "search" else f"/search/{page}/"
    return path, {"ql": "cql", "q": pattern, **more}


def api(place, pattern, **more):
    return f"/api/{place}", {"ql": "cql", "q": pattern, **more}


def deep(opening, closing, n):
    return opening * n + '"rain"' + closing * n


WORDS_1000 = " OR ".join(f"w{n}" for n in range(1_000))
EVIL = {
    # repetitions
    "repeated 200, drawn": cql('[]{200} within (<s/> containing ([]* "w1"))', "builder"),
    "repeated 200, frequency": cql("[]{200}", "frequency"),
    "repeated 200, two lemmas": cql("[]{200}", "frequency", by="lemma", by2="pos"),
    "repeated 50, frequency": cql("[]{50}", "frequency", whole=1),
    "repeated 500, frequency": cql("[]{500}", "frequency"),
    "repeated 999": cql("[]{999}"),
    "repeated a million times": cql("[]{1000000}"),
    "repeated 1 to 100 in a sentence": cql("[]{1,100} within s"),
    "repeated 1 to 100, frequency": cql("[]{1,100} within s", "frequency", whole=1),
    "repeated 0 to 500 around words": cql('"w1" []{0,500} "w2"'),
    "star in text": cql('"w1" []* "w2" within text'),
    "star alone": cql("[]*"),
    "plus of plus": cql("(([]+)+)+"),
    "star of star of words": cql('(("w1"*)*)* "w2"'),
    "nested repetitions": cql("((([]{1,9}){1,9}){1,9}){1,9}"),
    "all that may be left out": cql("[]?" * 300),
    "negative range": cql("[]{-5,-1}"),
    "range upside down": cql("[]{9,1}"),
    "longest of everything": cql("[]{1,400}", "frequency", whole=1, export="json"),
    # alternatives
    "500 alternatives": cql(" | ".join(f'"w{n}"' for n in range(500))),
    "two lists of 400": cql("(" + "|".join(f'"w{n}"' for n in range(400)) + "){2}"),
    "same prefix 12 times": cql('("w1"|"w1" "w2"|"w1" "w2" "w3"){12}'),
    "optional alternatives": cql("(([]|[][]|[][][])*){20}"),
    "conditions of 500 parts": cql("[" + " | ".join(f'word="w{n}"' for n in range(500)) + "]"),
    # two searches
    "everything found by nearly everything": cql("[]", also="ql=cql&q=[]{1,9}"),
    "everything without everything, frequency": cql("[]", "frequency", less="ql=cql&q=[]+"),
    "two of everything": ("/search/compare/", {"one": "ql=cql&q=[]", "other": "ql=cql&q=[]{1,9}"}),
    # labels, looks ahead, meetings
    "labels far apart, compared": cql(
        "a:[] []{0,50} b:[] :: a.word = b.word", "frequency", whole=1
    ),
    "labels and distances": cql("a:[] []{0,20} b:[] :: f(a.word) > 100 & distance(a, b) > 3"),
    "labels of 20 tokens": cql(
        " ".join(f"a{n}:[]" for n in range(20))
        + " :: "
        + " & ".join(f"a0.word = a{n}.word" for n in range(1, 20))
    ),
    "condition of 200 negations": cql("a:[] :: " + "!" * 200 + 'a.word = "w1"'),
    "20 looks ahead": cql('"w1" ' + '(?= []{0,30} "w2") ' * 20),
    "200 empty looks": cql("[::]" * 200 + '"w1"'),
    "everything meets everything": cql("MU(meet [] [] -50 50)", "frequency"),
    "meetings of 100": cql("MU" + "(meet " * 100 + '"w1" ' + "[] -50 50) " * 100),
    "unions of 100": cql("MU" + "(union " * 100 + '"w1" ' + '".*") ' * 100),
    "150 times containing": cql("<s/> " + "containing ([]{1,20}) " * 150),
    "near by any word": cql("[]", near='[word=".*"]', reach="50,50"),
    "look back of 500": cql('"(?<=w{1,500})1"'),
    "300 named groups": cql('"' + "".join(f"(?P<a{n}>.)?" for n in range(300)) + '"'),
    "ligatures, joiners, dotted I": cql('"\u0130\u1e9e\ufb03\u0345\U0001f468\u200d\U0001f469"%cd'),
    "900 times NOT": ("/search/", {"q": "NOT " * 900 + "w1"}),
    "days of ten thousand years": cql(
        "[]", "trend", by="day", **{"from": "0001-01-01", "to": "9999-12-31"}
    ),
    # parentheses
    "500 brackets deep": cql(deep("(", ")", 500)),
    "3,000 brackets deep": cql(deep("(", ")", 3_000)),
    "2,000 open brackets": cql("(" * 2_000),
    "2,000 negations": cql("[" + "!" * 2_000 + 'word="w1"]'),
    # regular expressions
    "everything by pattern": cql('[word=".*"]', "frequency"),
    "all lemmas": cql('[lemma=".+"]', "frequency", by="lemma", n=1000),
    "a+ of a+": cql('"(a+)+b"'),
    "(a|a)*b": cql('"(a|a)*b"'),
    "(.*)* with look ahead": cql(r'"(?=(.*)*z)(.*)*q"'),
    "reference back": cql(r'"(.*)(.*)(.*)\1\2\3x"'),
    "counted thousand": cql('"(.{1,1000}){1,1000}"'),
    "classes of unicode": cql(r'"[\p{L}\p{N}]{1,50}(\p{L}|\p{N})*"'),
    "half a pattern": cql('"([" '),
    # long and strange
    "10 kB of letters": cql('"' + "a" * 10_000 + '"'),
    "10 kB of simple words": ("/search/", {"q": "w1 " * 3_300}),
    "1,000 words OR": ("/search/", {"q": WORDS_1000}),
    "1,000 stars": ("/search/", {"q": "* " * 1_000}),
    "marks over letters": ("/search/", {"q": "z" + "\u0301" * 3_000}),
    "right to left": cql('"\u202e\u2066\ud7ff\uffff"'),
    "zero bytes": ("/search/", {"q": "a\x00b"}),
    "flags": cql('"\U0001f1ff\U0001f1e6{5}"%cdzz'),
    # pages
    "sorted by far context": cql("[]", sort="r10.lemma"),
    "sorted by nodes of 100": cql("[]{100}", sort="node"),
    "a million pages down": cql("[]", after="1.999999999"),
    "widest context": cql("[]{90}", context=1_000_000),
    "collocates of everything": cql("[]", "collocates", left=10, right=10),
    "collocates far away": cql("[]{1,100} within s", "collocates", left=9_999, right=9_999),
    "n-grams of 50": ("/search/ngrams/", {"size": 50}),
    "n-grams of everything": cql("[]{1,100}", "ngrams", size=6, min=1, n=1000),
    "trend by hour": cql("[]", "trend", by="hour"),
    "trend by day of long nodes": cql("[]{200}", "trend", by="day"),
    "distribution of long nodes": cql("[]{200}", "distribution"),
    "cross table of everything": cql("[]{3}", "frequency", by="lemma", by2="r1.lemma"),
    "export of everything": cql("[]{90}", "export", format="csv"),
    "key words against nothing": ("/search/keyness/", {"ref": "all", "q": "[]", "ql": "cql"}),
    "all words of the corpus": ("/words/", {"n": 1_000_000, "export": "json"}),
    "ranks of everything": ("/words/zipf/", {"pattern": ".*"}),
    "one long word": (f"/words/{'a' * 3_000}/", {}),
    "more parameters than Django takes": (
        "/search/",
        {f"x{n}": "y" * 9 for n in range(1_000)} | {"q": "w1"},
    ),
    "slices by the hundred": ("/search/", {"q": "w1", "only": [f"lemma:w{n}" for n in range(300)]}),
    # lists in full, as a file and by the API
    "file of repeated 200": cql("[]{200}", "frequency", export="csv"),
    "workbook of repeated 50": cql("[]{50}", "frequency", export="xlsx"),
    "API: repeated 200": api("search/frequency", "[]{200}"),
    "API: repeated 200, by value": api("search/frequency", "[]{200}", order="value"),
    "API: repeated 20, two lemmas": api("search/frequency", "[]{20}", by="lemma", by2="r1.lemma"),
    "API: every place by three": api(
        "search/frequency", "[]{2}", by="first.lemma", by2="last.lemma", by3="r1.lemma"
    ),
    # the same by the API
    "API: collocates": api("search/collocates", "[]{1,100}", left=10),
    "API: n-grams": ("/api/search/ngrams", {"size": 50}),
    "API: everything": api("search", "[]*"),
    "API: (.*)*": api("search", r'"(.*)*(.*)*q"'),
    "API: 3,000 brackets deep": api("search", deep("(", ")", 3_000)),
    "API: export of everything": api("search/export", "[]{90}"),
    "API: trend of long nodes": api("search/trend", "[]{200}", by="day"),
    "API: all words": ("/api/words", {"n": 1_000_000, "pattern": ".*"}),
    "API: 1,000 words OR": ("/api/search", {"q": WORDS_1000}),
}
