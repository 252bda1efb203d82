"""Family "mail": how a text looks after it was quoted, forwarded or sent through a list."""

from random import Random

from models.evaluation.synthesis.material.boilerplate import stamp
from models.evaluation.synthesis.material.material import Material
from models.evaluation.synthesis.material.splitting import filled, lines_of
from models.evaluation.synthesis.material.wordlists import DAYS
from models.evaluation.synthesis.operator import AROUND, CARRIER, Edit

_MARKS = ("> ", "> ", ">", "| ", ">> ", "    > ")
_CLOSINGS = ("Best regards", "Kind regards", "Cheers", "Thanks", "Yours", "BR", "Sent from my phone")


def address(material: Material, rng: Random) -> tuple[str, str]:
    """Draw a person: name and address."""
    first, last = rng.choice(material.boilerplate.names), rng.choice(material.boilerplate.names)
    host = rng.choice(material.boilerplate.names).lower()
    return f"{first} {last}", f"{first.lower()}.{last.lower()}@{host}.example"


def quote(text: str, rng: Random) -> str:
    """Put a quotation mark before every line, broken at some width or as they stand."""
    mark, width = rng.choice(_MARKS), rng.choice((66, 72, 78, 10**9))
    lines = [part for line in lines_of(text) for part in [*filled(line, width).split("\n"), ""]]
    return "\n".join(f"{mark}{line}".rstrip() for line in lines[:-1])


def introduction(material: Material, rng: Random) -> str:
    """Write the line that stands above a quotation."""
    name, at = address(material, rng)
    forms = (
        f"On {rng.choice(DAYS)}, {stamp(rng)}, {name} wrote:", f"{name} <{at}> wrote:", f"> {name} writes:",
        f"----- Original Message -----\nFrom: {name}\nSent: {stamp(rng)}", f"{name} said the following:",
    )  # fmt: skip
    return rng.choice(forms)


def _quoted(text: str, material: Material, rng: Random) -> str:
    body = quote(text, rng)
    return f"{introduction(material, rng)}\n{body}" if rng.random() < 0.6 else body


def _forwarded(text: str, material: Material, rng: Random) -> str:
    (sender, at), (to, _) = address(material, rng), address(material, rng)
    title = text.split("\n", 1)[0].strip()[:70]
    fields = [f"From: {sender} <{at}>", f"Date: {stamp(rng)}", f"To: {to}"]
    fields += [f"Subject: {rng.choice(('Fwd: ', 'FW: ', ''))}{title}"] * (rng.random() < 0.6)
    rule = rng.choice(("---------- Forwarded message ----------", "Begin forwarded message:", "-----Original-----", ""))
    return "\n".join([*([rule] if rule else []), *fields, "", text])


def _signed(text: str, material: Material, rng: Random) -> str:
    name, at = address(material, rng)
    sign = rng.choice(("-- ", "--", "__________", ""))
    lines = [rng.choice(_CLOSINGS) + ",", name] + [at] * (rng.random() < 0.6)
    lines += [f"Tel. +{rng.randint(1, 99)} {rng.randint(100, 999)} {rng.randint(1000, 99999)}"] * (rng.random() < 0.4)
    return "\n".join([text, "", *([sign] if sign else []), *lines])


def _listed(text: str, material: Material, rng: Random) -> str:
    """What a mailing list puts below every message."""
    host = rng.choice(material.boilerplate.names).lower()
    rule = rng.choice(("_" * 47, "-" * 40, "=" * 30))
    forms = (
        f"{host}-users mailing list\n{host}-users@lists.{host}.example\nhttps://lists.{host}.example/listinfo/{host}",
        f"You received this message because you are subscribed to the group {host}.\n"
        f"To unsubscribe, send an email to {host}+unsubscribe@{host}.example.",
        f"To leave this list: https://{host}.example/leave/{rng.randint(1000, 99999)}",
    )
    return f"{text}\n{rule}\n{rng.choice(forms)}"


EDITS = [
    Edit("mail quote", "mail", CARRIER, _quoted),
    Edit("forwarded", "mail", AROUND, _forwarded, volatile=True),
    Edit("signature", "mail", AROUND, _signed),
    Edit("list footer", "mail", AROUND, _listed),
]
