"""Therapy plans without a person's name in them, and what goes wrong with plans. Pure."""

from typing import Any

from goldloop.artifact_evals.loops import KnowledgeSafetyClass
from goldloop.artifact_evals.model import KnowledgeDimension
from goldloop.artifact_evals.suite import KnowledgeFixture, bad, good, vary
from goldloop.artifact_evals.suites.fragments import make_record, source, unsigned
from goldloop.artifact_evals.suites.therapy_plan.schema import SLUG, SURFACES

VIEW, LIST = SURFACES


def _signed(by: str) -> dict[str, Any]:
    return {**unsigned(KnowledgeSafetyClass.CLINICAL), "signed_by": by, "signed_by_kind": "user"}


def _step(action: str, frequency: str, owner: str) -> dict[str, str]:
    return {"action": action, "frequency": frequency, "owner": owner}


VOICE_REST = make_record(
    SLUG,
    "plan-voice",
    "OH-2041: voice strain",
    status="active",
    case_reference="OH-2041",
    indication="Hoarseness after call shifts for five weeks",
    goal="Take calls for four hours a day without hoarseness in the evening, by the end of week eight.",
    summary="Two weeks of chat only, then calls again hour by hour, with voice exercises throughout.",
    steps=[
        _step("Work in the chat queues only, no calls", "every shift in weeks 1 and 2", "team lead"),
        _step("Do the straw exercise for five minutes before the first call", "twice a day", "the person"),
        _step("Fill in the voice handicap form and send it to the clinic", "every Friday", "the person"),
    ],
    contraindications=["Coughing blood", "Vocal fold surgery within the last six months"],
    escalation={
        "when": "Stop and call the clinic if the voice is gone for more than 24 hours.",
        "contact": "Brack Clinic, voice desk",
    },
    evidence=[
        source("doi:10.5555/voice.2019.118", "Straw phonation in occupational voice users"),
        source("claim-voice-amplifier", "Headset amplification and voice strain"),
    ],
    rests_on=[{"id": "claim-voice-amplifier"}],
    **_signed("Lena Brack, speech therapist"),
    surface=VIEW,
)
WRIST = make_record(
    SLUG,
    "plan-wrist",
    "OH-2057: wrist pain",
    status="active",
    case_reference="OH-2057",
    indication="Pain in the right wrist when typing",
    goal="Type for a full shift with pain below 3 of 10, within six weeks.",
    summary="A split keyboard, breaks by reminder and a daily stretch; a second look after three weeks.",
    steps=[
        _step(
            "Replace the keyboard with a split one and fit the desk height", "once, in week 1", "facilities"
        ),
        _step(
            "Follow the break reminder and stretch both wrists for 40 seconds",
            "every 20 minutes",
            "the person",
        ),
        _step("Write down the pain from 0 to 10 in the diary", "every evening", "the person"),
    ],
    contraindications=["Numb fingers at night: needs a nerve test first"],
    escalation={
        "when": "Call the clinic if two fingers stay numb for an hour or longer.",
        "contact": "Brack Clinic, hand desk",
    },
    evidence=[source("doi:10.5555/ohs.2021.114", "Microbreaks at the keyboard: a cluster trial")],
    rests_on=[{"id": "claim-microbreaks"}],
    **_signed("Dr Ines Aalto"),
    surface=VIEW,
)
SLEEP = make_record(
    SLUG,
    "plan-sleep",
    "OH-1988: sleep after nights",
    status="completed",
    case_reference="OH-1988",
    indication="Less than five hours of sleep after night shifts",
    goal="Sleep six hours or more after four of five night shifts.",
    summary="Fixed bedtime, dark room and no caffeine after two; reached after seven weeks.",
    steps=[
        _step("Go to bed at half past eight and keep the room dark", "after each night shift", "the person"),
        _step("Drink the last coffee before two in the morning", "each night shift", "the person"),
        _step("Compare the sleep diary with the goal by phone", "every second week", "case manager"),
    ],
    contraindications=["Sleep apnoea that is not treated"],
    escalation={
        "when": "Report to the clinic the same day after falling asleep while driving.",
        "contact": "Brack Clinic, sleep desk",
    },
    evidence=[source("Sleep guideline 2022, section 4.2", "Sleep after night work")],
    **_signed("Dr Ines Aalto"),
    surface=LIST,
)
STRESS_DRAFT = make_record(
    SLUG,
    "plan-stress",
    "OH-2066: after a threatening call",
    status="draft",
    case_reference="OH-2066",
    indication="Trouble concentrating after a threatening call",
    goal="Be back on the phone for half of a shift, without dread, by week four.",
    summary="First draft from the intake interview; sources and signature are still to come.",
    steps=[
        _step(
            "Talk with the case manager about the call for half an hour", "twice in week 1", "case manager"
        ),
        _step("Take only calls from known customers, team lead listening in", "daily in week 2", "team lead"),
    ],
    contraindications=["Thoughts of self-harm: to the crisis service at once"],
    escalation={
        "when": "Hand over to the crisis service if sleep is below three hours for two nights.",
        "contact": "Crisis service, day and night",
    },
    **unsigned(KnowledgeSafetyClass.CLINICAL),
    surface=LIST,
)
PLANS = (VOICE_REST, WRIST, SLEEP, STRESS_DRAFT)

_D = KnowledgeDimension

FIXTURES: tuple[KnowledgeFixture, ...] = (
    *(good(plan["title"], plan) for plan in PLANS),
    bad("begun without a source", vary(WRIST, "evidence"), _D.SOURCE_GROUNDING),
    bad("awaits a signature and cites intuition", vary(WRIST, evidence=["intuition"], status="awaiting_signature"), _D.SOURCE_GROUNDING),
    bad("nobody to call", vary(VOICE_REST, escalation={"when": VOICE_REST["content"]["escalation"]["when"], "contact": "?"}), _D.SCHEMA_COMPLETENESS),
    bad("steps that nobody owns", vary(WRIST, steps=[{"action": "Stretch both wrists for 40 seconds", "frequency": "hourly"}, *WRIST["content"]["steps"][1:]]), _D.ACTIONABILITY),
    bad("a single step", vary(SLEEP, steps=SLEEP["content"]["steps"][:1]), _D.ACTIONABILITY),
    bad("a vague way out", vary(SLEEP, escalation={"when": "Get in touch with us when possible.", "contact": "Brack Clinic"}), _D.ACTIONABILITY),
    bad("begun without a signature", vary(WRIST, "signed_by", "signed_by_kind"), _D.SAFETY_HUMAN_GATE),
    bad("signed by the system", vary(VOICE_REST, signed_by="scheduler", signed_by_kind="system"), _D.SAFETY_HUMAN_GATE),
    bad("no word on when not to", vary(VOICE_REST, contraindications=[]), _D.SAFETY_HUMAN_GATE),
    bad("a page that does not exist", vary(WRIST, surface="page:/wellbeing"), _D.WORKSPACE_RENDERABILITY),
    bad("nothing to read", vary(SLEEP, summary="wip"), _D.WORKSPACE_RENDERABILITY),
    bad("cites another workspace's case", vary(WRIST, evidence=[*WRIST["content"]["evidence"], {"source": "BC-77", "workspace": "brack-clinic"}]), _D.TENANT_ISOLATION),
    bad("rests on another workspace's claim", vary(WRIST, rests_on=[{"id": "claim-3", "workspace": "brack-clinic"}]), _D.TENANT_ISOLATION),
)  # fmt: skip
