"""The types of the Python client, generated from the OpenAPI document: which there are, and how they are written."""

import json
import re
import textwrap
from typing import Any, NamedTuple

WIDTH = 110


class Generated(NamedTuple):
    """A type of the client and the schema that it is made from."""

    name: str
    schema: str
    doc: str | None = None


# In the order in which they are written: a type stands after those that it uses.
TYPES = (
    Generated("Party", "Party", "Who did something: a user, an agent or the system."),
    Generated("Workspace", "WorkspaceView", "The key's workspace, with what the key may do in it."),
    Generated("RoleGrants", "RoleView"),
    Generated("Scope", "ScopeView"),
    Generated("Permissions", "PermissionsView"),
    Generated("Member", "Member"),
    Generated("Agent", "Agent"),
    Generated("ApiKey", "ApiKey"),
    Generated("CreatedApiKey", "CreatedApiKey", "`key` is the secret; it is shown this once."),
    Generated("EntityType", "EntityType"),
    Generated(
        "EntityCount",
        "EntityCount",
        "How many records there are; with `more` there are more than were counted.",
    ),
    Generated("Entity", "Entity", "A record. `score` is 0 to 100, None where there is none."),
    Generated("Relation", "Relation"),
    Generated(
        "FieldChange",
        "FieldChange",
        "One entry of a field's history; `present` tells a missing value from null.",
    ),
    Generated("CriteriaSet", "CriteriaSet"),
    Generated(
        "Response",
        "EntityResponse",
        "One submission. Scores are None where nothing could be scored: that is not 0.",
    ),
    Generated(
        "DimensionRollup",
        "DimensionRollup",
        "`value` is what the strategy asked for; `spread` is the deviation between respondents.",
    ),
    Generated("ProgressPoint", "ProgressPoint"),
    Generated("DimensionAggregate", "DimensionAggregate"),
    Generated(
        "ConnectionAggregate",
        "NamedAggregate",
        "What the responses say about one connection. `title` is None for a record that is gone.",
    ),
    Generated(
        "Aggregation",
        "ResponseAggregation",
        "`by_connection` where connections were rated; `matrix` holds every number, in columns, where asked for. Of very much both hold a part: the best connections, by the newest responses; `…_omitted` says how many are missing.",
    ),
    Generated(
        "Agreement",
        "DimensionAgreement",
        "Krippendorff's alpha of one dimension; where there is none, `reason` says why.",
    ),
    Generated("FieldPreview", "FieldPreview"),
    Generated(
        "PromotionPreview",
        "PromotionPreview",
        "What a promotion would do; with `errors` it would be refused.",
    ),
    Generated("View", "View"),
    Generated("Tool", "ToolDescription"),
    Generated("JobError", "JobError"),
    Generated("JobFailure", "JobFailure"),
    Generated("Job", "Job"),
    Generated("JobDetail", "JobDetail"),
    Generated("Mark", "Mark"),
    Generated("RecordLink", "RecordLink"),
    Generated(
        "RankedConnection", "RankedConnection", "`score` is 0 to 100, None where nobody rated the connection."
    ),
    Generated("Outcome", "Outcome", "How a record did with the one that was asked about."),
    Generated("ClaimSettings", "ClaimSettings"),
    Generated(
        "ClaimSource",
        "ClaimSource",
        "`quality` is the mean of `ratings`, those of the newest response with promoted values; None without one.",
    ),
    Generated(
        "SupportedClaim",
        "SupportedClaim",
        "A claim with the numbers that it carries; None until it is counted, and while no source is rated.",
    ),
    Generated(
        "DimensionSummary",
        "DimensionSummary",
        "How many records pass a dimension; `mean` is None where none has a score.",
    ),
    Generated(
        "ArtifactEvalRun",
        "ArtifactEvalRun",
        "Scoring every record of a suite's type; `done` of `total` are scored so far.",
    ),
    Generated(
        "ArtifactEvalSuite", "SuiteOfWorkspace", "A suite of the server and what the workspace has for it."
    ),
    Generated(
        "ArtifactEvalGap", "RecordGap", "Something to fix; without a `dimension` nothing could be judged."
    ),
    Generated(
        "ArtifactEvalResult",
        "RecordResult",
        "What a run found about a record; `gaps` are the most important first.",
    ),
    Generated("LoopStep", "StepResult"),
    Generated("LoopReport", "LoopReport"),
    Generated("Intake", "Intake", "`existing` were there already, with the same content."),
    Generated("ReactionContent", "ReactionContent"),
    Generated("ReactionMeta", "ReactionMeta"),
    Generated("ReactionPayload", "ReactionPayload", "`gate` is set for a machine's reaction."),
    Generated("ReactionResult", "ReactionResult", "`outcome` is added, replaced, cleared or unchanged."),
    Generated("ReactionToken", "ReactionToken"),
    Generated("ReactionCounts", "ReactionCounts"),
    Generated("ReactionSummary", "ReactionSummary"),
    Generated("TurnReactions", "TurnReactions"),
    Generated("ConversationReactions", "ConversationReactions"),
    Generated("PeriodWindow", "PeriodWindow"),
    Generated("ConversationsInPeriod", "ConversationsInPeriod"),
    Generated("ReactionRow", "ReactionRow"),
    Generated("TurnMessage", "TurnMessage"),
    Generated("TurnWithReactions", "TurnWithReactions"),
    Generated("TurnsWithReactions", "TurnsWithReactions"),
    Generated("Conversation", "ConversationSummary"),
    Generated("TranscriptTurn", "TranscriptTurn"),
    Generated("Transcript", "Transcript"),
    Generated("TurnLog", "TurnLog"),
    Generated(
        "Satisfaction",
        "Satisfaction",
        "`rate` is ok / (ok + not_ok + neutral), between `low` and `high` with 95 %; None where nothing was counted.",
    ),
    Generated("SatisfactionReport", "SatisfactionReport"),
    Generated("CandidateTurn", "CandidateTurn"),
    Generated("UnsettledReaction", "UnsettledReaction"),
)

