"""Bulletins of our own making: fixed wording, other values each time; each text stands for itself.

They are what near-duplicate detection gets wrong first: two issues share most of their words.
"""

import random

PLACES = [
    "Makhanda",
    "Gqeberha",
    "Kimberley",
    "Polokwane",
    "Mthatha",
    "Upington",
    "Knysna",
    "Vryburg",
    "Ladysmith",
    "Worcester",
    "Springs",
    "Welkom",
    "Paarl",
    "Mahikeng",
    "Bethlehem",
]
PEOPLE = [
    "Sipho Dlamini",
    "Anna van Wyk",
    "Thandi Mokoena",
    "Pieter Botha",
    "Lerato Khumalo",
    "Imraan Patel",
    "Nomsa Ndlovu",
    "Craig Williams",
    "Zanele Zulu",
    "Johan Steyn",
    "Fatima Adams",
    "Bongani Cele",
]
TEAMS = [
    "Sharks",
    "Lions",
    "Stormers",
    "Bulls",
    "Cheetahs",
    "Kings",
    "Pumas",
    "Griquas",
    "Eagles",
    "Falcons",
]
DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
]
ADJECTIVES = [
    "heavy",
    "light",
    "busy",
    "slow",
    "steady",
    "quiet",
    "brisk",
    "calm",
    "lively",
    "mixed",
]
ROADS = ["N1", "N2", "N3", "N4", "N6", "N12", "N14", "R24", "R61", "R75", "M1", "M4"]

TEMPLATES = {
    "traffic": """Motorists on the {road} near {place} face {adj} traffic this {day} morning.
Traffic officials said {n} vehicles an hour passed the {place2} plaza by {n2} o'clock.
A crash at the {road2} interchange has closed {n3} lanes towards {place3}.
Delays of up to {n4} minutes are expected and drivers should use the {road3} instead.
The next report follows at {n5} o'clock.""",
    "lotto": """Here are the winning numbers for the draw of {day} {n} {month}.
The numbers are {n2}, {n3}, {n4}, {n5}, {n6} and {n7} and the bonus ball is {n8}.
The jackpot of R{d} million was won by {n9} players, one of them from {place}.
The jackpot of the next draw is estimated at R{d2} million.
Players have {n10} days in which to claim their prizes at the offices in {place2}.""",
    "rugby": """The {team} beat the {team2} {n}-{n2} in {place} on {day}.
{person} scored {n3} points for the home side and {person2} went over for two tries.
At half-time the score was {n4}-{n5} in front of a crowd of {k}.
Coach {person3} said his side had worked hard and deserved the win.
The {team} travel to {place2} next week while the {team2} are at home to the {team3}.""",
    "fuel": """Motorists will pay {n} cents more for a litre of petrol from {day} {n2} {month}.
The department of energy said diesel goes up by {n3} cents and illuminating paraffin by {n4} cents.
A litre of 95 octane will cost R{d} in {place} and R{d2} at the coast.
The average price of crude was {d3} dollars a barrel while the rand traded at R{d4} to the dollar.
The Automobile Association asked motorists to plan their trips and to check the tyres.""",
    "dams": """Dams that supply {place} stood at {d} percent on {day}, compared with {d2} percent
a week ago.
The municipality said residents used {n} million litres a day, against a target of {n2} million
litres.
The largest dam was {d3} percent full and the smallest {d4} percent.
Level {n3} restrictions stay in force until the end of {month}, said councillor {person}.
Residents who exceed the limit can be fined R{k}.""",
    "crime": """Police in {place} arrested {n} suspects during an operation on {day} night.
Spokesman {person} said the suspects, aged between {n2} and {n3}, were found with {n4}
unlicensed firearms.
{n5} people were held for drunken driving and fines worth R{k} were issued.
The suspects will appear in the {place2} magistrate's court on {day2}.
Anyone with information is asked to call {person2} at the {place3} police station.""",
    "results": """{company} Ltd said headline earnings a share rose {d} percent to {d2} cents in
the six months to {month}.
Revenue grew {d3} percent to R{d4} billion while operating profit was R{k} million.
The board declared an interim dividend of {n} cents a share, from {n2} cents a year earlier.
Chief executive {person} said trading conditions were {adj} but the group was well placed for
the second half.
Shares in {company} closed {d5} percent higher at R{d6}.""",
    "tides": """High water at {place} on {day} is at {n}.{n2} and {n3}.{n4}, low water at {n5}.{n6}.
The sea temperature is {n7} degrees and the swell {d} metres from the south-west.
The sun rises at {n8}.{n9} and sets at {n10}.{n2}.
Anglers at {place2} report {adj} catches of kob and elf from the rocks.
Skippers should listen to the forecast before they launch at {place3}.""",
    "television": """What to watch on {day}: at {n}.30 {person} talks to {person2} about life in
{place}.
At {n2}.00 the series set in {place2} reaches episode {n3}, with {person3} as the detective.
The news follows at {n4}.00, with the weather for {place3}.
The late film is a {adj} thriller of {year} that runs for {n5} minutes.
Repeats of the week's programmes are shown on {day2} from {n6}.00.""",
    "court": """{person}, {n}, of {place}, appeared in the {place2} magistrate's court on {day} on
a charge of {charge}.
The case was postponed to {n2} {month} for further investigation and bail was set at R{k}.
The state alleges that the accused committed the offence on {n3} {month2}.
Magistrate {person2} warned the accused not to speak to witnesses.
Prosecutor {person3} did not oppose bail.""",
    "funeral": """{person} of {place} died on {day} at the age of {n}.
The family said the service would be held at {n2} o'clock on {day2} in the church in {place2}.
{surname} worked as a {job} for {n3} years and was known for helping others.
Survivors are {n4} children and {n5} grandchildren.
In place of flowers the family asks for gifts to the hospice in {place3}.""",
    "outages": """Electricity in {place} will be off on {day} from {n}.00 to {n2}.30 for
maintenance.
The suburbs around {place2} and {place3} are affected, together with {n3} farms on the {road}.
Residents should treat all points as live because power may return at any time.
Enquiries can be made at {n4} {k} during office hours.
The municipality apologises for the inconvenience, said {person}.""",
}


