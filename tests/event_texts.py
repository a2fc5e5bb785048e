"""Made reports of South African events: pairs that tell of one event, and those that do not.

Each text has the length of a short news report. `FIRE`, `FIRE_ELSEWHERE` are two newspapers on one
event; `OTHER_FIRE` is another fire in much the same words.
"""

FIRE = (
    "More than sixty shacks burnt down in Masiphumelele near Fish Hoek in the early hours. "
    "City fire services spokesperson Jermaine Carelse said 240 residents of the wetlands "
    "section had lost their homes. A man of 34 was treated for burns at False Bay Hospital."
    " Strong winds drove the flames from a paraffin stove through the wetlands before ten "
    "fire engines arrived. Gift of the Givers handed out blankets at the Masiphumelele "
    "community hall."
)
FIRE_ELSEWHERE = (
    "Hundreds are homeless after flames tore through the wetlands of Masiphumelele "
    "overnight. Firefighters from Fish Hoek and Kommetjie fought strong winds until "
    "sunrise, Jermaine Carelse of the city fire services told journalists. One resident is "
    "in False Bay Hospital with burns. Neighbours blame a paraffin stove. Blankets and soup"
    " from Gift of the Givers wait in the community hall, where displaced families are "
    "being registered."
)
OTHER_FIRE = (
    "A fire in a warehouse in Jacobs, south of Durban, burnt through the night and closed "
    "the M7. eThekwini fire chief Enoch Mchunu said chemicals for swimming pools had fed "
    "the flames. Nobody was hurt. Residents of Wentworth and Austerville were told to shut "
    "their windows while the smoke drifted over the basin. Environmental officers took "
    "samples of water from the canal."
)
COURT = (
    "The Pietermaritzburg High Court dismissed the application of the Ingonyama Trust to "
    "appeal against a judgment on residential leases. Judge Isaac Madondo found no prospect"
    " of success. The Council for the Advancement of the South African Constitution had "
    "argued that holders of informal land rights were made to pay rent for land of their "
    "own."
)
CRICKET = (
    "Temba Bavuma struck a patient century as the Proteas reached 312 for six against Sri "
    "Lanka at Kingsmead. Kyle Verreynne supported his captain with 61 before Lahiru Kumara "
    "removed him with the second new ball. Rain took 21 overs out of the afternoon session."
)
CRICKET_LATER = (
    "Marco Jansen took seven wickets for 13 runs as Sri Lanka collapsed to 42 at Kingsmead,"
    " their lowest total in Tests. The Proteas closed at 132 for three, with Aiden Markram "
    "and Tristan Stubbs at the crease, a lead of 281."
)
BULLETIN = (
    "Light rain is expected in the Cape Peninsula with a fresh north-westerly wind of {} "
    "knots. The Karoo will be cold with frost in Sutherland and Fraserburg, maximum {} "
    "degrees. Thundershowers in the eastern Highveld will reach Ermelo and Standerton by "
    "dusk, with hail near Secunda."
)
COLUMN_OPENING = (
    "Gogo Nomvula answers letters about umngqusho, amasi, samp, marogo and other kitchen "
    "matters every Thursday from her stove in Mthatha."
)
COLUMN_FIRST = COLUMN_OPENING + (
    " Sipho of Ngcobo asks whether ulusu must soak overnight. It must, in vinegar and "
    "water, and the pot wants bay leaves, curry powder and patience."
)
COLUMN_SECOND = COLUMN_OPENING + (
    " Lerato of Qumbu wants steamed bread that does not sink. Warm the yeast, knead until "
    "your wrists complain, and line the enamel basin with banana leaf."
)
