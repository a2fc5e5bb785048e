"""Month names of further languages, without those that `dates` has itself.

In the forms that dates are written in, long and short, as the locale data of the Unicode CLDR give
them. January first; what is a month's name in two languages stands with the first of them.
"""

MONTHS_OF_FURTHER_LANGUAGES = (
    (
        "яну януари led leden ledna lednu ιαν ιανουάριοσ ιανουαρίου jaan jaanuar tammi tammik "
        "tammikuu tammikuuta tammikuussa ژانویه جنوری ינואר לינואר בינואר ינו siječanj siječnja "
        "siječnju siječnjem január djan djanuari saus sausio sausis janv janvāris ian januára "
        "јануар січ січень styczniu yanvar janar јануари gener urtarrila xaneiro eanáir იანვარი "
        "հունվար հունվարի"
    ),
    (
        "фев февруари úno únor února únr únoru φεβ φεβρουάριοσ φεβρουαρίου veebr veebruar helmi "
        "helmik helmikuu helmikuuta helmikuussa فوریه فبروری פברואר בפברואר לפברואר פבר velj "
        "veljača veljače veljači veljačom febr február pebruari vasario vasaris februāris "
        "februára фебруар лют лютий лютого февр lutym fevral shkurt febrer otsaila febreiro feabh "
        "feabhra თებერვალი փետրվար փետրվարի"
    ),
    (
        "bře březen března březnu μάρ μάρτιοσ μαρ μαρτίου märts maalis maalisk maaliskuu "
        "maaliskuuta maaliskuussa مارچ מרץ במרץ למרץ מרס במרס למרס מארס במארס למארס ožujak ožujka "
        "ožujku ožujkom márc március már iii kovas kovo marts martie marec бер березень березня "
        "берез machi marcu març martxoa márta მარტი մարտ մարտի"
    ),
    (
        "апр април dub duben dubna dubnu απρ απρίλιοσ απριλίου aprill huhti huhtik huhtikuu "
        "huhtikuuta huhtikuussa آوریل اپریل אפריל באפריל לאפריל אפר travanj travnja travnju "
        "travnjem ápr április balandis balandžio aprīlis aprilie apríla квіт квітень квітня кві "
        "aprili kwietniu kwie aprel prill apirila aibreán აპრილი ապրիլ ապրիլի"
    ),
    (
        "kvě květen května květnu μάι μάιοσ touko toukok toukokuu toukokuuta toukokuussa מאי במאי "
        "למאי svibanj svibnja svibnju svibnjem máj május gegužė gegužės maijs mája трав травень "
        "травня тра maju maig maiatza beal bealtaine მაისი մայիս մայիսի"
    ),
    (
        "юни červen června čvn čer červnu ιουν ιουνίου ιούν ιούνιοσ juuni kesä kesäk kesäkuu "
        "kesäkuuta kesäkuussa ژوئن יוני ביוני ליוני יונ lipanj lipnja lipnju lipnjem jún június "
        "djuni birž birželio birželis jūnijs iun iunie júna junij черв червень червня чер czerwcu "
        "iyun qershor јуни juny ekaina xuño meith meitheamh ივნისი հունիս հունիսի"
    ),
    (
        "юли července červenec čvc črc červenci črv ιουλ ιουλίου ιούλ ιούλιοσ juuli heinä heinäk "
        "heinäkuu heinäkuuta heinäkuussa ژوئیه جولای יולי ביולי ליולי יול srpanj srpnja srpnju "
        "srpnjem júl július vii djuli liep liepa liepos jūlijs iul iulie júla julij лип липень "
        "липня julai lipcu iyul korr korrik јули juliol uztaila xullo iúil ივლისი հուլիս հուլիսի"
    ),
    (
        "авг srp srpen srpna srpnu αυγ αυγούστου αύγ αύγουστοσ elo elok elokuu elokuuta elokuussa "
        "آگست אוגוסט באוגוסט לאוגוסט אוג kolovoz kolovoza kolovozu kolovozom augusztus viii "
        "agustus rugp rugpjūtis rugpjūčio augusts augusta avgust серп серпень серпня сер agosti "
        "sierpniu avqust gush gusht agost abuztua lúnasa აგვისტო օգոստոս օգոստոսի"
    ),
    (
        "сеп септември септ септм zář září σεπ σεπτέμβριοσ σεπτεμβρίου syys syysk syyskuu "
        "syyskuuta syyskuussa سپتامبر سپتمبر ספטמבר בספטמבר לספטמבר ספט rujan rujna rujnu rujnom "
        "szept szeptember rugs rugsėjis rugsėjo septembris septembrie septembra септембар вер "
        "вересень вересня верес сент wrzesnia wrześniu wrzesniu sentyabr shtator septembar "
        "setembre iraila mfómh სექტემბერი սեպտեմբեր սեպտեմբերի"
    ),
    (
        "окт октомври říj říjen října říjnu οκτ οκτωβρίου οκτώβριοσ oktoober loka lokak lokakuu "
        "lokakuuta lokakuussa اکتبر اکتوبر אוקטובר באוקטובר לאוקטובר אוק listopadom spal spalio "
        "spalis oktobris octombrie októbra октобар жовт жовтень жовтня жов oktoba pazdziernika "
        "październiku pazdzierniku oktyabr tetor oktobar urria dfómh ოქტომბერი հոկտեմբեր "
        "հոկտեմբերի"
    ),
    (
        "ное ноември lis listopadu νοέ νοέμβριοσ νοε νοεμβρίου marras marrask marraskuu "
        "marraskuuta marraskuussa نوامبر نومبر נובמבר בנובמבר לנובמבר נוב studeni studenoga "
        "studenom studenomu studenome studenog studenim nopember lapkr lapkritis lapkričio "
        "novembris noiembrie noiem novembra новембар лист листопад листопада листоп лис нояб "
        "listopadzie noyabr nëntor ноем novembar azaroa samh samhain ნოემბერი նոյեմբեր նոյեմբերի"
    ),
    (
        "дек декември pro prosince prosinec prosinci δεκ δεκέμβριοσ δεκεμβρίου dets detsember "
        "joulu jouluk joulukuu joulukuuta joulukuussa دسامبر دسمبر דצמבר בדצמבר לדצמבר דצמ "
        "prosinac prosinca prosincu prosincem xii gruod gruodis gruodžio decembris decembrie "
        "decembra децембар груд грудень грудня гру desemba grudniu dekabr dhjetor decembar "
        "desembre abendua decembro noll nollaig დეკემბერი դեկտեմբեր դեկտեմբերի"
    ),
)  # fmt: skip
