"""Files of other tools: read row by row, nothing guessed."""

import csv
import io
import json
import tracemalloc
from collections.abc import Iterator
from typing import Any

import pytest

from goldloop.feedback.imports.formats import FORMATS, Item, Open
from goldloop.feedback.imports.kind_service import access_kind
from goldloop.feedback.imports.readers import BadFile, read_rows
from goldloop.feedback.imports.service import Import
from goldloop.feedback.model import Rating
from goldloop.feedback.ratings import BadRule, Rule, as_score, parse_rule, rate

ROWS = [{"id": str(n), "text": 'a "quoted", line\nbreak é {[', "n": n} for n in range(5)]


def pieces(text: str, size: int) -> Iterator[bytes]:
    data = text.encode()
    return (data[i : i + size] for i in range(0, len(data), size))


def as_csv(rows: list[dict[str, Any]]) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


@pytest.mark.parametrize("size", [1, 7, 100_000])
@pytest.mark.parametrize(
    "text",
    [
        "\n".join(json.dumps(row) for row in ROWS),
        "\ufeff" + "\r\n".join(json.dumps(row, ensure_ascii=False) for row in ROWS) + "\r\n\r\n",
        json.dumps(ROWS),
        json.dumps(ROWS, indent=2),
        json.dumps({"data": ROWS, "meta": {"cursor": None}}),
    ],
    ids=["lines", "lines with a mark", "array", "indented", "under data"],
)
def test_formats_are_known_by_their_beginning(text: str, size: int) -> None:
    found = list(read_rows(pieces(text, size)))
    assert [row.values for row in found] == ROWS
    assert [row.place for row in found] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("size", [3, 100_000])
def test_tables_are_read_by_their_heading(size: int) -> None:
    rows = [{"id": "1", "comment": "a, b", "empty": ""}, {"id": "2", "comment": 'say "no"', "empty": ""}]
    found = [row.values for row in read_rows(pieces(as_csv(rows), size))]
    assert found == [{"id": "1", "comment": "a, b"}, {"id": "2", "comment": 'say "no"'}]


@pytest.mark.parametrize("text", ["", "   \n", "[]", '{"data": []}'])
def test_empty_files_have_no_rows(text: str) -> None:
    assert list(read_rows([text.encode()])) == []


def test_a_row_that_cannot_be_read_is_told_and_passed_over() -> None:
    found = list(read_rows([b'{"a": 1}\nnonsense\n[1]\n{"a": 2}']))
    assert [row.values for row in found] == [{"a": 1}, None, None, {"a": 2}]
    assert found[1].fault.startswith("This is not JSON")


@pytest.mark.parametrize("text", [b"PAR1\x00\x01", b'[{"a": 1}, {"a": ', b'[{"a": 1} nonsense]'])
def test_broken_files_are_refused(text: bytes) -> None:
    with pytest.raises(BadFile):
        list(read_rows([text]))


@pytest.mark.parametrize(
    ("text", "name", "rule"),
    [
        ("helpful=positive", "helpful", Rule(always=Rating.POSITIVE)),
        ("score=sign", "score", Rule(by_sign=True)),
        ("stars=1..5", "stars", Rule(between=(1, 5))),
        ("delta=-1..1", "delta", Rule(between=(-1, 1))),
        ("errors=min:0..10", "errors", Rule(between=(0, 10), flipped=True)),
        ("q=A+:positive,b c:negative", "q", Rule(labels={"a+": Rating.POSITIVE, "b_c": Rating.NEGATIVE})),
    ],
)
def test_rules(text: str, name: str, rule: Rule) -> None:
    assert parse_rule(text) == (name, rule)


@pytest.mark.parametrize(
    "text", ["", "x", "=positive", "x=", "x=maybe", "x=5..1", "x=a:great", "x=a:positive,b"]
)
def test_bad_rules_are_refused(text: str) -> None:
    with pytest.raises(BadRule):
        parse_rule(text)


