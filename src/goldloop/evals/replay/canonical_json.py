"""JSON in one form (RFC 8785): sorted by UTF-16, without spaces, numbers as ECMAScript writes them. Pure.

Integers beyond 2^53 keep their digits: two ids that differ there are two.
"""

import json
import math
from collections.abc import Mapping
from typing import Any

_AS_DECIMALS = 1e21  # from here on ECMAScript writes an exponent


def canonical_json(value: Any) -> str:
    """Raises ValueError for what JSON cannot hold."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, Mapping):
        pairs = sorted(((str(name), each) for name, each in value.items()), key=_utf_16)
        return "{" + ",".join(f"{canonical_json(name)}:{canonical_json(each)}" for name, each in pairs) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(canonical_json, value)) + "]"
    raise ValueError(f"{type(value).__name__} is nothing that JSON can hold")


def _utf_16(pair: tuple[str, Any]) -> bytes:
    return pair[0].encode("utf-16-be", "surrogatepass")


def _number(value: float) -> str:
    if not math.isfinite(value):
        raise ValueError(f"{value} is no number of JSON")
    if value == int(value) and abs(value) < _AS_DECIMALS:
        return str(int(value))
    mantissa, _, exponent = repr(value).partition("e")
    if not exponent:
        return mantissa
    power = int(exponent)
    if power < -6 or power > 0:
        return f"{mantissa}e{power:+d}"
    sign, digits = ("-", mantissa[1:]) if mantissa[0] == "-" else ("", mantissa)
    return f"{sign}0.{'0' * (-power - 1)}{digits.replace('.', '')}"
