"""Evidence claims as an occupational-health team writes them, and what goes wrong with them. Pure."""

from goldloop.artifact_evals.loops import KnowledgeSafetyClass
from goldloop.artifact_evals.model import KnowledgeDimension
from goldloop.artifact_evals.suite import KnowledgeFixture, bad, good, vary
from goldloop.artifact_evals.suites.evidence_claim.schema import SLUG, SURFACES
from goldloop.artifact_evals.suites.fragments import make_record, signed, source, unsigned

DESK, LIST = SURFACES

MICROBREAKS = make_record(
    SLUG,
    "claim-microbreaks",
    "Short breaks and neck pain",
    status="published",
    statement="Breaks of 40 seconds every 20 minutes lower neck and shoulder pain in people who type for most of their shift.",
    summary="Short, frequent breaks help more than one long break. Output did not fall in any of the studies.",
    population="Adults who type for at least four hours a shift",
    intervention="A break of 40 seconds every 20 minutes, prompted on screen",
    outcome="Neck and shoulder pain on a scale of 0 to 10 after eight weeks",
    effect={"direction": "better", "size": "1.3 points lower (0.8 to 1.8)"},
    certainty="moderate",
    limitations="Two of the three studies were not blinded, and none ran for longer than twelve weeks.",
    implication="Switch the break reminder on for all text queues and set it to 20 minutes.",
    evidence=[
        source("doi:10.5555/ohs.2021.114", "Microbreaks at the keyboard: a cluster trial"),
        source("doi:10.5555/ohs.2023.027", "Prompted pauses in customer service, 612 people"),
        source("NW-SURVEY-2025-Q2", "Agent survey, second quarter 2025, question 14"),
    ],
    **signed(KnowledgeSafetyClass.SENSITIVE, "Dr Ines Aalto"),
    surface=DESK,
)
VOICE = make_record(
    SLUG,
    "claim-voice-amplifier",
    "Headset amplification and voice strain",
    status="published",
    statement="Headsets that play the speaker's own voice back reduce voice strain in people who take calls all day.",
    summary="With side tone at a medium level, people speak 4 to 6 decibels lower and report less strain by the evening.",
    population="Call agents with at least five hours of calls a day",
    intervention="Side tone at a medium level, on for the whole shift",
    outcome="Voice handicap score after six weeks",
    effect={"direction": "better", "size": "5 points lower on a scale of 40"},
    certainty="low",
    limitations="One trial and one before-and-after comparison; few people over 50 took part.",
    implication="Set side tone to medium on every new headset before it is handed out.",
    evidence=[
        source("doi:10.5555/voice.2022.301", "Side tone and vocal effort in call centres"),
        source("NW-OH-REPORT-2024-11", "Occupational health report, November 2024, page 7"),
    ],
    **signed(KnowledgeSafetyClass.CLINICAL, "Dr Ines Aalto"),
    surface=DESK,
)
ROTATION = make_record(
    SLUG,
    "claim-rotation",
    "Rotating between calls and chat",
    status="retired",
    statement="Moving between calls and chat within a shift makes no difference to reported exhaustion.",
    summary="An early result in favour of rotation did not hold in the larger study, so the claim was retired.",
    population="Agents trained for both channels",
    intervention="Two hours of calls, then two hours of chat",
    outcome="Exhaustion score at the end of a month",
    effect={"direction": "no difference", "size": "0.1 points (-0.4 to 0.6)"},
    certainty="high",
    limitations="Teams chose their own rota, so those who disliked rotation took part less often.",
    implication="Do not plan shifts around rotation; let team leads decide for each person.",
    evidence=[
        source("doi:10.5555/work.2024.088", "Channel rotation in support work: 41 teams"),
        source("Handbook of shift work, 3rd edition, chapter 9", "On rotation"),
    ],
    builds_on=[{"id": "claim-microbreaks"}],
    **signed(KnowledgeSafetyClass.SENSITIVE, "Marek Duda"),
    surface=LIST,
)
NIGHT_LIGHT = make_record(
    SLUG,
    "claim-night-light",
    "Warm light on night shifts",
    status="in_review",
    statement="Warm, dim light in the last two hours of a night shift helps people to fall asleep at home.",
    summary="Drafted from one trial; a second one is on order from the library.",
    population="People on rotating night shifts",
    intervention="Light below 2700 K from four in the morning",
    outcome="Minutes until asleep, by diary",
    effect={"direction": "better", "size": "11 minutes sooner"},
    certainty="very low",
    limitations="One small trial in nurses.",
    implication="Ask facilities for the price of dimmable lamps in the night room.",
    evidence=[source("doi:10.5555/sleep.2020.411", "Evening light and sleep after night work")],
    **unsigned(KnowledgeSafetyClass.SENSITIVE),
    surface=LIST,
)
CLAIMS = (MICROBREAKS, VOICE, ROTATION, NIGHT_LIGHT)

_D = KnowledgeDimension

FIXTURES: tuple[KnowledgeFixture, ...] = (
    *(good(claim["title"], claim) for claim in CLAIMS),
    bad("published with no source", vary(MICROBREAKS, evidence=[]), _D.SOURCE_GROUNDING),
    bad("one source said twice", vary(VOICE, evidence=[source("doi:10.5555/voice.2022.301", "a"), source("DOI:10.5555/voice.2022.301 ", "b")]), _D.SOURCE_GROUNDING),
    bad("hearsay beside a source", vary(VOICE, evidence=[source("doi:10.5555/voice.2022.301", "a"), source("what every agent knows", "")]), _D.SOURCE_GROUNDING),
    bad("nobody knows for whom", vary(MICROBREAKS, "population"), _D.SCHEMA_COMPLETENESS),
    bad("an effect without its size", vary(MICROBREAKS, effect={"direction": "better", "size": "TBD"}), _D.SCHEMA_COMPLETENESS),
    bad("an implication for nobody", vary(VOICE, implication="Handle headsets as needed."), _D.ACTIONABILITY),
    bad("labelled too weakly", vary(MICROBREAKS, safety_class="operational"), _D.SAFETY_HUMAN_GATE),
    bad("approved by an agent", vary(MICROBREAKS, reviewed_by="evidence-bot", reviewer_kind="agent"), _D.SAFETY_HUMAN_GATE),
    bad("shown nowhere", vary(ROTATION, "surface"), _D.WORKSPACE_RENDERABILITY),
    bad("a stub for a summary", vary(VOICE, summary="Coming soon"), _D.WORKSPACE_RENDERABILITY),
    bad("a source from another workspace", vary(MICROBREAKS, evidence=[*MICROBREAKS["content"]["evidence"], {"source": "HX-88", "workspace": "halden"}]), _D.TENANT_ISOLATION),
    bad("builds on another workspace's claim", vary(VOICE, builds_on=[{"id": "claim-7", "workspace": "halden"}]), _D.TENANT_ISOLATION),
)  # fmt: skip
