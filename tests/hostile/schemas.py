"""JSON Schemas that cost far more than they look, each with the content that is worst for it. Pure.

A schema is for one field, `f`, unless it stands for the whole object. Each is small to send; what is hostile is
how often a validator, a reader or a person would have to go through it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.hostile.fields import long_name

Schema = dict[str, Any]

DOUBLINGS = 28  # 2^28 branches: minutes for a validator that tries them all
WIDE = 10_000


@dataclass(frozen=True)
class Case:
    name: str
    schema: Schema
    contents: list[Any] = field(default_factory=list)  # of the whole object


def of_field(name: str, schema: Any, *worst: Any, **more: Any) -> Case:
    whole = {"type": "object", "properties": {"f": schema}, **more}
    return Case(name, whole, [{"f": value} for value in worst])


def doubling(word: str, last: Schema) -> Schema:
    """Each definition is twice the one before it."""
    chain = {
        f"d{n}": {word: [{"$ref": f"#/$defs/d{n + 1}"}, {"$ref": f"#/$defs/d{n + 1}"}]}
        for n in range(DOUBLINGS)
    }
    return {**chain, f"d{DOUBLINGS}": last}


def nested(depth: int, word: str) -> Schema:
    made: Schema = {"type": "string"}
    for _ in range(depth):
        made = {"type": "object", "properties": {"a": made}} if word == "properties" else {word: made}
    return made


def branching() -> Iterator[Case]:
    for word in ("anyOf", "oneOf", "allOf"):
        for kind, last in (("fails", {"type": "integer"}), ("holds", {"type": "string"})):
            defs = doubling(word, last)
            yield of_field(f"{word} doubled, {kind}", {"$ref": "#/$defs/d0"}, "x", **{"$defs": defs})
    inline: Schema = {"type": "integer"}
    for _ in range(12):
        inline = {"anyOf": [inline, inline]}
    yield of_field("anyOf doubled in place", inline, "x")
    chain = {f"d{n}": {"$ref": f"#/$defs/d{n + 1}"} for n in range(3000)}
    yield of_field(
        "a long chain of references", {"$ref": "#/$defs/d0"}, "x", **{"$defs": {**chain, "d3000": {}}}
    )
    nots = {f"d{n}": {"not": {"$ref": f"#/$defs/d{n + 1}"}} for n in range(1000)}
    yield of_field("a chain of not", {"$ref": "#/$defs/d0"}, "x", **{"$defs": {**nots, "d1000": {}}})
    ifs = {
        f"d{n}": {word: {"$ref": f"#/$defs/d{n + 1}"} for word in ("if", "then", "else")}
        for n in range(DOUBLINGS)
    }
    yield of_field("if doubled", {"$ref": "#/$defs/d0"}, "x", **{"$defs": {**ifs, f"d{DOUBLINGS}": {}}})


def recursion() -> Iterator[Case]:
    yield of_field(
        "refers to itself in place", {"$ref": "#/$defs/a"}, "x", **{"$defs": {"a": {"$ref": "#/$defs/a"}}}
    )
    yield of_field("refers to the whole in place", {"allOf": [{"$ref": "#/properties/f"}]}, "x")
    pair = {"a": {"$ref": "#/$defs/b"}, "b": {"anyOf": [{"$ref": "#/$defs/a"}]}}
    yield of_field("two refer to each other", {"$ref": "#/$defs/a"}, "x", **{"$defs": pair})
    again = {"type": "array", "items": {"$ref": "#/$defs/t"}}
    tree = {"anyOf": [again, again, {"type": "integer"}]}
    deep: Any = "x"
    for _ in range(25):
        deep = [deep]
    yield of_field("recursion that doubles", {"$ref": "#/$defs/t"}, deep, **{"$defs": {"t": tree}})
    again = {"type": "array", "items": {"$dynamicRef": "#n"}}
    dynamic = {"$dynamicAnchor": "n", "anyOf": [again, again]}
    yield of_field("dynamic recursion that doubles", {"$dynamicRef": "#n"}, deep, **{"$defs": {"n": dynamic}})
    for name, target in {
        "the document": "#",
        "the schema of schemas": "https://json-schema.org/draft/2020-12/schema",
        "a file": "file:///etc/passwd",
        "the network": "http://127.0.0.1:1/x",
        "an anchor that is not there": "#nothing",
        "a pointer that is not there": "#/$defs/none",
        "a broken pointer": "#/%zz~9",
    }.items():
        yield of_field(f"a reference to {name}", {"$ref": target}, "x", {"f": {"f": 1}})
    yield Case(
        "an id that moves references",
        {"type": "object", "properties": {"f": {"$ref": "x"}}, "$id": "http://x/"},
    )


CATASTROPHIC = {
    "nested repetition": r"^(a+)+$",
    "alternatives that overlap": r"^(a|aa)+$",
    "lookahead": r"^(?=(a+)+$)b",
    "lookbehind": r"(?<=a{1,200})(a+)+$",
    "a reference back": r"^(a*)\1*\1*\1*\1*b$",
    "possessive within greedy": r"^(?:(?:a++)*)*(?!a)b$",
    "bounded repetition": r"^((a{1,100}){1,100}){1,100}$",
    "bounded repetition of a class": r"^(\w{1,1000}){1,1000}$",
    "letters of every script": r"^(\p{L}{1,500}){1,100}$",
    "many optional": "^" + "a?" * 400 + "a" * 400 + "$",
    "recursion": r"^(a(?R)?b)$",
    "U+0000": "\x00",
}


def patterns() -> Iterator[Case]:
    for name, pattern in CATASTROPHIC.items():
        yield of_field(
            f"a pattern: {name}", {"type": "string", "pattern": pattern}, "a" * 35 + "!", "a" * 50_000 + "!"
        )
    for name, pattern in list(CATASTROPHIC.items())[:4]:
        whole = {"type": "object", "properties": {}, "patternProperties": {pattern: {"type": "integer"}}}
        yield Case(f"names by a pattern: {name}", whole, [{"a" * 35 + "!" + str(n): 1 for n in range(100)}])
    many = {f"^p{n}[a-z]{{1,50}}$": {"type": "integer"} for n in range(3000)}
    yield Case(
        "thousands of patterns",
        {"type": "object", "properties": {}, "patternProperties": many},
        [{f"p{n}abc": "x" for n in range(3000)}],
    )
    large = [{"pattern": rf"^(\w{{1,200}}){{1,{n + 2}}}$"} for n in range(200)]
    yield of_field("hundreds of large patterns", {"type": "string", "allOf": large}, "a" * 10_000)


def sizes() -> Iterator[Case]:
    names = {f"p{n}": {"type": "string"} for n in range(WIDE)}
    yield Case("10,000 properties", {"type": "object", "properties": names})
    yield Case(
        "200 properties",
        {"type": "object", "properties": dict(list(names.items())[:200])},
        [dict.fromkeys(names, "x")],
    )
    yield of_field(
        "an object of 5,000 properties",
        {"type": "object", "properties": dict(list(names.items())[:5000])},
        dict.fromkeys(names, 1),
    )
    required = list(names)
    yield of_field("10,000 required", {"type": "object", "required": required}, {})
    yield of_field("a huge enum", {"enum": [f"option {n}" for n in range(WIDE)]}, "x", "option 9999")
    yield of_field(
        "a huge enum of objects", {"enum": [{"a": [n]} for n in range(WIDE)]}, {"a": [-1]}, [{"a": [1]}] * 100
    )
    yield of_field("many elements against a huge enum", {"items": {"enum": list(range(WIDE))}}, [-1] * WIDE)
    yield of_field("many elements with many faults", {"items": {"type": "integer"}}, ["x"] * 100_000)
    yield of_field("a large default", {"type": "string", "default": "x" * 200_000})
    yield of_field("a large title", {"type": "string", "title": "x" * 200_000, "description": "y" * 50_000})
    yield of_field("a comment of 300 KiB", {"type": "string", "$comment": "x" * 300_000})
    for depth in (29, 59, 61, 500):
        yield of_field(f"nested {depth} levels by items", nested(depth, "items"), [[]])
        yield of_field(f"nested {depth} levels by not", nested(depth, "not"), "x")
    yield of_field("nested 25 levels by properties", nested(25, "properties"), {})
    dependent = {f"p{n}": {"required": [f"p{n + 1}"]} for n in range(2000)}
    yield Case(
        "thousands of dependent schemas",
        {"type": "object", "properties": {}, "dependentSchemas": dependent},
        [{f"p{n}": 1 for n in range(0, 2000, 2)}],
    )


def arrays() -> Iterator[Case]:
    yield of_field(
        "unique items, all different objects", {"uniqueItems": True}, [{"a": n} for n in range(WIDE)]
    )
    yield of_field(
        "unique items, all different lists", {"uniqueItems": True}, [[n, [n]] for n in range(WIDE)]
    )
    yield of_field("unique items, many numbers", {"uniqueItems": True}, [n / 7 for n in range(50_000)])
    yield of_field(
        "unique items, many large integers", {"uniqueItems": True}, [10**30 + n for n in range(3000)]
    )
    yield of_field(
        "unique items, objects of large integers",
        {"uniqueItems": True},
        [{"a": 10**30 + n} for n in range(3000)],
    )
    yield of_field(
        "unique items, integers beyond a float", {"uniqueItems": True}, [10**18 + n for n in range(20_000)]
    )
    yield of_field(
        "unique within unique", {"items": {"uniqueItems": True}}, [[{"a": n} for n in range(200)]] * 40
    )
    contains = {"contains": {"anyOf": [{"const": f"x{n}"} for n in range(300)]}, "minContains": 5000}
    yield of_field("contains", contains, ["y"] * WIDE)
    yield of_field("contains at most", {"contains": True, "maxContains": 1}, [0] * 100_000)
    branches = [{"properties": {f"p{n}": True}} for n in range(300)]
    yield of_field(
        "unevaluated properties",
        {"anyOf": branches, "unevaluatedProperties": False},
        {f"q{n}": 1 for n in range(3000)},
    )
    unevaluated = {"anyOf": [{"contains": {"const": n}} for n in range(300)], "unevaluatedItems": False}
    yield of_field("unevaluated items", unevaluated, [-1] * 3000)
    yield of_field("prefix items", {"prefixItems": [{"type": "integer"}] * 3000}, ["x"] * 3000)
    yield of_field(
        "names of properties",
        {"propertyNames": {"pattern": "^(a+)+$"}},
        {"a" * 30 + f"!{n}": 1 for n in range(1000)},
    )


FORMATS = {
    "email": "a@" + "a." * 20_000 + "!",
    "idn-email": "é" * 20_000 + "@",
    "uri": "http://" + "a:" * 20_000,
    "uri-template": "{" * 20_000,
    "iri": "http://" + "é%" * 20_000,
    "hostname": "a-" * 20_000,
    "idn-hostname": "xn--" + "a" * 20_000 + "." + "é" * 5000,
    "ipv6": ":" * 20_000,
    "date-time": "9" * 20_000,
    "duration": "P" + "1Y" * 20_000,
    "regex": "(" * 20_000,
    "json-pointer": "/~" * 20_000,
    "uuid": "0" * 20_000,
    "no-such-format": "x" * 20_000,
}


def formats() -> Iterator[Case]:
    for name, worst in FORMATS.items():
        yield of_field(f"format {name}", {"type": "string", "format": name}, worst)
    yield of_field(
        "a regex as content",
        {"type": "string", "format": "regex"},
        "(a{1,1000}){1,1000}",
        r"(\w{1,500}){1,500}",
    )


def numbers() -> Iterator[Case]:
    yield of_field(
        "a huge multipleOf", {"type": "number", "multipleOf": 1e-300}, 1e300, 0.1, 12345678901234567890
    )
    yield of_field("a tiny multipleOf", {"type": "number", "multipleOf": 5e-324}, 1.7976931348623157e308)
    yield of_field("a bound of 400 digits", {"type": "integer", "maximum": 10**400}, 10**399, 10**4000)
    within = {"type": "integer", "minimum": 1, "maximum": 10**49, "not": {"const": 10**48}}
    yield of_field("integers of 49 digits", {"items": within}, [10**48 + 1 + n for n in range(20_000)])
    yield of_field("the smallest numbers", {"items": {"type": "number"}}, [1e-50] * 150_000)
    yield of_field("a length beyond any", {"type": "string", "maxLength": 2**63, "minLength": 2**62}, "x")
    yield of_field("a negative length", {"type": "string", "minLength": -1}, "x")
    yield of_field("one and true", {"enum": [1, True, 0, False, 1.0]}, True, 1, 1.0, False, 0)
    yield of_field("only true", {"const": True}, 1, True)
    yield of_field("only one", {"const": 1}, True, 1.0)
    yield of_field("an enum of equal members", {"enum": ["a", "a"]}, "a")
    yield of_field("an empty enum", {"enum": []}, "a")


def strange_texts() -> Iterator[Case]:
    whole = {"type": "object"}
    yield of_field("U+0000 in the title", {"type": "string", "title": "a\x00b"}, "x")
    yield of_field("U+0000 in the description", {"type": "string", "description": "\x00"}, "x")
    yield of_field("U+0000 in an enum", {"enum": ["a\x00b"]}, "a\x00b", "x")
    yield of_field("U+0000 in a const", {"const": "\x00"}, "\x00")
    yield of_field("U+0000 in a default", {"type": "string", "default": "\x00"}, "x")
    yield of_field("U+0000 in content", {"type": "string"}, "a\x00b")
    yield of_field("U+0000 in a key of content", {"type": "object"}, {"\x00": 1})
    yield Case("U+0000 in a name", {**whole, "properties": {"a\x00": {"type": "string"}}}, [{"a\x00": "x"}])
    yield Case("U+0000 in required", {**whole, "properties": {}, "required": ["\x00"]}, [{}])
    yield Case(
        "a name of 2,700 bytes",
        {**whole, "properties": {long_name(2700): {"type": "string"}}},
        [{long_name(2700): "x"}],
    )
    yield Case(
        "a name of 100,000 bytes",
        {**whole, "properties": {long_name(100_000): {}}},
        [{long_name(100_000): "x"}],
    )
    yield Case(
        "a key of 2,700 bytes that is not declared", {**whole, "properties": {}}, [{long_name(2700): "x"}]
    )
    for name in (
        "__proto__",
        "constructor",
        "$ref",
        "a/b~c",
        "a.b",
        "..",
        " ",
        "\n",
        "‮",
        "𝕏",
        "'",
        '"',
        "%s",
        "{0}",
    ):
        yield Case(
            f"a field called {name!r}", {**whole, "properties": {name: {"type": "string"}}}, [{name: "x"}]
        )
    yield Case("no object", {"type": "array", "properties": {}})
    yield Case(
        "an older draft", {**whole, "properties": {}, "$schema": "http://json-schema.org/draft-04/schema#"}
    )
    yield Case("unknown vocabulary", {**whole, "properties": {}, "$vocabulary": {"http://x": True}})
    yield Case(
        "words of the wrong kind",
        {**whole, "properties": {"f": {"type": 1, "items": 2, "enum": 3, "required": 4}}},
    )
    yield Case(
        "thousands of wrong words",
        {**whole, "properties": {f"p{n}": {"type": n} for n in range(200)}, "allOf": [1] * 5000},
    )


CASES: list[Case] = [
    *branching(),
    *recursion(),
    *patterns(),
    *sizes(),
    *arrays(),
    *formats(),
    *numbers(),
    *strange_texts(),
]
