"""What the four worked types have in common: how they cite, what is at stake, who let them through. Pure."""

from collections.abc import Collection
from typing import Any

from goldloop.artifact_evals.loops import KnowledgeSafetyClass, ReviewGate

TENANT = "northwind"  # the workspace of the fixtures

SOURCES: dict[str, Any] = {
    "type": "array",
    "items": {
        "type": "object",
        "additionalProperties": False,
        "required": ["source"],
        "properties": {
            "source": {"type": "string", "description": "An identifier that can be looked up."},
            "title": {"type": "string"},
            "workspace": {"type": "string", "description": "Where an internal source lives, if not here."},
        },
    },
}
LINKS: dict[str, Any] = {
    "type": "array",
    "items": {
        "type": "object",
        "additionalProperties": False,
        "required": ["id"],
        "properties": {"id": {"type": "string"}, "workspace": {"type": "string"}},
    },
}
LONG: dict[str, Any] = {"type": "string", "maxLength": 4000}
SHORT: dict[str, Any] = {"type": "string", "maxLength": 200}

_SAFETY = {"type": "string", "enum": [safety_class.value for safety_class in KnowledgeSafetyClass]}
_REVIEWER_KIND = {"type": "string", "enum": ["user", "agent", "system"]}


def object_schema(
    statuses: Collection[str], surfaces: Collection[str], gate: ReviewGate, **properties: Any
) -> dict[str, Any]:
    """The schema of a worked type: only the status is required, for a draft may lack anything else."""
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["status"],
        "properties": {
            "status": {"type": "string", "enum": list(statuses)},
            **properties,
            gate.safety_field: _SAFETY,
            gate.required_field: {"type": "boolean"},
            gate.reviewer_field: SHORT,
            gate.reviewer_kind_field: _REVIEWER_KIND,
            "surface": {"type": "string", "enum": list(surfaces)},
        },
    }


def gate_configs(gate: ReviewGate, reviewer: str) -> dict[str, Any]:
    return {
        gate.safety_field: {"label": "Safety class", "description": "How much a wrong record can hurt."},
        gate.required_field: {"label": "Needs a person's review"},
        gate.reviewer_field: {"label": reviewer},
        gate.reviewer_kind_field: {
            "label": "That is a",
            "description": "Only a person (user) opens the gate.",
        },
    }


def make_record(entity_type: str, key: str, title: str, **content: Any) -> dict[str, Any]:
    return {"id": key, "type": entity_type, "title": title, "tenant": TENANT, "content": content}


def source(identifier: str, title: str) -> dict[str, str]:
    return {"source": identifier, "title": title}


def signed(safety_class: KnowledgeSafetyClass, by: str) -> dict[str, Any]:
    """A gate that a person opened."""
    return {**unsigned(safety_class), "reviewed_by": by, "reviewer_kind": "user"}


def unsigned(safety_class: KnowledgeSafetyClass) -> dict[str, Any]:
    return {"safety_class": safety_class.value, "review_required": True}
