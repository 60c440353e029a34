"""What may stand in an address where an id, a slug or a parameter is expected, as it is sent. Pure."""

import base64
import json
from typing import Any
from urllib.parse import quote

OWN = "0190b6f0-0000-7000-8000-000000000000"

# No name that is kept may have these: a log, a terminal or a page would show something else.
CONTROL: dict[str, str] = {
    "U+0000": "%00",
    "a newline at the end": "x%0A",
    "a return at the end": "x%0D",
    "an escape sequence": "%1B%5B2J",
    "delete": "x%7F",
    "U+0085": quote("x\u0085y"),
}

SEGMENTS: dict[str, str] = {
    **CONTROL,
    "only a space": "%20",
    "line separator": quote("x\u2028y"),
    "right-to-left override": quote("x\u202etxt.exe"),
    "zero width": quote("x\u200b\u200dy"),
    "byte order mark": quote("\ufeffx"),
    "combining flood": quote("e" + "\u0301" * 60),
    "full width": quote("ｘ１"),
    "not a character": quote("\uffff"),
    "dot": ".",
    "two dots": "..",
    "two dots, escaped": "%2e%2e",
    "a slash, escaped": "x%2Fy",
    "a backslash": "%5Cx",
    "half an escape": "x%",
    "a wrong escape": "%zz",
    "invalid UTF-8": "%ff%fe",
    "overlong UTF-8": "%c0%80",
    "surrogate": "%ed%a0%80",
    "an escaped escape": "%2500",
    "a question mark": "x%3Fy=1",
    "semicolon": "x;y=1",
    "quotes": quote("'\"`"),
    "SQL": quote("x' OR '1'='1' --"),
    "a template": quote("{{7*7}}${x}%s"),
    "a wildcard": quote("%_*"),
    "200 characters": "x" * 200,
    "201 characters": "x" * 201,
    "2,700 characters": "x" * 2700,
    "8,000 characters": "x" * 8000,
    "an id in upper case": OWN.upper(),
    "an id as URN": f"urn:uuid:{OWN}",
    "an id in braces": quote(f"{{{OWN}}}"),
    "an id without hyphens": OWN.replace("-", ""),
    "an id of zeros": "00000000-0000-0000-0000-000000000000",
    "an id that is too long": f"{OWN}0",
    "a number": "1",
    "a negative number": "-1",
    "a huge number": "9" * 100,
}


def cursor(value: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


# A place that takes only a UUID tells it from all else in one way; these are what comes near to one.
NEAR_IDS = (
    "U+0000",
    "invalid UTF-8",
    "8,000 characters",
    *(name for name in SEGMENTS if name.startswith("an id")),
)

TEXTS: dict[str, str] = {
    "nothing": "",
    "U+0000": "%00",
    "a newline": "x%0A",
    "invalid UTF-8": "%ff",
    "half an escape": "%",
    "4,001 characters": "x" * 4001,
    "20,000 characters": "x" * 20_000,
    "search words": quote("a & | ! <-> :* '\"\\ ()"),
    "wildcards": quote("%_" * 200),
    "1,000 words": quote(" ".join(f"w{n}" for n in range(1000))),
}
NUMBERS: dict[str, str] = {
    "zero": "0",
    "negative": "-1",
    "too many": "201",
    "huge": "9" * 40,
    "a fraction": "1.5",
    "infinite": "inf",
    "not a number": "NaN",
}
DATES: dict[str, str] = {
    "15:59 hours off": quote("2024-01-01T00:00:00+15:59"),
    "16 hours off": quote("2024-01-01T00:00:00+16:00"),
    "23:59 hours off": quote("2024-01-01T00:00:00-23:59"),
    "before the year 1": quote("0001-01-01T00:00:00+14:00"),
    "after the year 9999": quote("9999-12-31T23:59:59-14:00"),
    "the year 10000": quote("10000-01-01T00:00:00Z"),
}
CURSORS: dict[str, str] = {
    "not base64": "%21%21%21",
    "of nothing": cursor([]),
    "of U+0000": cursor(["\0"]),
    "of U+0000 and an id": cursor(["\0", OWN]),
    "of an id": cursor([OWN]),
    "of a text and an id": cursor(["x", OWN]),
    "of a huge number": cursor([2**63]),
    "of a huge number and an id": cursor([2**63, OWN]),
    "of an early time": cursor(["0001-01-01T00:00:00+14:00", OWN]),
    "of a late time": cursor(["9999-12-31T23:59:59-14:00", OWN]),
    "of a time far off": cursor(["2024-01-01T00:00:00+23:59", OWN]),
    "of infinity": cursor(["inf", OWN]),
    "of not a number": cursor(["nan", OWN]),
    "of a lone surrogate": cursor(["\ud800", OWN]),
    "within lists": base64.urlsafe_b64encode(b"[" * 1400).decode(),
    "of an object": cursor({"a": 1}),
}


def segments_for(schema: dict[str, Any]) -> dict[str, str]:
    if schema.get("format") == "uuid":
        return {name: SEGMENTS[name] for name in NEAR_IDS}
    return SEGMENTS


def values_for(name: str, schema: dict[str, Any]) -> dict[str, str]:
    """By what a parameter takes, as far as its description tells."""
    said = str(schema)
    if "cursor" in name:
        return {**CURSORS, **TEXTS}
    if "date" in said:
        return {**DATES, **TEXTS}
    if "integer" in said or "number" in said:
        return {**NUMBERS, "nothing": "", "U+0000": "%00"}
    return TEXTS
