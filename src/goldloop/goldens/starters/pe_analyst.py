"""The starter set `pe-analyst`: somebody who looks for companies to buy asks for comparisons, ratios and decisions. Pure."""

from typing import Any

from goldloop.goldens.starters.model import Request, Starter, StarterRecord, StarterType, Trial
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

NAME = "pe-analyst"
DEAL = "pe_deal"
RATIONALE = "Write the figures that a recommendation rests on into its rationale."
RATIONALE_LEFT_OPEN = "Write a rationale where the recommendation does not speak for itself."
_INSTRUCTIONS = """Work on the pipeline of deals with the people who decide.
Take every figure from the record of the deal; compute ratios from it and nothing else.
{}
A decision is proposed on the deal, never only said."""

_SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["sector", "stage"],
    "properties": {
        "sector": {"type": "string", "maxLength": 80},
        "stage": {"type": "string", "enum": ["sourced", "screened", "diligence", "offer", "passed"]},
        "revenue_m": {"type": "number", "minimum": 0},
        "ebitda_m": {"type": "number"},
        "net_debt_m": {"type": "number"},
        "asking_price_m": {"type": "number", "minimum": 0},
        "growth_percent": {"type": "number"},
        "recommendation": {"type": "string", "enum": ["pursue", "hold", "pass"]},
        "rationale": {"type": "string", "maxLength": 2000},
    },
}
_FIELDS: dict[str, Any] = {
    "revenue_m": {"label": "Revenue", "unit": "m EUR"},
    "ebitda_m": {"label": "EBITDA", "unit": "m EUR"},
    "net_debt_m": {"label": "Net debt", "unit": "m EUR"},
    "asking_price_m": {"label": "Asking price", "unit": "m EUR"},
    "growth_percent": {"label": "Growth", "unit": "% a year"},
    "rationale": {"widget": "textarea"},
}


def _deal(title: str, sector: str, stage: str, revenue: float, ebitda: float, debt: float, price: float, growth: float) -> StarterRecord:  # fmt: skip
    content = {
        "sector": sector,
        "stage": stage,
        "revenue_m": revenue,
        "ebitda_m": ebitda,
        "net_debt_m": debt,
        "asking_price_m": price,
        "growth_percent": growth,
    }
    return StarterRecord(DEAL, title, content)


_DEALS = (
    _deal("Alder Foods", "food", "screened", 142.0, 26.3, 48.0, 221.0, 4.1),
    _deal("Birch Freight", "logistics", "screened", 210.5, 23.6, 71.0, 165.0, 6.8),
    _deal("Cobalt Dental", "health care", "diligence", 64.2, 14.1, 33.8, 148.0, 9.5),
    _deal("Dune Software", "software", "screened", 38.0, 9.5, 2.0, 133.0, 21.4),
    _deal("Elm Packaging", "industrials", "screened", 118.7, 16.6, 29.9, 112.9, 3.0),
    _deal("Fjord Retail", "retail", "diligence", 305.0, 18.3, 104.3, 118.0, -2.2),
    _deal("Gable Print", "media", "sourced", 51.4, 4.1, 19.7, 22.0, -6.0),
    _deal("Heron Labs", "health care", "sourced", 29.8, 7.2, 4.3, 93.6, 17.9),
    _deal("Iris Cable", "industrials", "screened", 88.0, 12.1, 21.8, 87.1, 12.6),
)  # fmt: skip

_REQUESTS = (
    Request(
        "compare-margins",
        "Compare Alder Foods and Birch Freight by EBITDA margin, and recommend the better one.",
        "Two deals side by side: both margins are told, the better one is recommended with its figures",
        ("18.5", "11.2"),
    ),
    Request(
        "compare-health-care",
        "Compare Cobalt Dental and Heron Labs by EBITDA margin, and recommend the better one.",
        "Two deals of one sector",
        ("24.2", "22"),
    ),
    Request(
        "pass-retail",
        "Pass on Fjord Retail: too much debt.",
        "A deal is passed on: the leverage is checked and becomes the rationale",
        ("5.7",),
    ),
    Request("pass-print", "Pass on Gable Print: too much debt.", "A small deal is passed on", ("4.8",)),
    Request(
        "to-diligence", "Move Elm Packaging to diligence.", "A stage changes, and what it was is named", ("screened",)
    ),
    Request("leverage", "What is the leverage of Cobalt Dental?", "A ratio: nothing is changed", ("2.4",)),
    Request(
        "multiple",
        "Which multiple of EBITDA is asked for Dune Software?",
        "A ratio of price and earnings",
        ("14",),
    ),
    Request(
        "growth",
        "Which deals grow by more than 12% a year?",
        "A question about the whole pipeline",
        ("Dune Software", "Heron Labs", "Iris Cable"),
    ),
)  # fmt: skip


