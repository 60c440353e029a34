"""The responses of the demo workspace: people who rate and disagree, and an agent that has read the contracts."""

import hashlib
from typing import Any
from uuid import UUID

from goldloop.criteria.demo import CONTRACT_TERMS, QUARTERLY, SATISFACTION, VENDOR_RISK
from goldloop.entities.demo import CONTRACTS, VENDORS, Contract, Vendor, contract_id, vendor_id
from goldloop.kit.db import Tx
from goldloop.responses import service
from goldloop.responses.model import ResponseSource, ResponseStatus
from goldloop.tenants.demo import PROPOSE_AND_REVIEW, Part, acting, demo_id, later

_RISK = ["security", "reliability", "data_protection", "financial_health", "support"]
_SURVEY = ["easy", "answers", "honest", "again"]
_TERMS = ["exit", "price", "liability"]
# How each rater leans, per dimension of the risk assessment.
_RISK_RATERS = {
    "mara.lindqvist": (-1, 0, -1, 0, 0),
    "priya.raman": (0, 0, 0, 0, 0),
    "tomas.okafor": (0, -1, 1, 0, 1),
    "jonas.weber": (1, 0, 1, 1, 0),
}
_SURVEY_RATERS = ["priya.raman", "jonas.weber", "tomas.okafor"]
# Where somebody knows something that the others do not.
_RISK_ANSWERS: dict[tuple[str, str], dict[str, Any]] = {
    ("nimbus", "mara.lindqvist"): {
        "security": 1,
        "data_protection": 1,
        "recommendation": "replace",
        "comment": "Recordings are kept in the United States for model training unless we opt out per queue. We did not.",
    },
    ("nimbus", "jonas.weber"): {
        "security": 4,
        "data_protection": 5,
        "recommendation": "keep",
        "comment": "The transcripts are the best we have had. Retention can be switched off.",
    },
    ("brightline", "tomas.okafor"): {
        "reliability": 1,
        "recommendation": "replace",
        "comment": "Outages on 11 March (4 h) and 2 July (6 h). Both times we learnt of it from customers.",
    },
    ("brightline", "priya.raman"): {
        "reliability": 4,
        "recommendation": "watch",
        "comment": "The second carrier has been in place since August. Nothing since.",
    },
    ("saltmarsh", "mara.lindqvist"): {
        "security": 1,
        "recommendation": "replace",
        "comment": "The forum runs on a PHP version that has had no patches since 2023.",
    },
    ("halden", "priya.raman"): {
        "recommendation": "keep",
        "comment": "Post-mortems within two days, every time.",
    },
}
PASSAGES = {
    "end_date": (2, "This agreement ends on {} unless it is renewed."),
    "notice_days": (7, "Either party may give notice in writing {} days before the end of a term."),
    "auto_renewal": (7, "Renewal by itself for further terms of twelve months: {}."),
    "annual_value_eur": (4, "The annual fee is EUR {}, without value added tax."),
    "governing_law": (11, "This agreement is governed by the law of {}."),
    "payment_terms": (4, "Invoices are payable: {}."),
}
READ = [contract.key for contract in CONTRACTS[:20]]  # the last four were not read yet
# What the agent got wrong at first: a value from the wrong place, as it happens.
_MISREAD: dict[str, dict[str, Any]] = {
    "papaya-frame": {"annual_value_eur": 120000, "end_date": "2025-09-30"},
    "ostrava-colo": {"notice_days": 30},
    "gannet-express": {"governing_law": "England and Wales"},
}
_UNSURE = {"annual_value_eur": "medium", "notice_days": "medium", "auto_renewal": "low"}


def extraction_id(key: str) -> UUID:
    return _id(500 + READ.index(key), f"extraction {key}")


def rerun_id(key: str) -> UUID:
    return _id(560 + READ.index(key), f"rerun {key}")


def amendment_id(key: str) -> UUID:
    return _id(600, f"amendment {key}")


def risk_id(vendor: str, rater: str) -> UUID:
    place = [v.key for v in VENDORS].index(vendor) * len(_RISK_RATERS) + list(_RISK_RATERS).index(rater)
    return _id(700 + place, f"risk {vendor} {rater}")


def _id(place: int, name: str) -> UUID:
    return demo_id(place, f"response {name}")


_HOURS = 4  # from one response to the next


async def load(tx: Tx) -> None:
    await _read_contracts(tx)
    await _review(tx)
    for rater in _RISK_RATERS:
        await _rate_risks(tx, rater)
    for rater in _SURVEY_RATERS:
        await _answer_survey(tx, rater)
    await _report_quarters(tx)
    await _rate_terms(tx)


