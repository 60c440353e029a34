"""What rows of other tools and of older tables are as feedback. Pure.

One function for each kind of file, from a row to an `Item`, a name without a rule (`Open`), or a reason why it is no feedback
(`ValueError`). Only what the row says is taken over.
"""

import hashlib
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

import msgspec

from goldloop.feedback.model import COMMENT_CHARACTERS, FeedbackSource, FeedbackStatus, Rating
from goldloop.feedback.ratings import Rule, as_score, rate

Rules = Mapping[str, Rule]


class Item(NamedTuple):
    """`key` is what the source knows it by. `user` is a member's id if it is one's, `end_user` who said it elsewhere; a
    `machine` is nobody's signal. `traces` are names that a session may be known by."""

    key: str
    source_type: FeedbackSource
    rating: Rating
    comment: str | None
    context: dict[str, Any]
    created_at: datetime | None
    user: str | None = None
    end_user: str | None = None
    machine: bool = False
    traces: tuple[str, ...] = ()
    agent: str | None = None
    entity_id: str | None = None
    response_id: str | None = None
    status: FeedbackStatus = FeedbackStatus.PENDING
    artefact: str | None = None


class Open(NamedTuple):
    """A score whose name has no rule, and that no plain word decides; `item` is what it is with a neutral rating."""

    name: str
    example: str
    item: Item


Format = Callable[[dict[str, Any], Rules], Item | Open]


def chat_feedback(row: dict[str, Any], rules: Rules) -> Item | Open:
    """Rows of an older `chat_feedback`: up or down on a message of a chat."""
    given = _first(row, "rating", "feedback", "reaction", "vote", "type", "value")
    words = {"up": Rating.POSITIVE, "down": Rating.NEGATIVE}
    rating = words.get(str(given).strip().lower()) or rate(None, given, as_score(given), binary=False)
    if rating is None:
        raise ValueError("rating is up or down")
    chat, message = (
        _first(row, "chat_id", "chatId", "conversation_id"),
        _first(row, "message_index", "messageIndex", "message_id"),
    )
    if chat is None:
        raise ValueError("chat_id is missing")
    return Item(
        key=_key(row, "id"),
        source_type=FeedbackSource.CHAT,
        rating=rating,
        comment=_text(_first(row, "comment", "text", "message", "reason")),
        context={"chat_id": chat, "message_index": _number(message)},
        created_at=_time(_first(row, "created_at", "createdAt", "timestamp")),
        user=_text(_first(row, "user_id", "userId", "created_by")),
        artefact=f"chat:{chat}/{message}",
    )


def rejections(row: dict[str, Any], rules: Rules) -> Item | Open:
    """Rejected responses of an older `entity_responses`."""
    if str(row.get("status", "rejected")).lower() != "rejected":
        raise ValueError("status is not rejected")
    response = _text(_first(row, "id", "response_id"))
    if response is None:
        raise ValueError("id is missing")
    by_agent = _first(row, "submitted_by_agent", "agent_id") is not None
    tried_again = bool(_first(row, "rerun_response_id", "retry_response_id", "rerun", "retried"))
    source = (
        FeedbackSource.EXTRACTION
        if row.get("source") == "extraction" or by_agent
        else FeedbackSource.RESPONSE
    )
    field = _text(_first(row, "field_name", "field"))
    context = {
        "response_id": response,
        "criteria_set_id": _text(row.get("criteria_set_id")),
        "field_name": field,
        "rejected_value": _first(row, "rejected_value", "value", "values"),
        "entity_type_id": _text(row.get("entity_type_id")),
    }
    return Item(
        key=_key({"id": f"{response}/{field or ''}"}, "id"),
        source_type=source,
        rating=Rating.NEGATIVE,
        comment=_text(_first(row, "rejection_reason", "review_notes", "reason", "notes")),
        context={key: value for key, value in context.items() if value is not None},
        created_at=_time(_first(row, "reviewed_at", "rejected_at", "updated_at", "created_at")),
        user=_text(_first(row, "reviewed_by", "reviewer", "rejected_by")),
        agent=_text(_first(row, "submitted_by_agent", "agent_id")),
        entity_id=_text(row.get("entity_id")),
        response_id=response,
        status=FeedbackStatus.APPLIED if tried_again else FeedbackStatus.PENDING,
        artefact=f"response:{response}",
    )


def langfuse(row: dict[str, Any], rules: Rules) -> Item | Open:
    """Scores of Langfuse: of the blob export, of the page's export, and of the API."""
    subject = row.get("subject") if isinstance(row.get("subject"), dict) else {}
    assert isinstance(subject, dict)
    name = _text(row.get("name"))
    if name is None:
        raise ValueError("name is missing")
    kind = str(_first(row, "data_type", "dataType") or "").upper()
    value, label = row.get("value"), _first(row, "string_value", "stringValue")
    if kind in ("CATEGORICAL", "TEXT") and label is None and isinstance(value, str):
        label = value
    comment = _text(row.get("comment"))
    named = {
        "trace_id": _first(row, "trace_id", "traceId") or _id_of(subject, "trace"),
        "observation_id": _first(row, "observation_id", "observationId") or _id_of(subject, "observation"),
        "session_id": _first(row, "session_id", "sessionId") or _id_of(subject, "session"),
        "environment": row.get("environment"),
        "project_id": _first(row, "project_id", "projectId"),
    }
    if kind == "TEXT":
        comment = "\n".join(part for part in (_text(label), comment) if part) or None
        rating: Rating | None = Rating.NEUTRAL
    elif kind == "CORRECTION":
        named["correction"] = label if label is not None else value
        rating = Rating.NEGATIVE
    else:
        rating = rate(
            rules.get(name),
            label if kind != "BOOLEAN" else None,
            as_score(value) if not isinstance(value, bool) else float(value),
            binary=kind == "BOOLEAN",
        )
    return _scored(
        "langfuse", row, name, rating, label if label is not None else value, comment, named,
        machine=str(row.get("source") or "").upper() == "EVAL",
        end_user=_text(_first(row, "userId", "user_id", "authorUserId")),
        at=_first(row, "timestamp", "created_at", "createdAt"),
    )  # fmt: skip


