"""Abbreviations by what may follow them, and words that begin sentences: data of the rules.

Four classes decide differently (see `sentences`): titles stand before a name and never end a
sentence; numbering words never end one before a digit; linking abbreviations never end one; all
others end one only before a word that begins sentences often. South African titles, and Afrikaans,
isiZulu and isiXhosa forms of address, are among them.
"""

# Before a name: Adv. Menzi Simelane, Lt-Gen. Khomotso Phahlane, uMnu. Zuma.
TITLES = frozenset(
    """
    Mr Mrs Ms Messrs Mx Dr Drs Prof Profs Adv Advs Cllr Cllrs Ald Alds Clr Rev Revd Hon Rt Fr Pr Ps
    Ds Pst Imam Mon Capt Const Sgt Sgts Insp Supt Col Lt Maj Gen Brig Cmdr Comdr Comm Comdt Cpl Pte
    Adm Cdr W/O WO Lt-Gen Lt-Col Maj-Gen Brig-Gen Det Gov Sen Sens Rep Reps Pres Min Dep Amb Sec
    Supt Mme Mlle Mgr Ste Mt Ft Mnr Mev Mej Mnre Past Dkt Mnu Mnz Nksz Nkk Nkz Nks Mnuz Muf Moh
    """.split()  # noqa: SIM905 - a word list reads better as words
)

# Before a digit: No. 4, p. 23, para. 3.2, b. 1950, 3 Sept. 2013 (months and days come before
# dates).
NUMBERING = frozenset(
    """
    no nos nr nrs p pp par para paras vol vols art arts fig figs sec secs chap ch reg regs cl s ss
    ext tel approx ca c circa b d r ref cf ed eds est min max col cols pt pts sched ann app nos bl
    blz jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun
    """.split()  # noqa: SIM905 - as above
)

# In the middle of a phrase, whatever follows: e.g. the R21, S v. Makwanyane.
LINKING = frozenset(
    """
    vs v viz e.g i.e eg ie cf incl excl approx ca esp c/o aka a.k.a d.w.s bv b.v o.a nl
    """.split()  # noqa: SIM905 - as above
)

# May end a sentence, and often do not: Smith & Co. in Cape Town; at 7 a.m. They declared …
ENDING = frozenset(
    """
    ltd inc corp co cc bros pty jr sr jnr snr esq etc al ave rd st blvd dept univ assoc assn bldg
    dist feb aug sept oct nov dec tue tues thu thur thurs fri deg min mins hr hrs secs yr yrs ft lb
    lbs oz kg km cm mm ml approx est incl nos vol eds ext tel fax govt gov dir mgr attn enq asst
    admin prov mun cnr bn tn mn para paras app conf adv prof fla va rts
    """.split()  # noqa: SIM905 - as above
)

# Clock times end a sentence before any capital letter but a weekday's or a time zone's.
CLOCK = frozenset({"a.m", "p.m", "etc"})
AFTER_CLOCK = frozenset(
    """
    Monday Tuesday Wednesday Thursday Friday Saturday Sunday Mon Tue Tues Wed Thu Thurs Fri Sat Sun
    January February March April May June July August September October November December SAST GMT
    UTC CAT EST EDT PST ET BST
    """.split()  # noqa: SIM905 - as above
)

# Capitalised, these are nearly always the first word of a sentence (function words; adverbs of time
# and link).
STARTERS = frozenset(
    """
    A About After Afterwards Again All Also Although Among An And Another Any Are As Asked At
    Because Before Both But By Can Could Despite Did Do Does During Each Earlier Eventually Even
    Every Few Finally First For From Furthermore Given Has Have He Hence Her Here Hers His How
    However I I'm I've If In Indeed Initially Instead Is It It's Its Just Last Later Let Like Many
    Maybe Meanwhile Moreover More Most Much My Nearly Neither Never Nevertheless Next Nobody None
    Nor Not Nothing Now Of Often On Once One Only Or Other Others Our Out Over People Perhaps Please
    Police Recently Said Several She Should Since Similarly So Some Someone Something Sometimes Soon
    Still Such Than That That's The Their Them Then There There's These They They're This Those
    Though Through Thus To Today Tomorrow Under Unfortunately Unless Until Was We We're We've Well
    Were What When Where Whether Which While Who Why Will With Within Without Would Yes Yesterday
    Yet You Your Die Dit Hy Sy Ons Hulle Daar Maar En Toe Ek Jy Wat Wie Waar Hoe Dis Nou Vir Met
    Volgens Ná Na Omdat Hierdie Terwyl
    """.split()  # noqa: SIM905 - as above
)
