"""What the peers took for the queries of `bench_search.py`, in ms, and the marks set for ours.

CWB 3.4.33/3.5 pre-release driven through its child process, Manatee-open 2.225.8 through its Python
module; median of 5 to 7 interleaved warm runs, measured 2026-11-20 on the 2-core machine class that
the marks are for (AMD EPYC, AVX-512), on the same generator's corpus; hits as a page of 50 lines of
8 words each side and the exact total. j and j2 of CWB are counts alone, without measures; the row
"3-grams" of CWB is `cwb-scan-corpus -f 2` over words.
"""

CWB = {
    "100M": {
        "a": 0.09, "a2": 0.49, "b": 208, "c": 4.0, "d": 368, "e": 635, "f": 98, "g": 9.1, "g2": 40,
        "h": 366, "n": 138, "o": 17, "p": 498, "i": 1_071, "i2": 472, "j": 84, "j2": 2_349,
        "k": 491, "k2": 38_700, "l": 22.5, "l2": 414, "v1": 83, "v2": 582, "v3": 112,
    },
    "10M": {
        "a": 0.037, "b": 14.5, "d": 24.5, "e": 37, "f": 13.2, "g": 4.5, "g2": 15.9, "n": 7.7,
        "o": 2.0, "p": 46, "i": 68, "j2": 237, "k": 32, "k2": 1_456, "l": 2.7, "3-grams": 10_800,
    },
}  # fmt: skip

MANATEE = {
    "100M": {
        "a": 0.12, "a2": 3.3, "b": 234, "c": 3.5, "d": 52, "e": 49, "f": 383, "g": 3.5, "g2": 10,
        "h": 260, "n": 356, "o": 3.8, "p": 542, "i": 6_227, "i2": 73, "j": 26.5, "j2": 681,
        "k": 300, "k2": 26_600, "l": 32.9, "l2": 434,
    },
    "10M": {
        "a": 0.071, "b": 19.6, "d": 5.9, "e": 3.4, "f": 46, "g": 1.5, "g2": 3.3, "n": 24.6,
        "o": 1.6, "p": 36, "i": 279, "j2": 65, "k": 21, "k2": 758, "l": 2.0,
    },
}  # fmt: skip

# At 100 million tokens: a single token with page and total, a row with one rare token, tags alone,
# variable length (twice what a compiled prototype took), collocates, a full sort, all 3-grams.
MARKS = {
    "100M": {
        "a": 1, "a2": 1, "b": 1, "c": 1, "g": 1, "g2": 1, "h": 1, "d": 2, "e": 2, "n": 25,
        "p": 25, "tags": 25, "v1": 13.6, "v2": 116, "v3": 74, "j2": 20, "k2": 400,
        "3-grams": 5_000,
    },
}  # fmt: skip