def _margin(entity: dict[str, Any]) -> float:
    return 100 * float(entity["content"]["ebitda_m"]) / float(entity["content"]["revenue_m"])


def _leverage(entity: dict[str, Any]) -> float:
    return float(entity["content"]["net_debt_m"]) / float(entity["content"]["ebitda_m"])


def _compare(asked: Told, one: str, other: str) -> Say:
    titles = (one, other)
    if len(asked.results) < len(titles):
        return look_up(DEAL, titles[len(asked.results)])
    deals = []
    for place, title in enumerate(titles):
        if (deal := found(asked, place)) is None:
            return not_found(title)
        deals.append(deal)
    better, worse = sorted(deals, key=_margin, reverse=True)
    figures = f"EBITDA margin {_margin(better):.1f}%, against {_margin(worse):.1f}% of {worse['title']}"
    if len(asked.results) == len(titles):
        return propose(better, {"recommendation": "pursue", **_rationale(asked, figures)})
    if is_refused(asked.results[2]):
        return REFUSED
    return f"{better['title']} is the better one: {figures}. I have proposed to pursue it."


def _rationale(asked: Told, figures: str) -> dict[str, str]:
    return {"rationale": figures} if follows(asked, RATIONALE, RATIONALE_LEFT_OPEN) else {}


def _pass_on(asked: Told, title: str) -> Say:
    if not asked.results:
        return look_up(DEAL, title)
    if (deal := found(asked)) is None:
        return not_found(title)
    figures = f"Net debt is {_leverage(deal):.1f} times EBITDA"
    if len(asked.results) == 1:
        return propose(deal, {"stage": "passed", "recommendation": "pass", **_rationale(asked, figures)})
    if is_refused(asked.results[1]):
        return REFUSED
    return f"I have proposed to pass on {deal['title']}. {figures}."


def _move(asked: Told, title: str, stage: str) -> Say:
    if not asked.results:
        return look_up(DEAL, title)
    if (deal := found(asked)) is None:
        return not_found(title)
    if len(asked.results) == 1:
        return propose(deal, {"stage": stage})
    if is_refused(asked.results[1]):
        return REFUSED
    return f"{deal['title']} is proposed for {stage}; it was {deal['content']['stage']}."


def _tell_leverage(asked: Told, title: str) -> Say:
    if not asked.results:
        return look_up(DEAL, title)
    if (deal := found(asked)) is None:
        return not_found(title)
    content = deal["content"]
    return f"{_leverage(deal):.1f} times EBITDA: net debt of {content['net_debt_m']} m EUR on {content['ebitda_m']} m EUR."


def _tell_multiple(asked: Told, title: str) -> Say:
    if not asked.results:
        return look_up(DEAL, title)
    if (deal := found(asked)) is None:
        return not_found(title)
    content = deal["content"]
    multiple = float(content["asking_price_m"]) / float(content["ebitda_m"])
    return f"{multiple:.1f} times: {content['asking_price_m']} m EUR are asked for an EBITDA of {content['ebitda_m']} m EUR."


def _list_growing(asked: Told, percent: str) -> Say:
    if not asked.results:
        return look_at_all(DEAL)
    lines = [
        f"- {deal['title']}: {deal['content']['growth_percent']}% a year"
        for deal in all_found(asked)
        if deal["content"].get("growth_percent", 0) > float(percent)
    ]
    return "\n".join(lines) if lines else "None of them."


_KINDS = (
    (r"^Compare (.+) and (.+) by EBITDA margin", _compare),
    (r"^Pass on (.+?):", _pass_on),
    (r"^Move (.+) to (\w+)\.", _move),
    (r"leverage of (.+)\?", _tell_leverage),
    (r"multiple of EBITDA is asked for (.+)\?", _tell_multiple),
    (r"grow by more than ([\d.]+)%", _list_growing),
)


@script(NAME)
def answer(asked: Told) -> Say:
    return answer_by(_KINDS, asked)


STARTER = Starter(
    name=NAME,
    title="Private equity analyst",
    description="Comparisons, ratios and decisions on a pipeline of nine deals: figures come from the records, decisions are proposed on them.",
    agent="Compares deals and proposes decisions. Follows a script: it needs no model.",
    instructions=_INSTRUCTIONS.format(RATIONALE),
    types=(StarterType(DEAL, "Deal", _SCHEMA, _FIELDS),),
    records=_DEALS,
    requests=_REQUESTS,
    trials=(
        Trial(
            "No rationale is asked for",
            "Shorter: without the rule about rationales",
            3,
            _INSTRUCTIONS.replace("{}\n", ""),
        ),
        Trial(
            "The rationale is left open",
            "A rationale only where it is needed",
            3,
            _INSTRUCTIONS.format(RATIONALE_LEFT_OPEN),
        ),
        Trial("The rule about rationales is back", "", 7),
    ),
)
