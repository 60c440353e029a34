"""Ten records of product knowledge as the loop left them: six published, four still drafts. Pure."""

from typing import Any

from goldloop.artifact_evals.loops import KnowledgeSafetyClass
from goldloop.artifact_evals.suites.fragments import make_record, signed, source, unsigned
from goldloop.artifact_evals.suites.pf_knowledge.loop import LOOP, SLUG

VIEW, LIST = LOOP.surface_refs
_OPERATIONAL, _SENSITIVE = KnowledgeSafetyClass.OPERATIONAL, KnowledgeSafetyClass.SENSITIVE


def _record(key: str, topic: str, **content: Any) -> dict[str, Any]:
    return make_record(SLUG, key, topic, topic=topic, **content)


RECORDS: tuple[dict[str, Any], ...] = (
    _record(
        "know-refund-days",
        "How long a refund takes",
        status="published",
        insight="Card refunds arrive after three to five working days; account refunds after one. Most second tickets come on day four.",
        applies_to=["billing", "answer-bot"],
        guidance=[
            "Name the date on which the money will be there, not a number of days.",
            "On day six, open a trace with Redstone and tell the customer its number.",
        ],
        confidence=0.9,
        sources=[
            source("NW-T-48211", "Where is my refund? (ticket)"),
            source("NW-REPORT-2026-03", "Refund times of March 2026, 1,204 refunds"),
        ],
        **signed(_SENSITIVE, "Tomás Okafor"),
        surface=VIEW,
    ),
    _record(
        "know-router-reset",
        "Routers that lose their settings",
        status="published",
        insight="The HX-2 router forgets its settings after a power cut if its firmware is older than 4.1; a reset does not help.",
        applies_to=["devices", "answer-bot"],
        guidance=[
            "Ask for the firmware version before you suggest a reset.",
            "Below 4.1, send the update link and stay on the line until it has started.",
        ],
        confidence=0.85,
        sources=[source("NW-T-45190", "Router forgets everything (ticket)"), source("https://docs.hx.example/4.1", "Release notes 4.1")],
        **signed(_OPERATIONAL, "Priya Raman"),
        surface=VIEW,
    ),
    _record(
        "know-monday-peak",
        "Why Mondays are slow",
        status="published",
        insight="Invoices go out on Sunday night. Two thirds of Monday's calls are about them, and most are answered on the invoice's second page.",
        applies_to=["voice", "planning"],
        guidance=["Plan four more people on the German voice queue from eight to eleven on Mondays."],
        confidence=0.8,
        sources=[source("NW-WALLBOARD-2026-W09", "Waiting times, week 9 of 2026")],
        **signed(_OPERATIONAL, "Mara Lindqvist"),
        surface=LIST,
    ),
    _record(
        "know-cancel-words",
        "Customers who say they want to cancel",
        status="published",
        insight="Half of those who write that they want to cancel have an open fault. Offering a discount before the fault is mended makes it worse.",
        applies_to=["retention"],
        guidance=[
            "Look for an open fault before you answer a cancellation.",
            "Mend the fault first and ask again a week later.",
        ],
        confidence=0.7,
        sources=[source("NW-STUDY-2025-04", "Cancellations of the first quarter of 2025, 318 cases")],
        **signed(_SENSITIVE, "Priya Raman"),
        surface=VIEW,
    ),
    _record(
        "know-translation-names",
        "Names in translated chats",
        status="published",
        insight="Machine translation changes product names that are words of the language, such as Drift, and customers then look for something that is not there.",
        applies_to=["chat", "answer-bot"],
        guidance=["Put product names in quotation marks before a chat is translated."],
        confidence=0.75,
        sources=[source("NW-T-46611", "What is a floating archive? (ticket)"), source("NW-QA-2026-014", "Quality sample 14 of 2026")],
        **signed(_OPERATIONAL, "Tomás Okafor"),
        surface=LIST,
    ),
    _record(
        "know-delivery-islands",
        "Parcels to the islands",
        status="published",
        insight="Gannet does not sail above wind force eight. From November to February one parcel in six is late by two days.",
        applies_to=["logistics"],
        guidance=["From November to February, promise two days more for postcodes that begin with 9."],
        confidence=0.9,
        sources=[source("NW-REPORT-2026-02", "Late parcels of the winter 2025/26")],
        **signed(_OPERATIONAL, "Mara Lindqvist"),
        surface=LIST,
    ),
    _record(
        "know-password-mail",
        "Password mails that do not arrive",
        status="draft",
        insight="Two large providers seem to hold back our password mails for up to twenty minutes in the evening.",
        applies_to=["accounts"],
        guidance=["Ask the customer to wait for half an hour before you send a second mail."],
        confidence=0.4,
        **unsigned(_OPERATIONAL),
        surface=LIST,
    ),
    _record(
        "know-warranty-second-hand",
        "Warranty of second-hand devices",
        status="draft",
        insight="Customers who bought a device from somebody else do not know that the warranty goes with the device.",
        applies_to=["devices", "legal"],
        guidance=["Ask for the serial number; the invoice is not needed for the warranty."],
        confidence=0.5,
        sources=[source("NW-T-47730", "Bought at a flea market (ticket)")],
        **unsigned(_SENSITIVE),
        surface=VIEW,
    ),
    _record(
        "know-survey-fatigue",
        "Too many surveys",
        status="draft",
        insight="People with more than three tickets in a month stop answering surveys, so their view is missing from our figures.",
        applies_to=["surveys"],
        guidance=["Send at most one survey per customer and month."],
        confidence=0.6,
        sources=[],
        **unsigned(_OPERATIONAL),
        surface=LIST,
    ),
    _record(
        "know-video-help",
        "Video help for installations",
        status="draft",
        insight="In the trial with video, a technician had to come in one of nine cases instead of one of four.",
        applies_to=["installations", "voice"],
        guidance=["Offer video when a customer has described the cabling for more than two minutes."],
        confidence=0.55,
        sources=[source("NW-TRIAL-2026-VIDEO", "Video trial, 212 cases")],
        **unsigned(_OPERATIONAL),
        surface=VIEW,
    ),
)  # fmt: skip