def phoenix(row: dict[str, Any], rules: Rules) -> Item | Open:
    """Annotations of Phoenix: of the API, and of its data frames as a table. Free notes are those named `note`."""
    result = row.get("result")
    if not isinstance(result, dict):
        result = {key: _first(row, f"result.{key}", key) for key in ("label", "score", "explanation")}
    name = _text(_first(row, "name", "annotation_name"))
    if name is None:
        raise ValueError("name is missing")
    label, score = result.get("label"), as_score(result.get("score"))
    rating = rate(rules.get(name), label, score, binary=False)
    if rating is None and name == "note":
        rating = Rating.NEUTRAL
    named = {key: row.get(key) for key in ("span_id", "trace_id", "session_id", "identifier", "metadata")}
    return _scored(
        "phoenix", row, name, rating, label if label is not None else score, _text(result.get("explanation")), named,
        machine=str(row.get("annotator_kind") or "").upper() in ("LLM", "CODE"),
        end_user=_text(row.get("user_id")),
        at=_first(row, "created_at", "updated_at"),
    )  # fmt: skip


def langsmith(row: dict[str, Any], rules: Rules) -> Item | Open:
    """Feedback of LangSmith. `session_id` is what it calls a project."""
    name = _text(row.get("key"))
    if name is None:
        raise ValueError("key is missing")
    source = row.get("feedback_source")
    source = _object(source)
    value, score = row.get("value"), row.get("score")
    number = float(score) if isinstance(score, bool) else as_score(score)
    rating = rate(
        rules.get(name),
        value if isinstance(value, str | bool) else None,
        number,
        binary=isinstance(score, bool),
    )
    correction = row.get("correction")
    if rating is None and correction not in (None, "", {}):
        rating = Rating.NEGATIVE
    named = {
        "run_id": row.get("run_id"),
        "trace_id": row.get("trace_id"),
        "project_id": row.get("session_id"),
        "correction": correction,
        "extra": row.get("extra"),
    }
    return _scored(
        "langsmith", row, name, rating, value if value is not None else score, _text(row.get("comment")), named,
        machine=str(source.get("type") or "") in ("model", "auto_eval"),
        end_user=_text(source.get("user_id")),
        at=_first(row, "created_at", "modified_at"),
    )  # fmt: skip


FORMATS: dict[str, Format] = {
    "chat-feedback": chat_feedback,
    "rejections": rejections,
    "langfuse": langfuse,
    "phoenix": phoenix,
    "langsmith": langsmith,
}


def _scored(
    tool: str,
    row: dict[str, Any],
    name: str,
    rating: Rating | None,
    shown: Any,
    comment: str | None,
    named: dict[str, Any],
    *,
    machine: bool,
    end_user: str | None,
    at: Any,
) -> Item | Open:
    context = {"imported_from": tool, "name": name, "value": shown} | named
    names = [
        _text(named.get(key)) for key in ("session_id", "trace_id", "run_id", "span_id", "observation_id")
    ]
    traces = tuple(name for name in names if name)
    item = Item(
        key=_key(row, "id"),
        source_type=FeedbackSource.CHAT if end_user and not machine else FeedbackSource.OBSERVATION,
        rating=rating or Rating.NEUTRAL,
        comment=comment,
        context={key: value for key, value in context.items() if value not in (None, "", {})},
        created_at=_time(at),
        end_user=end_user,
        machine=machine,
        traces=traces,
        artefact=f"trace:{traces[0]}" if traces else None,
    )
    return item if rating is not None else Open(name, str(shown)[:100], item)


def _key(row: dict[str, Any], name: str) -> str:
    """The source's own id, else what the row says: the same row is the same feedback."""
    if (given := _text(row.get(name))) is not None:
        return given
    return hashlib.sha256(msgspec.json.encode(row, order="deterministic")).hexdigest()


def _first(row: dict[str, Any], *names: str) -> Any:
    return next((row[name] for name in names if row.get(name) not in (None, "")), None)


def _id_of(subject: dict[str, Any], kind: str) -> Any:
    found = subject.get(kind)
    return found.get("id") if isinstance(found, dict) else found


def _object(value: Any) -> dict[str, Any]:
    if isinstance(value, str):
        try:
            value = msgspec.json.decode(value)
        except msgspec.DecodeError:
            return {}
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, dict | list):
        return None
    text = str(value).strip()
    return text[:COMMENT_CHARACTERS] or None


def _number(value: Any) -> Any:
    return (
        int(value)
        if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 16
        else value
    )


def _time(value: Any) -> datetime | None:
    """RFC 3339, `2025-01-31 12:00:00.123456` (UTC), or seconds or milliseconds since 1970."""
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            return datetime.fromtimestamp(value / 1000 if value > 1e11 else value, UTC)
        except (ValueError, OverflowError, OSError):
            raise ValueError(f"{value} is not a time") from None
    try:
        read = datetime.fromisoformat(str(value).strip())
        return read.replace(tzinfo=UTC) if read.tzinfo is None else read.astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError(f"{str(value)[:60]!r} is not a time") from None
