"""What an event's payload must hold, which words a session is found by, and what stays of a large payload."""

from typing import Any

import msgspec
import pytest

from goldloop.sessions.payloads import LARGE, MOST_WORDS, PREVIEW, find_faults, keep, spoken_words


@pytest.mark.parametrize(
    ("kind", "payload", "places"),
    [
        ("user.message", {"text": "hi"}, []),
        ("user.message", {"text": "", "more": 1}, []),
        ("user.message", {}, ["/0/payload/text"]),
        ("agent.message", {"text": 3}, ["/0/payload/text"]),
        ("tool.call", {"id": "c", "name": "n", "arguments": {}}, []),
        ("tool.call", {"id": "c", "name": "n", "arguments": None}, []),
        ("tool.call", {"name": "n"}, ["/0/payload/id", "/0/payload/arguments"]),
        ("tool.result", {"id": "c", "result": None}, []),
        ("tool.result", {"id": "c", "error": "no"}, []),
        ("tool.result", {"id": "c"}, ["/0/payload"]),
        ("tool.result", {"id": "c", "result": 1, "error": "no"}, ["/0/payload"]),
        ("model.request", {"model": "m", "input_tokens": 0, "output_tokens": 12, "cost": 0.01}, []),
        ("model.request", {"model": "m", "input_tokens": -1}, ["/0/payload/input_tokens"]),
        ("model.request", {"model": "m", "output_tokens": "12"}, ["/0/payload/output_tokens"]),
        ("model.request", {"model": "m", "input_tokens": 10**18}, ["/0/payload/input_tokens"]),
        ("model.request", {"model": "m", "input_tokens": True}, ["/0/payload/input_tokens"]),
        ("session.completed", {}, ["/0/type"]),
        ("mine.own", {}, []),
    ],
)
def test_a_fault_names_its_place(kind: str, payload: dict[str, Any], places: list[str]) -> None:
    assert [fault.path for fault in find_faults(kind, payload, "/0")] == places


def test_a_payload_of_ordinary_size_stays_as_it_is() -> None:
    assert keep({"text": "x" * 1000}) == ({"text": "x" * 1000}, None, None)
    assert keep({}) == ({}, None, None)


def test_of_a_large_payload_ids_and_beginnings_stay() -> None:
    payload = {"id": "call-1", "result": {"rows": [{"text": "y" * LARGE}] * 30, "count": 30}, "n": 1.5}
    kept = keep(payload)
    assert kept.whole == msgspec.json.encode(payload)
    assert (kept.payload["id"], kept.payload["n"], kept.payload["result"]["count"]) == ("call-1", 1.5, 30)
    assert len(msgspec.json.encode(kept.payload)) < LARGE
    text = keep({"text": "z" * LARGE}).payload["text"]
    assert text == "z" * PREVIEW + "…"


def test_the_same_payload_has_the_same_name_in_the_blob_store() -> None:
    large = {"text": "z" * LARGE}
    assert keep(large).digest == keep(dict(large)).digest
    assert keep(large).digest != keep({"text": "y" * LARGE}).digest


@pytest.mark.parametrize(
    ("events", "words"),
    [
        ([], []),
        (
            [("user.message", {"text": "Größe, bitte"}), ("agent.message", {"text": "bitte sehr"})],
            ["grosse", "bitte", "sehr"],
        ),
        ([("tool.call", {"text": "hidden"}), ("user.message", {"text": 3})], []),
    ],
)
def test_a_session_is_found_by_what_was_said(events: list[Any], words: list[str]) -> None:
    assert spoken_words(events) == words


def test_the_words_of_one_batch_are_bounded() -> None:
    assert (
        len(spoken_words([("user.message", {"text": " ".join(f"w{n}" for n in range(2000))})])) == MOST_WORDS
    )