async def _read_contracts(tx: Tx) -> None:
    async with acting(tx, "extractor") as agent:
        for contract in CONTRACTS:
            if contract.key in READ:
                await _extract(
                    agent, contract, extraction_id(contract.key), _MISREAD.get(contract.key, {}), None
                )


async def _extract(
    tx: Tx, contract: Contract, response_id: UUID, misread: dict[str, Any], parent: UUID | None
) -> None:
    values = {**document_says(contract), **misread}
    await later(tx, hours=_HOURS)
    await service.submit(
        tx,
        service.NewResponse(
            id=response_id,
            entity_id=contract_id(contract.key),
            values=values,
            field_meta={key: _evidence(contract, key, value) for key, value in values.items()},
            source=ResponseSource.EXTRACTION,
            parent_response_id=parent,
            notes="Read again with the reviewer's notes." if parent else None,
        ),
    )


def document_says(contract: Contract) -> dict[str, Any]:
    return {
        "end_date": contract.ends,
        "notice_days": contract.notice_days,
        "auto_renewal": "true" if contract.renews else "false",
        "annual_value_eur": contract.value,
        "governing_law": contract.law,
        "payment_terms": contract.payment,
    }


def _evidence(contract: Contract, key: str, value: Any) -> dict[str, Any]:
    page, passage = PASSAGES[key]
    quote = passage.format(f"{value:,}" if isinstance(value, int) and value > 999 else value)
    return {
        "confidence": _UNSURE.get(key, "high"),
        "sources": [
            {
                "type": "document",
                "title": f"{contract.reference} signed.pdf",
                "page": page + _chance(contract.key, key, of=3),
                "quote": quote,
            }
        ],
        "tokens_used": 900 + 10 * _chance(contract.key, key, "tokens", of=90),
        "duration_ms": 700 + _chance(contract.key, key, "time", of=1600),
    }


async def _review(tx: Tx) -> None:
    """A rejection that says what is wrong, the better answer to it, and one that stays rejected."""
    papaya, ostrava = _contract("papaya-frame"), _contract("ostrava-colo")
    async with acting(tx, "priya.raman") as reviewer:
        await _reject(
            reviewer,
            papaya,
            "annual_value_eur is half of it: 120,000 is the minimum per season (section 4.1), and there are two seasons "
            "a year, so 240,000. end_date is that of the first term; amendment 2 on page 14 extends it to 2026-09-30.",
        )
    async with acting(tx, "tomas.okafor") as reviewer:
        await _reject(
            reviewer,
            ostrava,
            "notice_days: the 30 days in section 7 are for moving racks. Section 12.2 gives 365 days for ending the "
            "contract. Look for the word termination, not for notice.",
        )
    async with acting(tx, "extractor") as agent:
        await _extract(agent, papaya, rerun_id(papaya.key), {}, extraction_id(papaya.key))
    async with acting(tx, "jonas.weber") as contributor:
        amended = contract_id("brightline-voice")
        await later(contributor, hours=_HOURS)
        await service.submit(
            contributor,
            service.NewResponse(
                id=amendment_id("brightline-voice"),
                entity_id=amended,
                values={**document_says(_contract("brightline-voice")), "annual_value_eur": 149000},
                source=ResponseSource.MANUAL,
                notes="Amendment of 1 October: the price goes down, the rest is confirmed.",
            ),
        )
        twice = _id(601, "entered twice")
        await later(contributor, hours=_HOURS)
        await service.submit(
            contributor,
            service.NewResponse(id=twice, entity_id=amended, values={"annual_value_eur": 14900}),
        )
        await later(contributor, hours=1)
        await service.withdraw(contributor, amended, twice)


async def _reject(tx: Tx, contract: Contract, notes: str) -> None:
    entity_id, response_id = contract_id(contract.key), extraction_id(contract.key)
    await later(tx, hours=3)
    await service.review(tx, entity_id, response_id, ResponseStatus.REJECTED, notes)


async def _rate_risks(tx: Tx, rater: str) -> None:
    async with acting(tx, rater) as member:
        for place, vendor in enumerate(VENDORS):
            answers = _RISK_ANSWERS.get((vendor.key, rater))
            if answers is None and (place + list(_RISK_RATERS).index(rater)) % 4 == 3:
                continue  # nobody rates everything
            await later(member, hours=2 * _HOURS)
            await service.submit(
                member,
                service.NewResponse(
                    id=risk_id(vendor.key, rater),
                    entity_id=vendor_id(vendor.key),
                    criteria_set_slug=VENDOR_RISK,
                    values={**_risk_ratings(vendor, rater), **(answers or {})},
                    source=ResponseSource.WORKSHOP if place < 8 else ResponseSource.MANUAL,
                ),
            )


