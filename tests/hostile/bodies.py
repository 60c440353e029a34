"""Bodies that no client of ours sends: not JSON, not what the route takes, or far too much of it."""

import gzip
import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from tests.hostile.fields import NO_MAXIMUM, Place, as_json, is_list, is_object, is_text, long_name, sample
from tests.hostile.wire import JSON, Header

MANY = 10_000
KEYS = 60_000
MAX_BODY = 1_048_576

NOT_JSON: dict[str, bytes] = {
    "empty": b"",
    "blank": b" \n",
    "truncated": b'{"name": "x',
    "truncated within an escape": b'{"name": "\\u00',
    "two values": b"{} {}",
    "a comma too many": b'{"a": 1,}',
    "comment": b"{/* */}",
    "single quotes": b"{'a': 1}",
    "NaN": b'{"a": NaN}',
    "Infinity": b'{"a": -Infinity}',
    "invalid UTF-8": b'{"name": "\xff\xfe"}',
    "overlong UTF-8": b'{"name": "\xc0\x80"}',
    "surrogate in UTF-8": b'{"name": "\xed\xa0\x80"}',
    "lone surrogate": b'{"name": "\\ud800"}',
    "byte order mark": b"\xef\xbb\xbf{}",
    "UTF-16": '{"name": "x"}'.encode("utf-16"),
    "raw control character": b'{"name": "a\x01b"}',
    "gzip": gzip.compress(b'{"name": "x"}'),
    "only opening brackets": b"[" * MAX_BODY,
    "only opening braces": b'{"a":' * (MAX_BODY // 5),
    "quotes": b'"' * 1_000_000,
    "backslashes": b'"' + b"\\" * 1_000_000,
    "a number of a million digits": b"1" * 1_000_000,
    "a fraction of a million digits": b"0." + b"1" * 1_000_000,
    "an exponent of a million digits": b"1e" + b"1" * 1_000_000,
    "binary": bytes(range(256)) * 100,
}

# JSON that no route takes as its body.
WRONG_WHOLE: dict[str, bytes] = {
    "null": b"null",
    "true": b"true",
    "a text": b'"x"',
    "a large text": b'"' + b"x" * 1_000_000 + b'"',
    "a number": b"1e400",
    "tiny numbers": b"[" + b",".join([b"1e-308"] * 149_000) + b"]",
    "huge numbers": b"[" + b",".join([b"1e300"] * 170_000) + b"]",
    "integers of 4,299 digits": b"[" + b",".join([b"9" * 4299] * 243) + b"]",
    "lists within lists": b"[" * 900 + b"]" * 900,
    "lists of 97 levels": b"[" + b",".join([b"[" * 97 + b"]" * 97] * 5300) + b"]",
    "U+0000 after all else, 97 levels down": b"[" * 97 + b'"",' * 340_000 + b'"\\u0000"' + b"]" * 97,
    "many empty lists": b"[" + b",".join([b"[]"] * 300_000) + b"]",
    "many empty objects": b"[" + b",".join([b"{}"] * 300_000) + b"]",
    "many unknown keys": as_json({f"k{n}": n for n in range(KEYS)}),
    "the same key many times": b'{"name": 1' + b', "name": 1' * 90_000 + b"}",
    "keys that differ in case": as_json({"NAME": 1, "Name": 2, "name ": 3}),
    "one key of a million characters": b'{"' + b"k" * 1_000_000 + b'": 1}',
    "one key with U+0000": b'{"\\u0000": 1}',
    "keys of a prototype": b'{"__proto__": {}, "constructor": {}, "__class__": {}}',
    "larger than is taken": b'{"name": "' + b"x" * MAX_BODY + b'"}',
}

MEDIA: dict[str, tuple[Header, ...]] = {
    "none": (),
    "form": ((b"Content-Type", b"application/x-www-form-urlencoded"),),
    "multipart without boundary": ((b"Content-Type", b"multipart/form-data"),),
    "multipart": ((b"Content-Type", b"multipart/form-data; boundary=x"),),
    "msgpack": ((b"Content-Type", b"application/x-msgpack"),),
    "text": ((b"Content-Type", b"text/plain"),),
    "junk": ((b"Content-Type", b"\xff/\x80; ="),),
    "empty": ((b"Content-Type", b""),),
    "long": ((b"Content-Type", b"application/json; x=" + b"y" * 8000),),
    "another charset": ((b"Content-Type", b"application/json; charset=utf-16"),),
    "said to be gzip": (JSON, (b"Content-Encoding", b"gzip")),
    "twice": (JSON, (b"Content-Type", b"text/html")),
}

DEPTHS = (50, 100, 970, 975, 980, 5000)

# For any place of a body, whatever it takes.
ANYWHERE: dict[str, Any] = {
    "null": None,
    "negative": -1,
    "enormous integer": 10**400,
    "list of null": [None],
    "U+0000 in a key": {"\x00": 1},
}
OF_OBJECTS: dict[str, Any] = {
    "U+0000 deep inside": {"a": [{"b": "\x00"}]},
    "huge integers": {"a": [2**63, -(2**64), 10**49]},
    "numbers that take hundreds of digits": {"a": [1e308, {"b": 5e-324}]},
}
OF_TEXTS: dict[str, Any] = {
    "U+0000": "\x00",
    "empty": "",
    "blank": " ",
    "a newline at the end": "x\n",
    "only a newline": "\n",
}
OF_DATES: dict[str, Any] = {
    "the year 0": "0000-01-01T00:00:00Z",
    "before the year 1": "0001-01-01T00:00:00+14:00",
    "after the year 9999": "9999-12-31T23:59:59-14:00",
    "a leap second": "2016-12-31T23:59:60Z",
    "15:59 hours off": "2024-01-01T00:00:00+15:59",
    "16 hours off": "2024-01-01T00:00:00+16:00",
    "23 hours off": "2024-01-01T00:00:00-23:59",
    "99 hours off": "2024-01-01T00:00:00+99:99",
    "without an offset": "2024-01-01T00:00:00",
    "only a day": "2024-01-01",
}
OF_IDS: dict[str, Any] = {
    "upper case": "0190B6F0-0000-7000-8000-00000000000A",
    "as URN": "urn:uuid:0190b6f0-0000-7000-8000-000000000000",
    "in braces": "{0190b6f0-0000-7000-8000-000000000000}",
    "without hyphens": "0190b6f0000070008000000000000000",
    "all zero": "00000000-0000-0000-0000-000000000000",
}


def wrong_values(place: Place) -> Iterator[tuple[str, bytes]]:
    kind = place.schema.get("format", place.schema.get("type"))
    more = {"date-time": OF_DATES, "uuid": OF_IDS, "string": OF_TEXTS, "object": OF_OBJECTS}
    for name, value in {**ANYWHERE, **more.get(kind or "", {})}.items():
        yield name, as_json(value)


def nested(depth: int) -> bytes:
    """Objects and lists in turn, deeper than an encoder goes."""
    return b'{"a":[' * (depth // 2) + b"1" + b"]}" * (depth // 2)


# As many and as large as can be sent, for whichever place takes an object.
OBJECTS: dict[str, bytes] = {
    f"{KEYS} keys": as_json({f"k{number}": number for number in range(KEYS)}),
    "one key of 2,700 bytes": as_json({long_name(2700): "x"}),
    "one key of 900,000 bytes": as_json({"k" * 900_000: "x"}),
    f"{MANY} lists": as_json({"a": [[number] for number in range(MANY)]}),
    f"{MANY} texts": as_json({f"k{number}": "x" * 80 for number in range(MANY)}),
    **{f"nested {depth} levels": nested(depth) for depth in DEPTHS},
}


# Far beyond what any text takes; one character too many goes to each of a route's texts, this to the first of them.
ONCE = {"as many as can be sent"}


@cache
def _many(items: str) -> dict[str, bytes]:
    schema = json.loads(items)
    return {
        f"{MANY} equal items": as_json([sample(schema)] * MANY),
        f"{MANY} different items": as_json([sample(schema, number) for number in range(MANY)]),
        f"{MANY} empty lists": as_json([[]] * MANY),
        f"{MANY} nulls": as_json([None] * MANY),
    }


def too_much(place: Place) -> Iterator[tuple[str, bytes]]:
    """Values of the right kind at one place, as large as they can be sent."""
    if is_list(place):
        yield from _many(json.dumps(place.schema.get("items", {}))).items()
    elif is_text(place):
        longest = place.schema.get("maxLength", NO_MAXIMUM)
        yield f"{longest} characters", as_json("x" * longest)
        yield "characters of four bytes", as_json("\U0001f600" * min(longest, 250_000))
        if longest < NO_MAXIMUM:
            yield "one character too many", as_json("x" * (longest + 1))
            yield "as many as can be sent", as_json("x" * NO_MAXIMUM)
    elif is_object(place):
        yield from OBJECTS.items()
