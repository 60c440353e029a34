"""The rules that tests keep. A failure says what to do instead; the tables at the end show that each one bites."""

import ast
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from textwrap import indent

import pytest

from tests.loops import any_number, some

TESTS = Path(__file__).parent

Rule = Callable[[str, ast.Module], Iterator[str]]
Function = ast.FunctionDef | ast.AsyncFunctionDef

CLOCKS = {
    "monotonic",
    "perf_counter",
    "process_time",
    "thread_time",
    "time",
    "clock_gettime",
    "default_timer",
}


@cache
def trees() -> dict[str, ast.Module]:
    """Every test file. Parsed when it is asked for: each process that runs tests imports this module."""
    return {str(path.relative_to(TESTS)): ast.parse(path.read_text()) for path in sorted(TESTS.rglob("*.py"))}


def reads_clock(node: ast.AST) -> bool:
    """Calls a clock: `time.monotonic()`, `perf_counter_ns()`, `loop.time()`."""
    names = {
        ast.unparse(call.func).rsplit(".", 1)[-1].removesuffix("_ns")
        for call in ast.walk(node)
        if isinstance(call, ast.Call)
    }
    return bool(names & CLOCKS)


def names_in(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def clocked_names(tree: ast.AST) -> set[str]:
    """What holds a time that a clock said, or something computed from one."""
    found: set[str] = set()
    while True:
        more = {
            name
            for target, value in _assigned(tree)
            if _is_clocked(value, found)
            for name in names_in(target)
        }
        if more <= found:
            return found
        found |= more


def _assigned(tree: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            yield from ((target, node.value) for target in node.targets)
        elif isinstance(node, ast.AnnAssign | ast.AugAssign | ast.NamedExpr) and node.value:
            yield node.target, node.value
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(".append") and node.args:
            yield node.func, node.args[0]


def _is_clocked(node: ast.AST, names: set[str]) -> bool:
    return reads_clock(node) or bool(names_in(node) & names)


def _is_elapsed(node: ast.AST, clocked: set[str], spans: set[str]) -> bool:
    differences = (n for n in ast.walk(node) if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Sub))
    return bool(names_in(node) & spans) or any(_is_clocked(difference, clocked) for difference in differences)


def _spans(tree: ast.AST, clocked: set[str]) -> set[str]:
    """What holds how long something took: the difference of what clocks said."""
    return {
        name
        for target, value in _assigned(tree)
        if _is_elapsed(value, clocked, set())
        for name in names_in(target)
    }


def no_time_is_bounded_from_above(path: str, tree: ast.Module) -> Iterator[str]:
    """A lower bound holds on any machine, and so does a deadline for something that is waited for."""
    for function in (n for n in tree.body if isinstance(n, Function | ast.ClassDef)):
        clocked = clocked_names(function)
        spans = _spans(function, clocked)
        for statement in (n for n in ast.walk(function) if isinstance(n, ast.Assert)):
            for compared in (n for n in ast.walk(statement.test) if isinstance(n, ast.Compare)):
                if any(_is_elapsed(small, clocked, spans) for small in _smaller_sides(compared)):
                    yield (
                        f"{path}:{statement.lineno}: asserts how long something took, which a busy machine decides. "
                        "Assert a fact (statements sent, rows read, calls made), or make it a benchmark in bench/"
                    )


def _smaller_sides(compared: ast.Compare) -> Iterator[ast.AST]:
    sides = [compared.left, *compared.comparators]
    for left, operator, right in zip(sides, compared.ops, sides[1:], strict=False):
        if isinstance(operator, ast.Lt | ast.LtE):
            yield left
        elif isinstance(operator, ast.Gt | ast.GtE):
            yield right


# Calls that give as many things as they get.
AS_MANY = {
    "enumerate",
    "list",
    "reversed",
    "set",
    "sorted",
    "tuple",
    "items",
    "keys",
    "values",
    "dict",
    "zip",
}


def loops_have_something_to_look_at(path: str, tree: ast.Module) -> Iterator[str]:
    """A loop that asserts, over what could be empty, may assert nothing. Examples of a property may be empty."""
    module = dict(_named_values(tree.body))
    for function in _top_functions(tree):
        if any("given" in ast.unparse(decorator) for decorator in function.decorator_list):
            continue
        known = module | dict(_named_values(list(ast.walk(function))))
        asserted = [n for n in ast.walk(function) if isinstance(n, ast.Assert)]
        for line, iterated in _asserting_loops(function):
            text = ast.unparse(iterated)
            if not is_filled(iterated, known) and not _is_asserted(text, line, asserted):
                yield (
                    f"{path}:{line}: asserts about each of `{text}`, which may be empty. "
                    "Say `some(…)` of tests/loops.py, which fails on nothing, or assert before how many there are"
                )


def _top_functions(tree: ast.Module) -> Iterator[Function]:
    """With the methods of classes; functions inside of them are read along."""
    classes = [n for n in tree.body if isinstance(n, ast.ClassDef)]
    for node in (each for body in (tree.body, *(c.body for c in classes)) for each in body):
        if isinstance(node, Function):
            yield node


def _named_values(nodes: list[ast.AST] | list[ast.stmt]) -> Iterator[tuple[str, ast.AST]]:
    for node in nodes:
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            yield ast.unparse(node.targets[0]), node.value
        elif isinstance(node, ast.AnnAssign) and node.value:
            yield ast.unparse(node.target), node.value


def _asserting_loops(function: Function) -> Iterator[tuple[int, ast.AST]]:
    for node in ast.walk(function):
        if isinstance(node, ast.For) and any(
            isinstance(n, ast.Assert) for each in node.body for n in ast.walk(each)
        ):
            yield node.lineno, node.iter
        elif isinstance(node, ast.Assert):
            yield from ((node.lineno, iterated) for iterated in _quantified(node.test))


def _quantified(test: ast.AST) -> Iterator[ast.AST]:
    """`all(… for x in xs)`, asserted by itself or beside others."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        for value in test.values:
            yield from _quantified(value)
    elif isinstance(test, ast.Call) and ast.unparse(test.func) == "all":
        yield from (a.generators[0].iter for a in test.args if isinstance(a, ast.GeneratorExp | ast.ListComp))


def _is_asserted(text: str, line: int, asserted: list[ast.Assert]) -> bool:
    bare = text.removesuffix(".items()").removesuffix(".values()").removesuffix(".keys()")
    return any(bare in ast.unparse(n.test) for n in asserted if n.lineno < line) or any(
        bare in ast.unparse(value)
        for n in asserted
        if n.lineno == line and isinstance(n.test, ast.BoolOp)
        for value in n.test.values[:1]
    )


def is_filled(node: ast.AST, known: dict[str, ast.AST], depth: int = 0) -> bool:
    """Certainly not empty, from what can be seen here: a literal, a constant of elsewhere, some(…)."""
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return bool(node.elts)
    if isinstance(node, ast.Dict):
        return bool(node.keys)
    if isinstance(node, ast.Constant):
        return bool(node.value)
    if isinstance(node, ast.BinOp):
        return is_filled(node.left, known, depth) or is_filled(node.right, known, depth)
    if isinstance(node, ast.Call):
        return _gives_something(node, known, depth)
    if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
        whole = all(not each.ifs for each in node.generators)
        return whole and all(is_filled(each.iter, known, depth) for each in node.generators)
    text = ast.unparse(node)
    if text in known:
        return depth < 5 and is_filled(known[text], known, depth + 1)
    return isinstance(node, ast.Name | ast.Attribute) and text.rsplit(".", 1)[-1][:1].isupper()


def _gives_something(call: ast.Call, known: dict[str, ast.AST], depth: int) -> bool:
    name = ast.unparse(call.func).rsplit(".", 1)[-1]
    if name in ("some", "any_number", "range"):
        return name != "range" or not any(isinstance(a, ast.Call) for a in call.args)
    if name not in AS_MANY:
        return False
    things = call.args or ([call.func.value] if isinstance(call.func, ast.Attribute) else [])
    return any(is_filled(each, known, depth) for each in things)


RULES: list[Rule] = [no_time_is_bounded_from_above, loops_have_something_to_look_at]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_tests_keep_the_rule(rule: Rule) -> None:
    assert len(trees()) > 100
    faults = [fault for path, tree in trees().items() for fault in rule(path, tree)]
    assert not faults, "\n" + "\n".join(faults)


@pytest.mark.parametrize(
    ("rule", "body"),
    [
        (no_time_is_bounded_from_above, "a = time.monotonic()\n work()\n assert time.monotonic() - a < 5"),
        (no_time_is_bounded_from_above, "a = perf_counter()\n b = perf_counter() - a\n assert 5 >= b"),
        (no_time_is_bounded_from_above, "a.append(time.perf_counter_ns())\n assert a[1] - a[0] <= 5, 'slow'"),
        (no_time_is_bounded_from_above, "a.append(time.thread_time() - b)\n assert sorted(a)[3] < 0.02"),
        (no_time_is_bounded_from_above, "a = loop.time()\n b = loop.time()\n assert 1 <= b - a < 2"),
        (loops_have_something_to_look_at, "for x in rows():\n  assert x"),
        (loops_have_something_to_look_at, "for x in []:\n  if x:\n   assert x"),
        (loops_have_something_to_look_at, "assert all(x for x in (await rows()).items())"),
        (loops_have_something_to_look_at, "assert a and all(x for x in b)"),
        (loops_have_something_to_look_at, "a = [x for x in (1, 2) if x > f()]\n for x in a:\n  assert x"),
        (loops_have_something_to_look_at, "for x in range(len(a)):\n  assert x"),
        (loops_have_something_to_look_at, "for x in a:\n  assert x\n assert a"),
    ],
)
def test_the_rule_bites(rule: Rule, body: str) -> None:
    source = f"async def test():\n {body}"
    assert list(rule("x.py", ast.parse(source)))
    assert list(rule("x.py", ast.parse(f"class A:\n{indent(source, ' ')}")))


@pytest.mark.parametrize(
    ("rule", "body"),
    [
        (
            no_time_is_bounded_from_above,
            "a = time.monotonic() + 5\n while f():\n  assert time.monotonic() < a",
        ),
        (no_time_is_bounded_from_above, "a = time.monotonic()\n work()\n assert time.monotonic() - a >= 1"),
        (no_time_is_bounded_from_above, "assert len(statements) - before < 5"),
        (loops_have_something_to_look_at, "for x in (1, 2):\n  assert x"),
        (loops_have_something_to_look_at, "a = {1: 2}\n for x, y in sorted(a.items()):\n  assert x"),
        (loops_have_something_to_look_at, "for x in some(rows()):\n  assert x"),
        (loops_have_something_to_look_at, "for x in any_number(rows()):\n  assert x"),
        (loops_have_something_to_look_at, "assert len(a) == 3\n for x in a.values():\n  assert x"),
        (loops_have_something_to_look_at, "assert a and all(x for x in a)"),
        (loops_have_something_to_look_at, "for x in range(COUNT):\n  assert f(x)"),
        (loops_have_something_to_look_at, "for x in Strategy:\n  assert f(x)"),
        (loops_have_something_to_look_at, "for x in rows():\n  f(x)"),
    ],
)
def test_the_rule_lets_good_tests_be(rule: Rule, body: str) -> None:
    assert not list(rule("x.py", ast.parse(f"async def test():\n {body}")))


def test_a_loop_over_nothing_fails() -> None:
    with pytest.raises(AssertionError, match="nothing to look at"):
        some([])
    assert some(n for n in (1, 2)) == [1, 2]
    assert any_number([]) == []


def test_each_rule_has_a_row_that_breaks_it() -> None:
    (table,) = test_the_rule_bites.pytestmark  # type: ignore[attr-defined]
    assert {row[0] for row in table.args[1]} == set(RULES)
