"""Abbreviations by what may follow them, and words that begin sentences: data of the rules.

Four classes decide differently (see `sentences`): titles stand before a name and never end a
sentence; numbering words never end one before a digit; linking abbreviations never end one; all
others end one only before a word that begins sentences often. South African titles, and Afrikaans,
isiZulu and isiXhosa forms of address, are among them.
"""

# Before a name: Adv. Menzi Simelane, Lt-Gen. Khomotso Phahlane, uMnu. Zuma.
TITLES = frozenset(
    """
    Mr Mrs Ms Messrs Mx Dr Drs Prof Profs Adv Advs Cllr Cllrs Ald Alds Clr Rev Revd Hon Rt Fr Pr
    Ps Ds Pst Imam Mon Capt Const Sgt Sgts Insp Supt Col Lt Maj Gen Brig Cmdr Comdr Comm Comdt
    Cpl Pte Adm Cdr W/O WO Lt-Gen Lt-Col Maj-Gen Brig-Gen Det Gov Sen Sens Rep Reps Pres Min Dep
    Amb Sec Mme Mlle Mgr Ste Mt Ft Mnr Mev Mej Mnre Past Dkt Mnu Mnz Nksz Nkk Nkz Nks Mnuz Muf
    Moh Ref Refs Brig.-Gen Maj.-Gen Lt.-Gen Lt.-Col Brig.-Genl Lt.-Kol Genl.-Maj Lt.-Genl
    Sgt-Maj Sgt.-Maj W.O H.E Lieut Comd Cdre R-Adm V-Adm Rear-Adm Vice-Adm Msgr Bp Abp Bro Evang
    Asst Chr Wm Geo Chas Th Eerw Kapt Kol Genl Sers Konst Adj Komdt Komm Luit Me Mejj Mevv Proff
    dr drs mnr mev mej prof proff adv ds eerw genl kapt kol sers konst brig luit Mor Moprof Tat
    Umf Mfu Mong Nksn Pens Gqr Mnumz Nkosz Kpt
    """.split()  # noqa: SIM905 - a word list reads better as words
)

# Before a digit: No. 4, p. 23, para. 3.2, b. 1950, 3 Sept. 2013 (months and days come before
# dates).
NUMBERING = frozenset(
    """
    no nos nr nrs p pp par para paras vol vols art arts fig figs sec secs chap ch reg regs cl s
    ss ext tel approx ca c circa b d r ref cf ed eds est min max col cols pt pts sched ann app
    bl blz jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri
    sat sun pop gr std div ver sch ser rm wk blk erf plot lot proc op hfst afd okt des mrt artt
    reël maan dins woens vry rom cor gal eph phil thess tim tit heb jas pet matt mk lk jn josh
    judg sam kgs chron ps prov eccl isa jer ezek dan hos deut lev num ex gen sect cap lic cat
    bks grs seat pos joh eks luk hebr openb hoogl
    """.split()  # noqa: SIM905 - as above
)

# In the middle of a phrase, whatever follows: e.g. the R21, S v. Makwanyane.
LINKING = frozenset(
    """
    vs v viz e.g i.e eg ie cf incl excl approx ca esp c/o aka a.k.a d.w.s bv b.v o.a nl m.b.t
    t.o.v i.p.v n.a.v o.l.v d.m.v a.g.v m.a.w i.s insl uitgesl ibid op.cit w.o nom w.e.f i.t.o
    i.r.o f.k.a n.k.a v.d i.v.m m.b.v t.g.v
    """.split()  # noqa: SIM905 - as above
)