def _risk_ratings(vendor: Vendor, rater: str) -> dict[str, Any]:
    ratings: dict[str, Any] = {}
    for key, base, leaning in zip(_RISK, vendor.ratings, _RISK_RATERS[rater], strict=True):
        wobble = {0: -1, 5: 1}.get(_chance(vendor.key, rater, key, of=6), 0)
        ratings[key] = min(5, max(1, int(base) + (leaning if wobble == 0 else wobble)))
    total = sum(ratings.values())
    ratings["recommendation"] = "keep" if total >= 18 else "watch" if total >= 13 else "replace"
    return ratings


async def _answer_survey(tx: Tx, rater: str) -> None:
    async with acting(tx, rater) as member:
        for place, vendor in enumerate(VENDORS[:14]):
            level = round(sum(map(int, vendor.ratings)) / len(vendor.ratings))
            answers = {
                key: min(5, max(1, level - 1 + _chance(vendor.key, rater, key, of=3))) for key in _SURVEY
            }
            await later(member, hours=_HOURS)
            await service.submit(
                member,
                service.NewResponse(
                    id=_id(900 + place * 3 + _SURVEY_RATERS.index(rater), f"survey {vendor.key} {rater}"),
                    entity_id=vendor_id(vendor.key),
                    criteria_set_slug=SATISFACTION,
                    values=answers,
                ),
            )


async def _report_quarters(tx: Tx) -> None:
    """What the service reports of the infrastructure and telephony vendors say, quarter by quarter."""
    reported = [v for v in VENDORS if v.category in ("infrastructure", "telephony")]
    async with acting(tx, "extractor") as agent:
        for place, quarter in enumerate(["2025-Q4", "2026-Q1", "2026-Q2", "2026-Q3"]):
            for vendor in reported:
                await _report_quarter(agent, vendor, quarter, 1000 + place * 10 + reported.index(vendor))


async def _report_quarter(tx: Tx, vendor: Vendor, quarter: str, place: int) -> None:
    incidents = _chance(vendor.key, quarter, of=7 - int(vendor.ratings[1]))
    values = {
        "availability": round(99.99 - 0.31 * incidents, 2),
        "answered_in_time": 99 - 6 * incidents - _chance(vendor.key, quarter, "late", of=5),
        "incidents": incidents,
    }
    report = {"type": "document", "title": f"{vendor.title}, service report {quarter}.pdf", "page": 1}
    await later(tx, hours=_HOURS)
    await service.submit(
        tx,
        service.NewResponse(
            id=_id(place, f"quarter {vendor.key} {quarter}"),
            entity_id=vendor_id(vendor.key),
            criteria_set_slug=QUARTERLY,
            temporal_value=quarter,
            values=values,
            field_meta={key: {"confidence": "high", "sources": [report]} for key in values},
            source=ResponseSource.EXTRACTION,
        ),
    )


async def _rate_terms(tx: Tx) -> None:
    for rater in ("mara.lindqvist", "tomas.okafor"):
        async with acting(tx, rater) as member:
            for place, contract in enumerate(CONTRACTS[:16]):
                exit_terms = 10 - contract.notice_days // 45 - (2 if contract.renews else 0)
                values = {
                    "exit": exit_terms - _chance(contract.key, rater, of=2),
                    "price": 4 + _chance(contract.key, rater, "price", of=5),
                    "liability": 3 + _chance(contract.key, "liability", of=6),
                }
                await later(member, hours=_HOURS)
                await service.submit(
                    member,
                    service.NewResponse(
                        id=_id(
                            1100 + place * 2 + (rater != "mara.lindqvist"), f"terms {contract.key} {rater}"
                        ),
                        entity_id=contract_id(contract.key),
                        criteria_set_slug=CONTRACT_TERMS,
                        values={key: min(10, max(1, values[key])) for key in _TERMS},
                    ),
                )


def _contract(key: str) -> Contract:
    return next(contract for contract in CONTRACTS if contract.key == key)


def _chance(*words: str, of: int) -> int:
    """A number below `of`, always the same for the same words."""
    return hashlib.sha256(" ".join(words).encode()).digest()[0] % of


PARTS = [Part(PROPOSE_AND_REVIEW, load, in_the_past=True)]