@pytest.mark.parametrize(
    ("rule", "label", "score", "binary", "expected"),
    [
        (None, None, None, False, None),
        (None, None, 1, True, "positive"),
        (None, None, 0, True, "negative"),
        (None, None, 0.4, True, None),
        (None, None, 1, False, None),  # of five, it may be
        (None, None, -1, False, None),
        (None, None, 0, False, None),  # of 0 and 1 the worse, of -1, 0 and 1 the middle
        (None, None, 5, False, None),
        (None, "Thumbs-Up", None, False, "positive"),
        (None, "👎", None, False, "negative"),
        (None, "purple", 1, True, None),
        (None, False, None, False, "negative"),
        ("x=sign", None, 0.4, False, "positive"),
        ("x=sign", None, 0, False, "neutral"),
        ("x=min:sign", None, 0.4, False, "negative"),
        ("x=1..5", None, 2, False, "negative"),
        ("x=1..5", None, 3, False, "neutral"),
        ("x=1..5", None, 5, False, "positive"),
        ("x=1..5", None, None, False, None),
        ("x=a:positive,b:negative", "B", None, False, "negative"),
        ("x=1:positive", None, 1.0, False, "positive"),
        ("x=a:positive", "c", None, False, None),
        ("x=neutral", "whatever", None, False, "neutral"),
    ],
)
def test_ratings(
    rule: str | None, label: Any, score: float | None, binary: bool, expected: str | None
) -> None:
    assert rate(parse_rule(rule)[1] if rule else None, label, score, binary=binary) == expected


@pytest.mark.parametrize(
    ("value", "expected"), [("0.5", 0.5), (None, None), ("x", None), ("nan", None), ({}, None)]
)
def test_scores(value: Any, expected: float | None) -> None:
    assert as_score(value) == expected


LANGFUSE = {
    "id": "s1", "timestamp": "2025-05-01 10:00:00.123456", "project_id": "p", "environment": "default", "trace_id": "t1",
    "observation_id": "o1", "session_id": None, "name": "helpful", "value": 1, "source": "ANNOTATION", "comment": "Nice",
    "data_type": "BOOLEAN", "string_value": "True",
}  # fmt: skip
PHOENIX = {
    "id": "U3Bhbg==", "span_id": "sp1", "name": "correctness", "annotator_kind": "HUMAN",
    "result": {"label": "incorrect", "score": 0, "explanation": "Wrong year"}, "metadata": {}, "identifier": "",
    "source": "APP", "user_id": "u1", "created_at": "2025-05-01T10:00:00+02:00", "updated_at": "2025-05-01T10:00:00+02:00",
}  # fmt: skip
LANGSMITH = {
    "id": "f1", "key": "user_score", "run_id": "r1", "trace_id": "t1", "session_id": "project", "score": 0, "value": None,
    "comment": "Too long", "correction": {"answer": "short"}, "feedback_source": {"type": "api", "user_id": "u9"},
    "created_at": "2025-05-01T10:00:00Z", "extra": None,
}  # fmt: skip
CHAT = {
    "id": "c1",
    "chat_id": "chat",
    "message_index": "3",
    "rating": "up",
    "user_id": "u",
    "created_at": 1746093600,
}
REJECTED = {
    "id": "0190c7f2-8f3b-7c2e-9d39-1f1de3a2b4c5", "status": "rejected", "rejection_reason": "Old", "source": "manual",
    "reviewed_by": "u", "reviewed_at": "2025-05-01T10:00:00Z", "values": {"a": 1},
}  # fmt: skip


def item(kind: str, row: dict[str, Any], *rules: str, **changes: Any) -> Item:
    found = FORMATS[kind]({**row, **changes}, dict(map(parse_rule, rules)))
    assert isinstance(found, Item), found
    return found


@pytest.mark.parametrize(
    ("kind", "row", "changes", "rating", "comment", "machine"),
    [
        ("langfuse", LANGFUSE, {}, "positive", "Nice", False),
        ("langfuse", LANGFUSE, {"value": 0, "string_value": "False"}, "negative", "Nice", False),
        ("langfuse", LANGFUSE, {"source": "EVAL"}, "positive", "Nice", True),
        (
            "langfuse",
            LANGFUSE,
            {"data_type": "TEXT", "value": 0, "string_value": "So so"},
            "neutral",
            "So so\nNice",
            False,
        ),
        (
            "langfuse",
            LANGFUSE,
            {"data_type": "CATEGORICAL", "string_value": "bad"},
            "negative",
            "Nice",
            False,
        ),
        ("langfuse", LANGFUSE, {"data_type": "CORRECTION", "string_value": "Yes"}, "negative", "Nice", False),
        ("phoenix", PHOENIX, {}, "negative", "Wrong year", False),
        ("phoenix", PHOENIX, {"annotator_kind": "LLM"}, "negative", "Wrong year", True),
        ("phoenix", PHOENIX, {"name": "note", "result": {"explanation": "Hm"}}, "neutral", "Hm", False),
        ("langsmith", LANGSMITH, {}, "negative", "Too long", False),
        ("langsmith", LANGSMITH, {"score": True}, "positive", "Too long", False),
        ("langsmith", LANGSMITH, {"feedback_source": {"type": "model"}}, "negative", "Too long", True),
        ("langsmith", LANGSMITH, {"feedback_source": '{"type": "model"}'}, "negative", "Too long", True),
        ("chat-feedback", CHAT, {}, "positive", None, False),
        ("chat-feedback", CHAT, {"rating": "down", "comment": " no "}, "negative", "no", False),
        ("rejections", REJECTED, {}, "negative", "Old", False),
    ],
)
def test_what_rows_become(
    kind: str, row: dict[str, Any], changes: dict[str, Any], rating: str, comment: str | None, machine: bool
) -> None:
    found = item(kind, row, **changes)
    assert (found.rating, found.comment, found.machine) == (rating, comment, machine)
    assert found.created_at is not None
    assert found.created_at.isoformat().startswith("2025-05-01T")


