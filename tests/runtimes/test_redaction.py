"""That a secret is found wherever it may be repeated, and that what is none stays."""

import json
from typing import Any

import pytest

from goldloop.runtimes.redaction import Redaction

LONG = 'sk-"0/1\\2\u00e9'
DIGITS = "12345678"


@pytest.mark.parametrize(
    ("secrets", "before", "after"),
    [
        ([], {"text": "s3cret"}, {"text": "s3cret"}),
        (["s3cret"], {}, {}),
        (["s3cret"], {"text": "I was sent s3cret."}, {"text": "I was sent …."}),
        (["s3cret"], {"headers": [["Authorization", "Bearer s3cret"]]}, {"headers": [["Authorization", "Bearer …"]]}),
        (["s3cret"], {"sent": {"s3cret": {"s3cret": None}}}, {"sent": {"…": {"…": None}}}),
        (["s3cret"], {"s3cret": True}, {"…": True}),
        ([LONG], {"text": f"<{LONG}>"}, {"text": "<…>"}),
        ([LONG], {"text": json.dumps({"token": LONG})}, {"text": '{"token": "…"}'}),
        ([LONG], {"text": json.dumps([LONG], ensure_ascii=False).replace("/", r"\/")}, {"text": '["…"]'}),
        ([LONG], {"text": f"Illegal header {LONG!r}"}, {"text": "Illegal header '…'"}),
        (["  padded-secret\n"], {"text": "Bearer padded-secret"}, {"text": "Bearer …"}),
        (["long-secret-one"], {"text": "xlong-secret-onex" * 2}, {"text": "x…x" * 2}),
        (["secret-1", "secret-1-and-more"], {"text": "secret-1-and-more secret-1"}, {"text": "… …"}),
        # one that may be a word is a secret where it stands alone, and what is in any text is none
        (["none"], {"text": "none, nonetheless: 'none' _none_"}, {"text": "…, nonetheless: '…' _…_"}),
        (["abc"], {"text": "abc"}, {"text": "abc"}),
        ([""], {"text": ""}, {"text": ""}),
        ([" \n"], {"text": " \n"}, {"text": " \n"}),
        # the keys and counts of events stay what programs read
        (["text"], {"text": "a text"}, {"text": "a …"}),
        (["result"], {"id": "1", "result": {"result": 1}}, {"id": "1", "result": {"…": 1}}),
        ([DIGITS], {"input_tokens": 12345678, "n": [12345678, 0.12345678]}, {"input_tokens": 12345678, "n": ["…", "…"]}),
        ([DIGITS], {"duration_ms": DIGITS}, {"duration_ms": "…"}),
        (["1234"], {"n": 1234, "text": "1234"}, {"n": 1234, "text": "…"}),
        (["true"], {"is": True, "text": "true"}, {"is": True, "text": "…"}),
    ],
)  # fmt: skip
def test_what_is_kept_of_a_payload(secrets: list[str], before: dict[str, Any], after: dict[str, Any]) -> None:
    assert Redaction(secrets).payload(before) == after


def test_a_secret_that_becomes_known_later_is_hidden_from_then_on() -> None:
    redaction = Redaction(["first-secret"])
    assert redaction.value(["first-secret", "later-secret"]) == ["…", "later-secret"]
    redaction.hide("later-secret")
    assert redaction.value(["first-secret", "later-secret"]) == ["…", "…"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("all is well", "all is well"),
        ("I was sent 0123456789", "I was sent …"),
        ("I was sent 01234567", "I was sent …"),
        ("I was sent 01234567…", "I was sent …"),
        ("I was sent 0123", "I was sent …"),
        ("I was sent 012", "I was sent 012"),
        ("01234", "…"),
        ("0123456789 and 0123456", "… and …"),
    ],
)
def test_a_text_that_was_cut_within_a_secret_loses_its_end(text: str, expected: str) -> None:
    assert Redaction(["0123456789"]).cut_text(text) == expected