def bulletins(name: str, n: int, seed: int = 0) -> list[str]:
    """Make `n` issues of one bulletin, reproducible from the seed."""
    dice = random.Random(f"{name}-{seed}")
    return [TEMPLATES[name].format_map(_values(dice)) for _ in range(n)]


def _values(dice: random.Random) -> dict[str, str]:
    values = {f"n{k}": str(dice.randint(1, 59)) for k in range(2, 11)}
    values |= {f"d{k}": f"{dice.randint(0, 99)}.{dice.randint(10, 99)}" for k in range(2, 7)}
    values |= {"n": str(dice.randint(1, 59)), "d": f"{dice.randint(0, 99)}.{dice.randint(10, 99)}"}
    for key, words in (("place", PLACES), ("person", PEOPLE), ("team", TEAMS), ("road", ROADS)):
        first, second, third = dice.sample(words, 3)
        values |= {key: first, f"{key}2": second, f"{key}3": third}
    values["day"], values["day2"] = dice.sample(DAYS, 2)
    values["month"], values["month2"] = dice.sample(MONTHS, 2)
    company = f"{dice.choice(PLACES)} {dice.choice(('Steel', 'Foods', 'Motors', 'Mining'))}"
    return values | {
        "adj": dice.choice(ADJECTIVES),
        "k": f"{dice.randint(1, 99)} {dice.randint(100, 999)}",
        "company": company,
        "year": str(dice.randint(1960, 2010)),
        "charge": dice.choice(("theft", "fraud", "assault", "housebreaking", "robbery")),
        "job": dice.choice(("teacher", "nurse", "farmer", "miner", "clerk")),
        "surname": values["person"].split()[-1],
    }
