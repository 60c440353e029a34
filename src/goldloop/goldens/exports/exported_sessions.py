"""What of a golden and of its siblings goes into a file. Pure.

What the model was asked and answered is left out: the prompt holds what the workspace knows, and neither a comparison nor a tape
reads more of it than its place.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from goldloop.goldens.replays.snapshots import as_golden

_OF_MODELS = ("model.request", "model.response")


def without_prompts(session: Mapping[str, Any]) -> dict[str, Any]:
    events = [
        {"type": event["type"], "payload": {}} if event["type"] in _OF_MODELS else event
        for event in session["events"]
    ]
    return {**session, "events": events}


def exported_session(
    session: Mapping[str, Any],
    alternatives: Sequence[Mapping[str, Any]],
    *,
    snapshot: Mapping[str, Any],
    effects: str,
    facts: Sequence[str],
    criteria: Any,
) -> dict[str, Any]:
    """As `compare` takes it, and with what a function is told that is replayed."""
    golden = as_golden(
        without_prompts(session),
        [without_prompts(each) for each in alternatives],
        snapshot=snapshot,
        effects=effects,
        facts=facts,
        criteria=criteria,
    )
    brief = snapshot.get("brief") or {}
    asked = {
        "context": brief.get("context") or {},
        "output_schema": brief.get("outputSchema"),
        "instructions": brief.get("instructions") or "",
        "spoken": snapshot.get("messages") or [],
        "offered": sorted(snapshot.get("tools") or {}),
    }
    exported: dict[str, Any] = msgspec.to_builtins(golden | asked)
    return exported
