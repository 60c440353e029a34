"""The starter set `sales-ops`: somebody who keeps accounts in order asks for contacts, calls and renewals. Pure."""

from typing import Any

from goldloop.goldens.starters.model import Lessons, Request, Starter, StarterRecord, StarterType, Trial
from goldloop.goldens.starters.scripting import (
    REFUSED,
    all_found,
    answer_by,
    follows,
    found,
    is_refused,
    look_at_all,
    look_up,
    not_found,
    propose,
)
from goldloop.runtimes.scripted_models import Say, Told, script

NAME = "sales-ops"
ACCOUNT = "sales_account"
NEXT_STEP = "When a call is reported, propose what was agreed as the next step of the account."
NEXT_STEP_LEFT_OPEN = "When a call is reported, propose the next step of the account if it seems worth it."
_INSTRUCTIONS = """Keep the accounts in order for the people of sales.
Look an account up before you say anything about it.
{}
Name what stood there before when you change something."""

_SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["segment", "arr_eur"],
    "properties": {
        "segment": {"type": "string", "enum": ["enterprise", "mid-market", "small"]},
        "arr_eur": {"type": "integer", "minimum": 0},
        "renewal_date": {"type": "string", "format": "date"},
        "owner": {"type": "string", "maxLength": 120},
        "main_contact": {"type": "string", "maxLength": 120},
        "contact_email": {"type": "string", "format": "email"},
        "health": {"type": "string", "enum": ["green", "amber", "red"]},
        "next_step": {"type": "string", "maxLength": 500},
    },
}
_FIELDS: dict[str, Any] = {
    "arr_eur": {"label": "Annual revenue (EUR)"},
    "renewal_date": {"label": "Renews on"},
    "owner": {"label": "Account owner"},
}


def _account(title: str, segment: str, arr: int, renews: str, owner: str, contact: str, health: str) -> StarterRecord:  # fmt: skip
    content = {
        "segment": segment,
        "arr_eur": arr,
        "renewal_date": renews,
        "owner": owner,
        "main_contact": contact,
        "health": health,
    }
    return StarterRecord(ACCOUNT, title, content)


_ACCOUNTS = (
    _account("Harborline Foods", "enterprise", 184_000, "2027-03-31", "Ruth Ekdahl", "Per Holm", "green"),
    _account("Quillstone Press", "small", 9_600, "2027-01-15", "Ben Adeyemi", "Sara Voss", "green"),
    _account("Northgate Clinics", "mid-market", 84_000, "2027-02-28", "Ruth Ekdahl", "Dr Olu Bright", "green"),
    _account("Tallow & Pine", "small", 12_400, "2026-12-20", "Ben Adeyemi", "Jude Marsh", "amber"),
    _account("Vesper Hotels", "enterprise", 226_500, "2027-06-30", "Kim Alder", "Lia Conti", "green"),
    _account("Osprey Marine", "mid-market", 47_200, "2027-04-12", "Kim Alder", "Finn Dahl", "amber"),
    _account("Larkfield Energy", "enterprise", 312_000, "2027-09-01", "Ruth Ekdahl", "Nadia Roth", "green"),
    _account("Copperbeech Schools", "mid-market", 38_900, "2027-08-15", "Ben Adeyemi", "Tom Ferris", "red"),
)  # fmt: skip

_REQUESTS = (
    Request(
        "new-contact",
        "Mia Lund is the new main contact at Harborline Foods, mia.lund@harborline.example. Please put her on the account.",
        "A contact changes: proposed with the address, and the contact before is named",
        ("Per Holm",),
    ),
    Request(
        "contact-left",
        "Ivo Brandt is the new main contact at Quillstone Press, ivo.brandt@quillstone.example. Please put him on the account.",
        "A contact changes on a small account",
        ("Sara Voss",),
    ),
    Request(
        "call-price",
        "I spoke with Northgate Clinics. Agreed: send a price for 40 more seats by 2026-12-04.",
        "A call is reported: the next step is proposed, and the renewal named",
        ("2027-02-28",),
    ),
    Request(
        "call-at-risk",
        "I spoke with Tallow & Pine. Agreed: show them the new reports before they decide on 2026-12-11.",
        "A call with an account that renews soon",
        ("2026-12-20",),
    ),
    Request(
        "call-expansion",
        "I spoke with Vesper Hotels. Agreed: plan the roll-out to the hotels in Spain with Lia Conti.",
        "A call about more business",
        ("2027-06-30",),
    ),
    Request(
        "health",
        "Set the health of Osprey Marine to red: two escalations are open.",
        "Health changes, and what it was is named",
        ("amber",),
    ),
    Request(
        "renewal",
        "When does Larkfield Energy renew, and for how much?",
        "A question: nothing is changed",
        ("2027-09-01", "312000"),
    ),
    Request(
        "at-risk",
        "Which accounts are not green, and who owns them?",
        "A question about all accounts",
        ("Copperbeech Schools", "Tallow & Pine", "Kim Alder"),
    ),
    Request(
        "enterprise-total",
        "What do our enterprise accounts bring in a year?",
        "A sum over accounts of a segment",
        ("722500",),
    ),
)