# May end a sentence, and often do not: Smith & Co. in Cape Town; at 7 a.m. They declared …
ENDING = frozenset(
    """
    asb ltd inc corp co cc bros pty jr sr jnr snr esq etc al ave rd st blvd dept univ assoc assn
    bldg dist feb aug sept oct nov dec tue tues thu thur thurs fri deg min mins hr hrs secs yr
    yrs ft lb lbs oz kg km cm mm ml approx est incl nos vol eds ext tel fax govt gov dir mgr
    attn enq asst admin prov mun cnr bn tn mn para paras app conf adv prof fla va rts bpk edms
    bk pvt stn hosp stad sch gebr distr gem jhb pta dbn okt des mrt pk mts sq gal mph temp hons
    ens b.com b.sc m.sc ph.d ll.b ll.d ll.m b.ed m.ed d.phil m.phil d.litt b.proc b.tech n.dip
    m.com cantab cont contd ref refs sect int intl natl orig adj sup nat fest ret exec chairpers
    spokespers comm
    """.split()  # noqa: SIM905 - as above
)

# Months and days end a sentence unless they stand near its beginning: "On 3 Oct. Parliament met",
# but "They met on 3 Oct. Parliament agreed".
DATES = frozenset(
    """
    jan feb mar apr jun jul aug sep sept oct okt nov dec des mon tue tues wed thu thur thurs fri
    sat sun
    """.split()  # noqa: SIM905 - as above
)

# After a name these are the end of it, so that a capital behind them begins a sentence: Florida Rd.
AFTER_NAMES = frozenset({"rd", "ave", "blvd", "ln", "cres"})

# Behind a number these are units, and a capital after them begins a sentence: in the 89th min.
# Broos was relieved; 40 kg. Two men were arrested.
UNITS = frozenset(
    """
    min mins hr hrs sec secs yr yrs ft lb lbs oz kg km cm mm ml g l m ha gal mph deg bn tn mn mil
    """.split()  # noqa: SIM905 - as above
)

# The Afrikaans title me. (Ms) is the English word me too; behind these words it is the title.
BEFORE_ME = frozenset(
    {
        *("sê", "vra", "skryf", "bel", "het", "en", "gerus"),
        *("aan", "deur", "van", "vir", "volgens", "dat", "teen", "oor"),
    }
)

# Clock times end a sentence before any capital letter but a weekday's or a time zone's.
CLOCK = frozenset({"a.m", "p.m", "vm", "nm", "v.m", "n.m", "etc", "ens"})
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
    However I I'm I've If In Indeed Initially Instead Is It It's Its Just Last Later Let Like
    Many Maybe Meanwhile Moreover More Most Much My Nearly Neither Never Nevertheless Next
    Nobody None Nor Not Nothing Now Of Often On Once One Only Or Other Others Our Out Over
    People Perhaps Please Police Recently Said Several She Should Since Similarly So Some
    Someone Something Sometimes Soon Still Such Than That That's The Their Them Then There
    There's These They They're This Those Though Through Thus To Today Tomorrow Under
    Unfortunately Unless Until Was We We're We've Well Were What When Where Whether Which While
    Who Why Will With Within Without Would Yes Yesterday Yet You Your Die Dit Hy Sy Ons Hulle
    Daar Maar En Toe Ek Jy Wat Wie Waar Hoe Dis Nou Vir Met Volgens Ná Na Omdat Hierdie Terwyl
    Residents Officials Officers Passengers Firefighters Paramedics Witnesses Experts Critics
    Analysts Investigators Authorities Sources Students Pupils Learners Parents Teachers Doctors
    Nurses Patients Workers Members Supporters Fans Voters Protesters Farmers Visitors Tickets
    Entrance Entry Admission Doors Gates Proceeds Tonight Around According Following Formerly
    Currently Previously Additionally Besides Consequently Ultimately Clearly Sadly Fortunately
    Approximately Almost Thousands Hundreds Dozens Two Three Four Five Six Seven Eight Nine Ten
    Between Against Elsewhere Whatever Whoever Whenever Wherever Haar Julle Nie Almal Niemand
    Iemand Daarna Intussen Nadat Voor Oor Tydens Baie Twee Drie Een
    """.split()  # noqa: SIM905 - as above
)

# Words in lower case that any rule knows; a full stop behind another plain word is judged at once.
ABBREVIATIONS = frozenset(
    {title for title in TITLES if title.islower()}
    | NUMBERING
    | LINKING
    | ENDING
    | DATES
    | AFTER_NAMES
    | CLOCK
    | {"me"}
)
