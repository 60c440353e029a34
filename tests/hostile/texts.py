"""Texts that break what shows or copies them. Each comes back as it was sent, or is refused. Pure.

What a field may refuse for the same reason is one text, so that one refusal hides nothing.
"""

TEXTS: dict[str, str] = {
    "escape sequences": "\x1b[2J\x1b]0;owned\x07",
    "newlines": "a\r\nSet-Cookie: b=c\r\n\r\n<html>",
    "separators": "a\u0085b\u2028c\u2029d",
    "overrides and isolates": "invoice\u202efdp.exe\u202c" + "\u2066\u2067\u2068" * 10,
    "zero width": "\u200ba\u200db\u2060\ufeff",
    "what grows or is not normal": "Z" + "\u0301\u0336" * 30 + "ﷺŉßİ e\u0301 \u00e9 \u212b ＡＤＭＩＮ",
    "beyond the first plane": "\U0001f469\u200d\U0001f680\U0010ffff \ufffe\uffff\ufdd0",
    "markup": "<img src=x onerror=alert(1)>&lt; [x](javascript:alert(1)) ![y](http://127.0.0.1:1/z) `",
    "a formula": '=HYPERLINK("http://127.0.0.1:1","x")|\' /C calc\'!A0, "b"',
    "commands": "'; DROP TABLE tenants; -- {{7*7}} ${7*7} %s %(a)s {0.__class__} \\u0000 \\x00",
    "spaces around": " \t a \u00a0\u3000",
    "U+0000": "a\x00b",
    "a lone surrogate": "a\ud800b",
}