HEAD = '''"""Response types, frozen. Fields that a newer server adds are ignored.

Words from a fixed list (a status, a role, a kind) are plain text here, so that a new one does not break a program
that never meets it. Generated from the OpenAPI document by `make generate`: tools/client_types.py has the names.
"""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from goldloop.client.errors import Fault
from goldloop.client.sent import Dimension, Object, Row
'''
# What the client defines by hand: what programs send as well, and errors.
BY_HAND = {"Dimension": "Dimension", "Fault": "Fault"}
FORMATS = {"uuid": "UUID", "date-time": "datetime"}
SIMPLE = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
ABSENT = {"int": "0", "bool": "False", "str": '""'}  # what stands for a field that the server may leave out


def client_types(document: dict[str, Any]) -> str:
    schemas = document["components"]["schemas"]
    names = BY_HAND | {generated.schema: generated.name for generated in TYPES}
    ordered = sorted(TYPES, key=lambda generated: _depth(generated.schema, schemas, names))
    classes = [_written(generated, schemas, names) for generated in ordered]
    return HEAD + "".join(f"\n\n{text}" for text in classes)


def _depth(schema: str, schemas: dict[str, Any], names: dict[str, str]) -> int:
    """How many steps of types a type stands on, so that each is written after those that it uses."""
    used = set(re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(schemas[schema])))
    below = [_depth(name, schemas, names) for name in used if name in names and name != schema]
    return 1 + max(below, default=0)


def _written(generated: Generated, schemas: dict[str, Any], names: dict[str, str]) -> str:
    schema = schemas[generated.schema]
    required = set(schema.get("required", ()))
    fields = sorted(
        schema["properties"].items(), key=lambda item: (item[0] not in required, item[0] != "id", item[0])
    )
    lines = [f"class {generated.name}(Row, frozen=True):"]
    if generated.doc:
        lines += [*_docstring(generated.doc), ""]
    for name, of in fields:
        lines.append(f"    {_field(name, python_type(of, schemas, names), name in required)}")
    return "\n".join(lines) + "\n"


def _docstring(doc: str) -> list[str]:
    return textwrap.fill(f'"""{doc}"""', WIDTH, initial_indent="    ", subsequent_indent="    ").splitlines()


def _field(name: str, kind: str, required: bool) -> str:
    attribute = re.sub(r"(?<=[a-z0-9])([A-Z])", lambda found: f"_{found[1].lower()}", name)
    assert attribute.isidentifier(), f"{name} is no name of an attribute"
    if not required and kind not in ABSENT and not kind.endswith("| None"):
        kind += " | None"
    default = None if required else ABSENT.get(kind, "None")
    if attribute != name:
        options = f'default={default}, name="{name}"' if default else f'name="{name}"'
        return f"{attribute}: {kind} = msgspec.field({options})"
    return f"{attribute}: {kind}" + (f" = {default}" if default else "")


def python_type(schema: dict[str, Any], schemas: dict[str, Any], names: dict[str, str]) -> str:
    if "$ref" in schema:
        return _named(schema["$ref"].rsplit("/", 1)[-1], schemas, names)
    if choices := schema.get("oneOf") or schema.get("anyOf"):
        kinds = list(dict.fromkeys(python_type(choice, schemas, names) for choice in choices))
        return " | ".join(
            [*(kind for kind in kinds if kind != "None"), *(kind for kind in kinds if kind == "None")]
        )
    kind = schema.get("type")
    if kind == "null":
        return "None"
    if kind == "array":
        return f"list[{python_type(schema.get('items', {}), schemas, names)}]"
    if kind == "object":
        values = python_type(schema.get("additionalProperties") or {}, schemas, names)
        return "Object" if values == "Any" else f"dict[str, {values}]"
    return FORMATS.get(schema.get("format", ""), SIMPLE.get(str(kind), "Any"))


def _named(name: str, schemas: dict[str, Any], names: dict[str, str]) -> str:
    """A type of the client; text for a word from a list; an object for what the client has no type for."""
    if name in names:
        return names[name]
    return "Object" if schemas[name].get("type") == "object" else python_type(schemas[name], schemas, names)