def test_names_of_the_pages_export_are_read_as_well() -> None:
    row = {
        "id": "s", "traceId": "t", "sessionId": "chat-1", "name": "x", "dataType": "BOOLEAN", "value": 1, "userId": "ada",
        "timestamp": "2025-05-01T10:00:00Z",
    }  # fmt: skip
    found = item("langfuse", row)
    assert (found.traces, found.end_user, found.source_type) == (("chat-1", "t"), "ada", "chat")


def test_data_frames_of_phoenix_are_read_by_their_columns() -> None:
    row = {
        "span_id": "s",
        "annotation_name": "q",
        "result.label": "good",
        "result.explanation": "y",
        "annotator_kind": "HUMAN",
    }
    assert (item("phoenix", row).rating, item("phoenix", row).comment) == ("positive", "y")


def test_a_name_without_a_rule_is_left_open() -> None:
    found = FORMATS["langfuse"]({**LANGFUSE, "data_type": "NUMERIC", "value": 0.4, "string_value": None}, {})
    assert isinstance(found, Open)
    assert (found.name, found.example, found.item.rating) == ("helpful", "0.4", "neutral")
    by_rule = item("langfuse", LANGFUSE, "helpful=0..1", data_type="NUMERIC", value=0.9, string_value=None)
    assert by_rule.rating == "positive"


@pytest.mark.parametrize(
    ("kind", "row"),
    [
        ("langfuse", {}),
        ("phoenix", {"result": {}}),
        ("langsmith", {"score": 1}),
        ("chat-feedback", {"rating": "up"}),
        ("chat-feedback", {"rating": "sideways", "chat_id": "c"}),
        ("rejections", {"id": "x", "status": "submitted"}),
        ("rejections", {"status": "rejected"}),
        ("chat-feedback", {**CHAT, "created_at": "yesterday"}),
    ],
)
def test_what_is_no_feedback_says_why(kind: str, row: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"."):
        FORMATS[kind](row, {})


def test_rows_without_an_id_are_known_by_what_they_say() -> None:
    row = {key: value for key, value in CHAT.items() if key != "id"}
    assert item("chat-feedback", row).key == item("chat-feedback", dict(reversed(row.items()))).key
    assert item("chat-feedback", row).key != item("chat-feedback", row, rating="down").key


def test_rejections_that_were_tried_again_are_applied() -> None:
    found = item("rejections", REJECTED, source="extraction", rerun_response_id="x", field_name="a")
    assert (found.source_type, found.status, found.context["field_name"]) == ("extraction", "applied", "a")


@pytest.mark.parametrize("shape", ["lines", "array", "table"])
def test_a_large_file_is_never_held(shape: str) -> None:
    row = '{"id": "%d", "name": "tone", "data_type": "BOOLEAN", "value": 1, "comment": "%s"}'
    before, between, after = {"lines": ("", "\n", ""), "array": ("[", ",", "]"), "table": ("", "\n", "")}[
        shape
    ]
    rows, chunk = 20_000, 100

    def chunks() -> Iterator[bytes]:
        yield ("id,name,data_type,value,comment\n" if shape == "table" else before).encode()
        for start in range(0, rows, chunk):
            numbers = range(start, start + chunk)
            made = [
                f"{n},tone,BOOLEAN,1,{'x' * 500}" if shape == "table" else row % (n, "x" * 500)
                for n in numbers
            ]
            yield (between.join(made) + (between if start + chunk < rows else after)).encode()

    importing = Import(access_kind("langfuse"), {}, neutral_rest=False, dry_run=True)
    tracemalloc.start()
    try:
        read = sum(len(batch) for batch in importing.batches(read_rows(chunks())))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (read, importing.report().read) == (rows, rows)
    assert most < 5_000_000  # bytes, of more than 10 million that went through
