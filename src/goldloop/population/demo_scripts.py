"""What the models of the demo workspace's agents say: one reads contracts, one finds no end, one asks a colleague. Pure."""

import re
from typing import Any

from goldloop.runtimes.scripted_models import Call, Say, Told, script

READER, TRIAGE, ANSWERS = "contract-reader", "ticket-triage", "answers"
_READS = {
    "end_date": r"ends on (\d{4}-\d\d-\d\d)",
    "notice_days": r"(\d+) days before",
    "auto_renewal": r"terms of twelve months: (true|false)",
    "annual_value_eur": r"annual fee is EUR ([\d,]+)",
    "governing_law": r"governed by the law of ([A-Z][\w ]*)\.",
    "payment_terms": r"Invoices are payable: ([^.\n]+)\.",
}
TAUGHT = "ending the contract"  # in a lesson: not every notice in a contract is the one that ends it
_TAUGHT_READS = {**_READS, "notice_days": r"notice in writing (\d+) days before"}


@script(READER)
def read_contract(asked: Told) -> Say:
    """Looks the record up, then takes from the text what it can, as it was taught."""
    reads = _TAUGHT_READS if TAUGHT in asked.instructions else _READS
    wanted = re.findall(r'"key":"(\w+)"', asked.message)
    if not asked.results:
        return Call("searchEntities", {"query": _title(asked.message), "limit": 3})
    if not wanted:
        return "Give me a contract to read: on its record, choose Populate and paste its text."
    values: dict[str, Any] = {}
    meta: dict[str, Any] = {}
    for key in wanted:
        found = re.search(reads[key], asked.message) if key in reads else None
        if found:
            values[key] = _value(key, found[1])
            meta[key] = {"confidence": "high", "sources": [_source(asked.message, found)]}
    return {"values": values, "field_meta": meta}


def _title(message: str) -> str:
    found = re.search(r"## Record[^\n]*\n`+\n([^\n]+)", message)
    return found[1] if found else message[:100]


def _value(key: str, text: str) -> Any:
    return int(text.replace(",", "")) if key in ("notice_days", "annual_value_eur") else text


def _source(message: str, found: re.Match[str]) -> dict[str, str]:
    begin = message.rfind("\n", 0, found.start()) + 1
    end = message.find("\n", found.end())
    title = re.findall(r"## Document \d+\n`+\n([^\n]+)", message[: found.start()])
    quote = message[begin : end if end > 0 else None].strip()
    return {"type": "document", "title": title[-1] if title else "Text", "quote": quote}


@script(TRIAGE)
def triage(asked: Told) -> Say:
    """Asks for ever more, as badly instructed agents do."""
    words = ["courier", "delivery", "express", "logistics", "late", "parcel", "carrier"]
    return Call("searchEntities", {"query": words[len(asked.results) % len(words)], "limit": 5})


@script(ANSWERS)
def answer(asked: Told) -> Say:
    if not asked.results:
        return Call("searchEntities", {"query": "contract", "limit": 3})
    if len(asked.results) == 1:
        question = "A customer asks whether we refund the express fee of a parcel that came two days late. May I promise it?"
        return Call("askPerson", {"question": question})
    return f"A colleague says: {asked.results[1]['answer']}"
