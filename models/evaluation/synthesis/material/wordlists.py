"""Words that operators exchange: opposites, units of measure, months; and those that stand on every page."""

_OPPOSITES = """
increase decrease, increases decreases, increased decreased, rise fall, rises falls, rose fell, enable disable,
enabled disabled, enables disables, allow forbid, allowed forbidden, allows forbids, accept reject, accepted rejected,
include exclude, included excluded, includes excludes, before after, above below, inside outside, with without,
maximum minimum, more less, most least, first last, left right, top bottom, upper lower, true false, always never,
open closed, public private, internal external, input output, import export, imports exports, buy sell, bought sold,
win lose, won lost, wins loses, high low, higher lower, highest lowest, large small, larger smaller, long short,
longer shorter, fast slow, faster slower, new old, early late, earlier later, north south, east west, northern southern,
eastern western, men women, man woman, male female, boys girls, father mother, son daughter, brother sister, day night,
morning evening, summer winter, spring autumn, black white, red green, hot cold, hotter colder, wet dry, light dark,
safe dangerous, legal illegal, possible impossible, required optional, mandatory optional, valid invalid, known unknown,
start stop, starts stops, started stopped, begin end, begins ends, add remove, added removed, adds removes, push pull,
connect disconnect, connected disconnected, encrypt decrypt, upload download, read write, reads writes, visible hidden,
present absent, positive negative, good bad, better worse, best worst, success failure, succeed fail, succeeds fails,
agree disagree, agreed disagreed, support oppose, supports opposes, supported opposed, love hate, loves hates,
like dislike, gain loss, gains losses, profit loss, strong weak, stronger weaker, rich poor, young old, younger older,
married divorced, guilty innocent, arrived left, arrives leaves, synchronous asynchronous, static dynamic,
single multiple, local remote, client server, source destination, prefix suffix, ascending descending,
horizontal vertical, row column, rows columns, width height, even odd, strict lenient, temporary permanent,
free paid, commercial noncommercial, exclusive nonexclusive, must may, shall may, all some, both neither
"""
_UNITS = """
km miles, kilometres miles, kilometers miles, metres feet, meters feet, cm inches, mm cm, m km, kg lbs, kg g,
kilograms pounds, grams ounces, litres gallons, liters gallons, kB MB, KB MB, MB GB, GB TB, bytes kilobytes, bits bytes,
milliseconds seconds, seconds minutes, minutes hours, hours days, days weeks, weeks months, months years,
second minute, minute hour, hour day, day week, week month, month year, MHz GHz, kHz MHz, kW MW, million billion,
percent points, euros dollars, euro dollar, pounds euros, EUR USD, USD GBP, degrees radians, pixels points, px em,
°C °F, lines pages, characters words, times percent, people families, AM PM, am pm
"""

_AUXILIARIES = """
is are was were can could will would does do did should must may might has have had shall be
"""
_DENIALS = """
not nicht pas kein keine no non nie niet ikke inte не
"""
_MONTHS = """
January February March April May June July August September October November December
"""
_DAYS = """
Monday Tuesday Wednesday Thursday Friday Saturday Sunday
"""
_NUMERALS = """
two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty
"""
_MENU = "Home,About us,Contact,Search,Log in,Help,Privacy,Terms of use,Sitemap,Subscribe,Share,Print,Top,Next"
_EMOJI = "🎉 😀 🔥 👍 ✨ 🚀 😂 💡 ❤️ 👏 🤔 😎"

AUXILIARIES = frozenset(_AUXILIARIES.split())
"""English words behind which "not" turns a statement round."""
DENIALS = frozenset(_DENIALS.split())
"""Words whose loss turns a statement round."""
MONTHS = tuple(_MONTHS.split())
DAYS = tuple(_DAYS.split())
NUMERALS = tuple(_NUMERALS.split())
MENU = tuple(_MENU.split(","))
"""Items that stand in many menus."""
EMOJI = tuple(_EMOJI.split())


def _both_ways(listing: str) -> dict[str, str]:
    pairs = [pair.split() for pair in listing.replace("\n", " ").split(",")]
    return {one: other for first, second in pairs[::-1] for one, other in ((second, first), (first, second))}


OPPOSITES = _both_ways(_OPPOSITES)
"""Word to its opposite, small letters."""
UNITS = _both_ways(_UNITS)
"""Unit of measure to another one."""