def _put_contact(asked: Told, contact: str, account: str, email: str) -> Say:
    if not asked.results:
        return look_up(ACCOUNT, account)
    if (entity := found(asked)) is None:
        return not_found(account)
    if len(asked.results) == 1:
        return propose(entity, {"main_contact": contact, "contact_email": email})
    if is_refused(asked.results[1]):
        return REFUSED
    before = entity["content"].get("main_contact", "nobody")
    return f"{contact} ({email}) is proposed as the main contact of {entity['title']}; until now it was {before}."


def _log_call(asked: Told, account: str, agreed: str) -> Say:
    if not asked.results:
        return look_up(ACCOUNT, account)
    if (entity := found(asked)) is None:
        return not_found(account)
    content = entity["content"]
    renews = f"{entity['title']} renews on {content['renewal_date']} at {content['arr_eur']:,} EUR a year."
    if len(asked.results) == 1:
        if not follows(asked, NEXT_STEP, NEXT_STEP_LEFT_OPEN):
            return f"Thank you, noted. {renews}"
        return propose(entity, {"next_step": agreed[0].upper() + agreed[1:]})
    return REFUSED if is_refused(asked.results[1]) else f"The next step is proposed. {renews}"


def _set_health(asked: Told, account: str, health: str) -> Say:
    if not asked.results:
        return look_up(ACCOUNT, account)
    if (entity := found(asked)) is None:
        return not_found(account)
    if len(asked.results) == 1:
        return propose(entity, {"health": health})
    if is_refused(asked.results[1]):
        return REFUSED
    return f"{entity['title']} is proposed to be {health}; it was {entity['content'].get('health', 'not rated')}."


def _tell_renewal(asked: Told, account: str) -> Say:
    if not asked.results:
        return look_up(ACCOUNT, account)
    if (entity := found(asked)) is None:
        return not_found(account)
    content = entity["content"]
    return f"{entity['title']} renews on {content['renewal_date']}, at {content['arr_eur']:,} EUR a year."


def _list_at_risk(asked: Told) -> Say:
    if not asked.results:
        return look_at_all(ACCOUNT)
    lines = [
        f"- {entity['title']}: {entity['content']['health']}, {entity['content']['owner']}"
        for entity in all_found(asked)
        if entity["content"].get("health") in ("amber", "red")
    ]
    return "\n".join(lines) if lines else "All of them are green."


def _sum_segment(asked: Told, segment: str) -> Say:
    if not asked.results:
        return look_at_all(ACCOUNT)
    of_segment = [entity for entity in all_found(asked) if entity["content"]["segment"] == segment]
    total = sum(entity["content"]["arr_eur"] for entity in of_segment)
    return f"{len(of_segment)} {segment} accounts bring in {total:,} EUR a year."


_KINDS = (
    (r"^(.+) is the new main contact at (.+?), (\S+@\S+\.\w+)", _put_contact),
    (r"^I spoke with (.+?)\. Agreed: (.+?)\.?$", _log_call),
    (r"^Set the health of (.+) to (\w+)", _set_health),
    (r"^When does (.+) renew", _tell_renewal),
    (r"^Which accounts are not green", _list_at_risk),
    (r"^What do our (\S+) accounts bring in", _sum_segment),
)


@script(NAME)
def answer(asked: Told) -> Say:
    return answer_by(_KINDS, asked)


STARTER = Starter(
    name=NAME,
    title="Sales operations",
    description="Contacts, calls and renewals of eight accounts: changes are proposed on the account, questions are answered from it.",
    agent="Keeps accounts in order. Follows a script: it needs no model.",
    instructions=_INSTRUCTIONS.format(NEXT_STEP),
    types=(StarterType(ACCOUNT, "Account", _SCHEMA, _FIELDS),),
    records=_ACCOUNTS,
    requests=_REQUESTS,
    trials=(
        Trial(
            "The rule about calls is gone",
            "Shorter: without the rule about calls",
            3,
            _INSTRUCTIONS.replace("{}\n", ""),
        ),
        Trial(
            "The rule about calls is left open",
            "The next step only if it seems worth it",
            3,
            _INSTRUCTIONS.format(NEXT_STEP_LEFT_OPEN),
        ),
        Trial("The rule about calls is back", "", 5),
    ),
    lessons=Lessons(
        agent="sales-ops-brief",
        title="Sales operations, in brief",
        description="Keeps accounts in order by shorter instructions and what was learnt. Follows a script: it needs no model.",
        instructions=_INSTRUCTIONS.replace("{}\n", ""),
        lessons=(
            NEXT_STEP,
            "Name the owner of an account when you name the account.",
            "Thank whoever reports a call.",
            "Write amounts in euros without cents.",
        ),
        name="What four lessons are worth",
        replays=54,
        pairs=27,
    ),
)
