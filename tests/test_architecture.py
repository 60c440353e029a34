"""The rules of the codebase that a machine can check. A failure says what to do instead.

Each rule is a function from a source file to its faults; the table at the end shows that each one bites.
"""

import ast
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import PurePosixPath
from typing import Any

import pytest
from litestar.routes import ASGIRoute, HTTPRoute

from goldloop.app import build_litestar
from goldloop.concepts import ORDER, OUTSIDE
from goldloop.migrations.files import FOLDER, PACKAGE
from tests.loops import some

ROOTS = {
    "app",
    "server",
    "processes",
    "concepts",
    "databases",
    "demo",
    "first_start",
    "gauges",
    "outside",
}  # composition roots

# Which files write a table in Python. SQL functions are the named exceptions and are not listed.
WRITERS = {
    "tenants": {"tenants/workspaces/store.py"},
    "users": set(),
    "memberships": {"tenants/members/store.py"},
    "parties": {"tenants/parties/store.py"},
    "invites": set(),
    "sign_in_sessions": set(),
    "sign_in_attempts": set(),
    "identities": set(),
    "second_factors": set(),
    "recovery_codes": set(),
    "password_resets": set(),
    "sign_in_requests": set(),
    "api_key_hashes": set(),
    "installation": set(),
    "agents": {"tenants/agents/store.py"},
    "api_keys": {"tenants/keys/store.py"},
    "workspace_settings": {"tenants/settings/store.py"},
    "idempotency_keys": {"kit/idempotency.py"},
    "events": set(),
    "live_watchers": set(),
    "key_limits": {"limits/store.py"},
    "request_counts": {"limits/store.py"},
    "run_usage": {"limits/store.py"},
    "storage_measures": {"limits/store.py"},
    "marks": {"jobs/store.py"},
    "job_failures": {"jobs/store.py"},
    "entity_types": {"entities/types/store.py"},
    "entities": {"entities/records/store.py"},
    "entity_words": set(),
    "entity_relations": {"entities/relations/store.py"},
    "entity_field_history": set(),
    "entity_field_sources": set(),
    "saved_lists": {"entities/saved_lists/store.py"},
    "list_columns": {"entities/saved_lists/store.py"},
    "criteria_sets": {"criteria/store.py"},
    "entity_responses": {"responses/store.py"},
    "relation_scores": set(),
    "conversations": set(),
    "conv_turns": {"conversations/turns/store.py"},
    "conv_messages": {"conversations/turns/store.py"},
    "conversation_words": {"conversations/turns/store.py"},
    "agent_versions": {"agents/store.py"},
    "agent_secrets": {"agents/store.py"},
    "sessions": {"sessions/store.py", "sessions/derived_store.py", "sessions/frozen_store.py"},
    "session_events": set(),
    "session_words": set(),
    "otel_batches": {"otlp/store.py"},
    "otel_trace_batches": set(),
    "otel_traces": {"otlp/store.py"},
    "otel_sources": set(),
    "feedback": {"feedback/entries/store.py", "feedback/groups/place_store.py"},
    "feedback_words": {"feedback/groups/place_store.py"},
    "feedback_groups": {"feedback/groups/store.py"},
    "feedback_decisions": {"feedback/groups/decision_store.py"},
    "feedback_moves": {"feedback/groups/decision_store.py"},
    "feedback_grouping": {"feedback/groups/decision_store.py"},
    "shared_context": {
        "knowledge/rows/store.py",
        "knowledge/rows/value_store.py",
        "knowledge/rows/compare_store.py",
    },
    "shared_context_kept": {"knowledge/rows/compare_store.py"},
    "shared_context_groups": {"knowledge/proposals/store.py"},
    "feedback_group_reviews": {"knowledge/review/store.py"},
    "shared_context_words": {"knowledge/rows/store.py"},
    "shared_context_citations": {"knowledge/prompts/citation_store.py"},
    "knowledge_versions": {"knowledge/rows/store.py"},
    "shared_context_support": {"knowledge/rows/support_store.py"},
    "shared_context_history": {"knowledge/rows/history_store.py"},
    "prompt_manifests": {"knowledge/prompts/store.py"},
    "prompt_manifest_rows": {"knowledge/prompts/store.py"},
    "prompt_heads": {"knowledge/prompts/store.py"},
    "user_memories": {"knowledge/memories/store.py"},
    "response_sources": set(),
    "chain_retractions": {"chain/retraction_store.py"},
    "chain_items": {"chain/retraction_store.py"},
    "golden_sets": {"goldens/cases/store.py"},
    "goldens": {"goldens/cases/store.py"},
    "golden_alternatives": {"goldens/cases/store.py"},
    "eval_judges": {"goldens/judges/store.py"},
    "eval_judge_licences": {"goldens/judges/store.py"},
    "eval_judge_samples": {"goldens/judges/sample_store.py"},
    "eval_judge_sampled": {"goldens/judges/sample_store.py"},
    "eval_judge_labels": {"goldens/judges/label_store.py"},
    "eval_runs": {"goldens/runs/store.py"},
    "eval_replays": {"goldens/runs/drawn_store.py", "goldens/runs/replay_store.py"},
    "eval_experiments": {"goldens/experiments/store.py"},
    "shared_context_values": {"knowledge/rows/value_store.py"},
    "tasks": {"tasks/store.py"},
    "views": {"views/store.py"},
    "webhook_endpoints": {"webhooks/store.py"},
    "webhook_deliveries": {"webhooks/delivery_store.py"},
    "webhook_attempts": {"webhooks/delivery_store.py"},
    "runs": {"jobs/run_store.py"},
    "archives": {"archives/store.py"},
    "artifact_eval_runs": {"artifact_runs/store.py"},
    "artifact_eval_results": {"artifact_runs/store.py"},
    "artifact_eval_failures": {"artifact_runs/store.py"},
    "erasures": {"erasures/store.py"},
    "erasure_items": {"erasures/store.py"},
    "erasure_blocks": set(),
    "erased_workspaces": set(),
    "schema_migrations": {"migrations/runner.py"},
    "schema_functions": {"migrations/runner.py"},
}

ENTRY_POINT_FILES = {"api.py", "jobs.py", "tools.py", "runner.py"}
ENTRY_POINTS = {
    "limits/limiter.py": "reads what the limits are, on behalf of all requests of a workspace",
    "jobs/marks.py": "runs marks as runner.py runs jobs",
    "tools/calls.py": "commits each call of a tool that comes from outside",
    "tenants/auth/authenticator.py": "records the use of a key in the background",
    "live/feed.py": "polls on behalf of open streams",
    "runtimes/session_log.py": "commits what happens in a run as it happens",
    "tenants/workspaces/service.py": "makes the tenant whose transaction it opens",
    "sessions/whole_sessions.py": "reads a session piece by piece, with what the blob store has of it",
    "otlp/group_writer.py": "requests that arrive together share its transaction",
}

NETWORK = {
    "aiohttp",
    "anthropic",
    "boto3",
    "httpx",
    "obstore",
    "openai",
    "pydantic_ai",
    "requests",
    "smtplib",
    "subprocess",
    "urllib",
}
IMPURE = {
    "asyncpg",
    "goldloop.kit.clock",
    "goldloop.kit.db",
    "goldloop.kit.events",
    "goldloop.kit.ids",
    "goldloop.kit.queue",
    "os",
    "psycopg",
    "random",
    "secrets",
    "time",
    *NETWORK,
}
VALUES = {"goldloop.kit.db.Actor", "goldloop.kit.db.ActorKind"}  # plain values beside what is impure

VAGUE = {"said", "told", "held"}  # eight meanings had the first of them
PUBLIC_NAMES = {"artifact_evals/suite.py": {"held"}}  # a key of the scorecard's JSON

# What a function of a package is promised wherever it runs, so that it can catch it by one name.
PROMISED = {
    "runtimes/python_agent.py": "goldloop.client.errors.ToolFailed",
    "evals/replay/local.py": "goldloop.client.errors.ToolFailed",
}

Tree = ast.Module
Rule = Callable[[str, Tree], Iterator[str]]
SOURCES = {
    str(PurePosixPath(path.relative_to(PACKAGE))): path.read_text() for path in sorted(PACKAGE.rglob("*.py"))
}
FUNCTION_FILES = [p for p in sorted(PACKAGE.rglob("*.sql")) if p.parent not in (FOLDER, PACKAGE)]


@cache
def trees() -> dict[str, Tree]:
    """Parsed when asked for: each process that runs tests imports this module."""
    return {path: ast.parse(source) for path, source in SOURCES.items()}


def imported_modules(path: str, tree: Tree) -> Iterator[tuple[int, str]]:
    """Every imported name in full, with relative ones resolved: `from a.b import c` is `a.b.c`."""
    package = ["goldloop", *PurePosixPath(path).parts[:-1]]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield from ((node.lineno, f"{module}.{alias.name}") for alias in node.names)


def strings(tree: Tree) -> Iterator[tuple[int, str]]:
    """Every text in the code, f-strings with `{}` where a value goes."""
    inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = (p.value if isinstance(p, ast.Constant) else "{}" for p in node.values)
            yield node.lineno, "".join(str(p) for p in parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside:
            yield node.lineno, node.value


def functions(tree: Tree) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def concept_of(path: str) -> str | None:
    """None for a composition root and for the package itself."""
    parts = PurePosixPath(path).parts
    return parts[0] if len(parts) > 1 else None


# Commands that speak to a server as any other program does.
CALLERS = {
    "cli/chain.py",
    "cli/eval_experiments.py",
    "cli/eval_exports.py",
    "cli/eval_runs.py",
    "cli/eval_servers.py",
    "cli/exported_goldens.py",
}


def imports_follow_the_flow(path: str, tree: Tree) -> Iterator[str]:
    here = concept_of(path)
    if here is None:
        return
    if here != "client" and here not in ORDER:
        yield f"{path}: {here} has no place in the flow: give it a line in concepts.py"
        return
    for line, module in imported_modules(path, tree):
        parts = module.split(".")
        if parts[0] != "goldloop" or len(parts) < 2 or parts[1] == "__version__":
            continue
        if PROMISED.get(path) == module:
            continue
        there = parts[1]
        if here == "client":
            wrong = there != "client"
        elif there == "client":
            wrong = path not in CALLERS
        elif there in ROOTS:
            wrong = here != "cli"
        else:
            unknown = there not in ORDER
            beside = here in OUTSIDE and there in OUTSIDE and here != there
            wrong = unknown or beside or ORDER.index(there) > ORDER.index(here)
        if wrong:
            yield (
                f"{path}:{line}: {here} imports {module}, which is to its right. Enqueue a job or emit an event "
                "that the other concept listens to, or move what both need to the left"
            )


# What runs in a light install, where only msgspec and httpx are beside the standard library.
LIGHT = {
    "artifact_evals",
    "evals",
    "pytest_goldens.py",
    "pytest_plugin.py",
    "cli/scorecard.py",
    "cli/chain.py",
    "cli/eval_experiments.py",
    "cli/eval_exports.py",
    "cli/eval_files.py",
    "cli/eval_reports.py",
    "cli/eval_runs.py",
    "cli/eval_servers.py",
    "cli/exported_goldens.py",
    "cli/output.py",
}
LIGHT_IMPORTS = {
    "goldloop.artifact_evals",
    "goldloop.evals",
    "goldloop.client",
    "goldloop.cli.eval_reports",
    "goldloop.cli.eval_runs",
    "goldloop.cli.eval_servers",
    "goldloop.cli.exported_goldens",
    "goldloop.cli.output",
    "goldloop.pytest_goldens",
    "msgspec",
    "pytest",
}


def is_within(module: str, names: set[str]) -> bool:
    return any(module == name or module.startswith(f"{name}.") for name in names)


def light_parts_import_nothing_of_the_server(path: str, tree: Tree) -> Iterator[str]:
    if path not in LIGHT and concept_of(path) not in LIGHT:
        return
    for line, module in imported_modules(path, tree):
        if not is_within(module, LIGHT_IMPORTS) and module.partition(".")[0] not in sys.stdlib_module_names:
            yield (
                f"{path}:{line}: {module} is not in a light install. Take what it gives as an argument, "
                "or put this where the server is"
            )


WRITE = re.compile(r"(?<!DO )(?<!FOR )\b(?:INSERT INTO|DELETE FROM|UPDATE)\s+(?:ONLY\s+)?([\w.]+)")


def tables_have_one_writer(path: str, tree: Tree) -> Iterator[str]:
    for line, text in strings(tree):
        for name in WRITE.findall(text):
            table = name.rsplit(".", 1)[-1]
            if table in WRITERS and path not in WRITERS[table]:
                allowed = " or ".join(sorted(WRITERS[table])) or "the SQL functions of its concept"
                yield (
                    f"{path}:{line}: writes {table}, which only {allowed} may. Call the owner's use case, "
                    "or give its store a function for this"
                )


_CALLED = re.compile(r"\b(\w+)\s*\(")
_WRITING_FUNCTIONS = {path.stem for path in FUNCTION_FILES if WRITE.search(path.read_text())}


def stores_used(path: str, tree: Tree) -> Iterator[tuple[int, str, str]]:
    """Where a function of another concept's store is used: the line, the store's folder, the function."""
    aliases: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("goldloop."):
            folder = (node.module or "").removeprefix("goldloop.").replace(".", "/")
            if folder.split("/")[0] == concept_of(path):
                continue
            for alias in node.names:
                if alias.name == "store":
                    aliases[alias.asname or alias.name] = folder
                elif folder.endswith("/store"):
                    yield node.lineno, folder.removesuffix("/store"), alias.name
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in aliases:
            yield node.lineno, aliases[node.value.id], node.attr


def writes(function: ast.AST) -> bool:
    texts = [text for _, text in strings(function)]  # type: ignore[arg-type]
    return any(WRITE.search(text) or _WRITING_FUNCTIONS.intersection(_CALLED.findall(text)) for text in texts)


def passed_on(folder: str) -> dict[str, str]:
    """What a service does with its store beside asking for a permission: the store's function → the use case."""
    source = SOURCES.get(f"{folder}/service.py", "")
    found = {}
    for function in functions(ast.parse(source)):
        *before, last = [ast.unparse(statement) for statement in function.body] or [""]
        call = re.match(r"return await store\.(\w+)\(", last)
        if call and all(text.startswith(("tx.actor.check(", "'", '"')) for text in before):
            found[call[1]] = function.name
    return found


def other_stores_are_read_where_no_use_case_does(path: str, tree: Tree) -> Iterator[str]:
    if concept_of(path) in (None, "cli"):
        return
    for line, folder, name in stores_used(path, tree):
        store = ast.parse(SOURCES.get(f"{folder}/store.py", ""))
        if any(writes(function) for function in functions(store) if function.name == name):
            yield f"{path}:{line}: writes by {folder}/store.{name}. Call a use case of {folder}/service.py, or make one"
        if use_case := passed_on(folder).get(name):
            yield f"{path}:{line}: reads by {folder}/store.{name}. Call {folder}/service.{use_case}, which asks who may"


def only_entry_points_open_transactions(path: str, tree: Tree) -> Iterator[str]:
    name = PurePosixPath(path).name
    if concept_of(path) in (None, "cli") or name in ENTRY_POINT_FILES or path in ENTRY_POINTS:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "tx":
            yield (
                f"{path}:{node.lineno}: opens a transaction. Take `tx` and let the entry point "
                "(api.py, jobs.py, tools.py, a runner, the command line) open it and commit once"
            )


def transactions_do_not_wait_on_networks(path: str, tree: Tree) -> Iterator[str]:
    aliases = {
        (alias.asname or alias.name).split(".")[0]: alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name.split(".")[0] in NETWORK
    } | {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in NETWORK
        for alias in node.names
    }
    for function in functions(tree):
        arguments = {
            a.arg for a in [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
        }
        if "tx" not in arguments:
            continue
        used = {n.id for n in ast.walk(function) if isinstance(n, ast.Name)} & aliases.keys()
        slept = {ast.unparse(n.func) for n in ast.walk(function) if isinstance(n, ast.Call)} & {
            "asyncio.sleep",
            "asyncio.to_thread",
        }
        for name in sorted(used | slept):
            yield (
                f"{path}:{function.lineno}: {function.name} holds a transaction and uses {aliases.get(name, name)}. "
                "Take `db`, wait outside, and open short transactions around the waiting"
            )
        if "db" in arguments:
            yield (
                f"{path}:{function.lineno}: {function.name} takes `tx` and `db`. One transaction has one owner: "
                "take `tx` alone, or `db` and open what is needed"
            )


# What may be slow or away, by the names of its parameters and of its types.
OUTSIDE_NAMES = {"outside", "blobs", "embedder", "detector"}
OUTSIDE_TYPES = {"Outside", "Ports", "BlobStore", "Embedder", "Detector"}
PORT_MAKERS = {"Outside", "BlobStore", "EmbeddedEncoder", "EndpointEmbedder", "embedder_of", "LlmDetector"}


def transactions_take_nothing_outside(path: str, tree: Tree) -> Iterator[str]:
    for function in functions(tree):
        parameters = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
        if "tx" not in {parameter.arg for parameter in parameters}:
            continue
        for parameter in parameters:
            types = (
                set(re.findall(r"\w+", ast.unparse(parameter.annotation))) if parameter.annotation else set()
            )
            if parameter.arg in OUTSIDE_NAMES or types & OUTSIDE_TYPES:
                yield (
                    f"{path}:{function.lineno}: {function.name} takes `tx` and `{parameter.arg}`, which may be slow or "
                    "away. Take `db`, or let the caller wait first and pass what it got"
                )


def ports_come_from_the_composition_root(path: str, tree: Tree) -> Iterator[str]:
    if concept_of(path) in (None, "kit") or path.startswith("conversations/gate/"):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).rsplit(".", 1)[-1] in PORT_MAKERS:
            yield (
                f"{path}:{node.lineno}: makes {ast.unparse(node.func)}. Take `outside` as a parameter: "
                "goldloop/outside.py makes it once for a process"
            )


def pure_files_stay_pure(path: str, tree: Tree) -> Iterator[str]:
    says_so = re.search(r"\bPure\.(?=\n\n|\s*\Z)", ast.get_docstring(tree) or "")
    if not says_so and PurePosixPath(path).name != "model.py":
        return
    for line, module in imported_modules(path, tree):
        if module not in VALUES and any(module == name or module.startswith(f"{name}.") for name in IMPURE):
            yield f"{path}:{line}: a pure file imports {module}. Take what it gives as an argument"
    for function in functions(tree):
        if isinstance(function, ast.AsyncFunctionDef):
            yield f"{path}:{function.lineno}: a pure file has nothing to await: move {function.name} to the service"


def queries_name_their_columns(path: str, tree: Tree) -> Iterator[str]:
    for line, text in strings(tree):
        for source in re.findall(r"SELECT\s+(?:\w+\.)?\*\s+FROM\s+([\w.]+\(?)", text):
            if not source.endswith("("):
                yield f"{path}:{line}: SELECT * FROM {source}: name the columns, so that a new one changes nothing"


def the_tenant_is_a_parameter(path: str, tree: Tree) -> Iterator[str]:
    for line, text in strings(tree):
        if "current_setting('app." in text and not path.startswith(
            "migrations/"
        ):  # these make functions and policies
            yield f"{path}:{line}: a query reads the tenant from a setting. Pass it, or take it from the outer row"


def modules_stay_readable(path: str, tree: Tree) -> Iterator[str]:
    last = max((getattr(node, "end_lineno", 0) or 0 for node in ast.walk(tree)), default=0)
    if last > 400:
        yield f"{path}: {last} lines. Look for the decision hiding among the I/O and give it a file"


def modules_say_what_they_are(path: str, tree: Tree) -> Iterator[str]:
    if not ast.get_docstring(tree):
        yield f"{path}: open with a docstring: what is this the single source of?"


_READS_PATTERNS = {"compile", "match", "search", "fullmatch", "sub", "split", "findall", "finditer"}


def patterns_end_where_the_text_ends(path: str, tree: Tree) -> Iterator[str]:
    """`$` also matches before a line break at the end, unless lines are what is looked at."""
    reads_speech = path.startswith("conversations/gate/")  # a message may end in one
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or "MULTILINE" in ast.unparse(node) or reads_speech:
            continue
        named = [keyword.value for keyword in node.keywords if keyword.arg == "pattern"]
        function = ast.unparse(node.func)
        if function.startswith("re.") and function.removeprefix("re.") in _READS_PATTERNS:
            named += node.args[:1]
        for pattern in named:
            if ast.unparse(pattern).rstrip("\"'").endswith("$"):
                yield (
                    f"{path}:{node.lineno}: the pattern ends in `$`, which lets a line break through. "
                    "Use `full_match` or `slug_pattern` of kit/text, `fullmatch`, or `\\Z`"
                )


def names_say_what_they_hold(path: str, tree: Tree) -> Iterator[str]:
    node: Any
    for node in ast.walk(tree):
        name = (
            node.id if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
            else node.arg if isinstance(node, ast.arg)
            else node.name if isinstance(node, ast.ExceptHandler | ast.FunctionDef | ast.AsyncFunctionDef)
            else None
        )  # fmt: skip
        if name and name.lstrip("_") in VAGUE - PUBLIC_NAMES.get(path, set()):
            yield f"{path}:{node.lineno}: {name} does not say what it holds: `output`, `message`, `payload`, `locked` …"


def types_of_dimensions_stand_in_one_table(path: str, tree: Tree) -> Iterator[str]:
    """Demos make dimensions; nothing else asks which type one has."""
    if PurePosixPath(path).name == "demo.py" or path == "criteria/dimension_types.py":
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "DimensionType":
            yield f"{path}:{node.lineno}: asks for {ast.unparse(node)}. Make it a column of criteria/dimension_types.py"


RULES: list[Rule] = [
    types_of_dimensions_stand_in_one_table,
    names_say_what_they_hold,
    imports_follow_the_flow,
    light_parts_import_nothing_of_the_server,
    tables_have_one_writer,
    other_stores_are_read_where_no_use_case_does,
    only_entry_points_open_transactions,
    transactions_do_not_wait_on_networks,
    transactions_take_nothing_outside,
    ports_come_from_the_composition_root,
    pure_files_stay_pure,
    queries_name_their_columns,
    the_tenant_is_a_parameter,
    patterns_end_where_the_text_ends,
    modules_stay_readable,
    modules_say_what_they_are,
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_source_keeps_the_rule(rule: Rule) -> None:
    faults = [fault for path, tree in trees().items() for fault in rule(path, tree)]
    assert not faults, "\n" + "\n".join(faults)


@pytest.mark.parametrize(
    ("rule", "path", "source"),
    [
        (imports_follow_the_flow, "tenants/x.py", "from goldloop.jobs import service"),
        (imports_follow_the_flow, "kit/x.py", "import goldloop.tenants.auth"),
        (imports_follow_the_flow, "jobs/x.py", "from ..live import feed"),
        (imports_follow_the_flow, "entities/x.py", "from goldloop.criteria import service"),
        (imports_follow_the_flow, "criteria/x.py", "from goldloop.responses.model import ResponseStatus"),
        (imports_follow_the_flow, "responses/x.py", "from goldloop.promotion.rules import derive_status"),
        (imports_follow_the_flow, "promotion/x.py", "from goldloop.tools import api"),
        (imports_follow_the_flow, "jobs/x.py", "from goldloop.server import run"),
        (imports_follow_the_flow, "mcp/x.py", "from goldloop.cli import output"),
        (imports_follow_the_flow, "client/x.py", "from goldloop.kit import ids"),
        (imports_follow_the_flow, "cli/x.py", "from goldloop.client import Client"),
        (imports_follow_the_flow, "evals/x.py", "from goldloop.client import Client"),
        (imports_follow_the_flow, "weather/x.py", ""),
        (light_parts_import_nothing_of_the_server, "artifact_evals/x.py", "from goldloop.kit import numbers"),
        (light_parts_import_nothing_of_the_server, "artifact_evals/a/x.py", "import jsonschema_rs"),
        (light_parts_import_nothing_of_the_server, "evals/stats/x.py", "import numpy"),
        (light_parts_import_nothing_of_the_server, "cli/scorecard.py", "from goldloop.cli import keys"),
        (
            light_parts_import_nothing_of_the_server,
            "artifact_evals/x.py",
            "from goldloop.artifact_runs import service",
        ),
        (tables_have_one_writer, "jobs/store.py", "q = 'UPDATE api_keys SET name = $1'"),
        (tables_have_one_writer, "tenants/keys/service.py", "q = f'INSERT INTO api_keys ({c}) VALUES ($1)'"),
        (tables_have_one_writer, "promotion/store.py", "q = 'UPDATE entities SET content = $1'"),
        (tables_have_one_writer, "entities/history/store.py", "q = 'DELETE FROM entity_field_history'"),
        (tables_have_one_writer, "live/feed.py", "q = '''\nDELETE\tFROM x; DELETE FROM public.events'''"),
        (
            other_stores_are_read_where_no_use_case_does,
            "criteria/service.py",
            "from goldloop.entities.types import store as types\nasync def f(tx): await types.set_featured(tx)",
        ),
        (
            other_stores_are_read_where_no_use_case_does,
            "promotion/service.py",
            "from goldloop.responses.store import withdraw",
        ),
        (
            other_stores_are_read_where_no_use_case_does,
            "edges/service.py",
            "from goldloop.entities.records import store\nasync def f(tx): await store.titles(tx, [])",
        ),
        (
            only_entry_points_open_transactions,
            "tenants/keys/service.py",
            "async def f(db, a):\n async with db.tx(a): 0",
        ),
        (
            transactions_do_not_wait_on_networks,
            "jobs/service.py",
            "import httpx\nasync def f(tx): await httpx.get('')",
        ),
        (
            transactions_do_not_wait_on_networks,
            "jobs/service.py",
            "from httpx import AsyncClient as C\nasync def f(*, tx): C()",
        ),
        (transactions_do_not_wait_on_networks, "jobs/x.py", "async def f(tx): await asyncio.sleep(1)"),
        (transactions_do_not_wait_on_networks, "jobs/x.py", "async def f(tx, db): pass"),
        (transactions_take_nothing_outside, "jobs/x.py", "async def f(tx, outside): 0"),
        (transactions_take_nothing_outside, "jobs/x.py", "async def f(tx, *, store: BlobStore | None): 0"),
        (ports_come_from_the_composition_root, "jobs/x.py", "_blobs = BlobStore(load_settings().blob_url)"),
        (
            ports_come_from_the_composition_root,
            "jobs/x.py",
            "from goldloop.kit import embedding as e\ne.embedder_of(s)",
        ),
        (pure_files_stay_pure, "jobs/retries.py", "'''Waits. Pure.'''\nfrom goldloop.kit.db import Tx"),
        (pure_files_stay_pure, "jobs/retries.py", "'''Waits. Pure.'''\nimport random"),
        (pure_files_stay_pure, "jobs/retries.py", "'''Waits. Pure.'''\nasync def f(): 0"),
        (pure_files_stay_pure, "jobs/model.py", "from goldloop.kit import db"),
        (queries_name_their_columns, "jobs/store.py", "q = 'SELECT * FROM marks'"),
        (queries_name_their_columns, "jobs/store.py", "q = f'SELECT m.* FROM marks m {where}'"),
        (
            the_tenant_is_a_parameter,
            "jobs/store.py",
            "q = f\"SELECT {c} WHERE t = current_setting('app.tenant')\"",
        ),
        (patterns_end_where_the_text_ends, "jobs/x.py", "a = re.compile(r'^a$')"),
        (patterns_end_where_the_text_ends, "jobs/x.py", "a = re.compile(rf'^{b}$', re.DOTALL)"),
        (patterns_end_where_the_text_ends, "jobs/api.py", "S = Annotated[str, msgspec.Meta(pattern='^a+$')]"),
        (names_say_what_they_hold, "jobs/x.py", "said = output()"),
        (names_say_what_they_hold, "jobs/x.py", "for told, _held in pairs(): 0"),
        (names_say_what_they_hold, "jobs/x.py", "def f(held: int): 0"),
        (names_say_what_they_hold, "jobs/x.py", "class A:\n    told: str"),
        (names_say_what_they_hold, "jobs/x.py", "def _said(error): 0"),
        (types_of_dimensions_stand_in_one_table, "views/x.py", "if kind is DimensionType.RATING: 0"),
        (modules_stay_readable, "jobs/x.py", "\n" * 400 + "x = 1"),
        (modules_say_what_they_are, "jobs/x.py", "x = 1"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_the_rule_bites(rule: Rule, path: str, source: str) -> None:
    assert list(rule(path, ast.parse(source)))


@pytest.mark.parametrize(
    ("rule", "path", "source"),
    [
        (imports_follow_the_flow, "live/x.py", "from goldloop.jobs import service\nfrom goldloop import kit"),
        (
            imports_follow_the_flow,
            "cli/x.py",
            "from goldloop.server import run\nfrom goldloop import __version__",
        ),
        (imports_follow_the_flow, "app.py", "from goldloop.live import feed"),
        (imports_follow_the_flow, "promotion/x.py", "from goldloop.responses import service"),
        (light_parts_import_nothing_of_the_server, "artifact_evals/x.py", "import json, msgspec"),
        (imports_follow_the_flow, "artifact_runs/x.py", "from goldloop.artifact_evals import suite"),
        (names_say_what_they_hold, "jobs/x.py", "lock.held and output('it said nothing')"),
        (tables_have_one_writer, "jobs/x.py", "q = 'SELECT id FROM api_keys FOR UPDATE'"),
        (tables_have_one_writer, "tenants/keys/store.py", "q = 'UPDATE api_keys SET name = $1'"),
        (
            other_stores_are_read_where_no_use_case_does,
            "claims/service.py",
            "from goldloop.entities.types import store as types\nasync def f(tx): await types.find(tx, '')",
        ),
        (
            other_stores_are_read_where_no_use_case_does,
            "entities/records/service.py",
            "from goldloop.entities.records import store\nasync def f(tx): await store.insert(tx)",
        ),
        (queries_name_their_columns, "tenants/auth/store.py", "q = 'SELECT * FROM auth_key($1)'"),
        (
            patterns_end_where_the_text_ends,
            "jobs/x.py",
            "re.compile('^a$', re.MULTILINE)\nre.compile(r'a\\Z')\nre.compile('$(?!\\n)')\n_A.match('$')",
        ),
        (transactions_take_nothing_outside, "jobs/x.py", "async def f(db, actor, outside: Outside): 0"),
        (ports_come_from_the_composition_root, "outside.py", "BlobStore('x')"),
        (
            transactions_do_not_wait_on_networks,
            "jobs/x.py",
            "import httpx\nasync def f(db): await httpx.get('')",
        ),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_the_rule_lets_good_code_be(rule: Rule, path: str, source: str) -> None:
    assert not list(rule(path, ast.parse(source)))


def test_names_in_tools_say_what_they_hold_as_well() -> None:
    tools = some((PACKAGE.parents[1] / "tools").glob("*.py"))
    faults = [
        fault for path in tools for fault in names_say_what_they_hold(path.name, ast.parse(path.read_text()))
    ]
    assert not faults, "\n" + "\n".join(faults)


def test_each_rule_has_a_row_that_breaks_it() -> None:
    (table,) = test_the_rule_bites.pytestmark  # type: ignore[attr-defined]
    assert {row[0] for row in table.args[1]} == set(RULES)


@pytest.mark.parametrize(
    ("rule", "where"),
    [
        (names_say_what_they_hold, "artifact_evals/suite.py"),
        (types_of_dimensions_stand_in_one_table, "criteria/dimension_types.py"),
        (types_of_dimensions_stand_in_one_table, "criteria/demo.py"),
        (imports_follow_the_flow, "runtimes/python_agent.py"),
        (imports_follow_the_flow, "evals/replay/local.py"),
        (ports_come_from_the_composition_root, "conversations/gate/"),
        (ports_come_from_the_composition_root, "kit/"),
        (ports_come_from_the_composition_root, "outside.py"),
        (patterns_end_where_the_text_ends, "conversations/gate/"),
    ],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_what_a_rule_lets_be_still_needs_it(rule: Rule, where: str) -> None:
    there = [tree for path, tree in trees().items() if path.startswith(where)]
    assert any(fault for tree in there for fault in rule("jobs/x.py", tree)), (
        f"{where} needs no exception any more"
    )


def test_every_table_has_an_owner() -> None:
    schema = (PACKAGE / "schema.sql").read_text()
    made = set(re.findall(r"^CREATE TABLE public\.(\w+)", schema, re.MULTILINE))
    assert made <= WRITERS.keys(), f"name the writers of {sorted(made - WRITERS.keys())} in WRITERS"
    gone = {path for paths in WRITERS.values() for path in paths} - SOURCES.keys()
    assert not gone, f"WRITERS names files that are not there: {sorted(gone)}"


def test_every_exception_for_opening_transactions_is_still_used() -> None:
    unused = [
        path
        for path in ENTRY_POINTS
        if ".tx(" not in SOURCES.get(path, "") and ".anonymous(" not in SOURCES.get(path, "")
    ]
    assert not unused, f"take {unused} out of ENTRY_POINTS"


def test_every_concept_says_what_flows_in_and_out() -> None:
    """At the door of a concept, more than a title."""
    for concept in set(ORDER) - {"kit", "migrations"}:
        source = SOURCES.get(f"{concept}/__init__.py")
        if source is not None:
            text = ast.get_docstring(ast.parse(source)) or ""
            assert len(text) > 40, (
                f"{concept}/__init__.py: say what the concept is, what flows in and what out"
            )
    packages = {str(PurePosixPath(path).parent) for path in SOURCES}
    bare = [p for p in packages if f"{p}/__init__.py".removeprefix("./") not in SOURCES]
    assert not bare, f"give {bare} an __init__.py with a docstring"


@pytest.mark.parametrize("file", FUNCTION_FILES, ids=lambda file: file.stem)
def test_a_function_file_holds_one_function_of_its_name_and_who_may_call_it(file: object) -> None:
    path = PurePosixPath(str(file))
    sql = file.read_text()  # type: ignore[attr-defined]
    name = path.stem
    made = re.findall(r"^CREATE (?:OR REPLACE )?FUNCTION (\w+)\s*\(", sql, re.MULTILINE)
    assert made == [name], f"{path.name} makes {made}: one function per file, with the file's name"
    assert sql.startswith("-- "), f"{path.name}: begin with a comment that says what it is for"
    assert re.search(rf"^REVOKE ALL ON FUNCTION {name}\(", sql, re.MULTILINE), (
        f"{path.name}: REVOKE ALL … FROM PUBLIC, or every login may call it"
    )
    granted = re.search(rf"^GRANT EXECUTE ON FUNCTION {name}\(", sql, re.MULTILINE)
    internal = sql.rstrip().endswith("-- No role may call it: other functions do, with the owner's rights.")
    assert granted or internal, f"{path.name}: GRANT EXECUTE to the role that needs it, or say that none does"
    if "SECURITY DEFINER" in sql:
        assert "SET search_path" in sql, f"{path.name}: SECURITY DEFINER needs SET search_path"
    body = sql.split("$$")[1]
    if "SECURITY DEFINER" not in sql:
        unqualified = re.findall(rf"\b(?:INTO|FROM|JOIN|UPDATE)\s+({'|'.join(WRITERS)})\b(?!\.)", body)
        assert not unqualified, (
            f"{path.name}: write public.{unqualified[0]}: the caller chooses the search path"
        )


ASKS_FOR_A_KEY = {"/mcp"}  # itself, before anything else: tests/mcp


def test_every_route_says_who_may_call_it() -> None:
    faults, seen = [], 0
    for route in some(build_litestar().routes):
        if isinstance(route, ASGIRoute):
            assert route.path in ASKS_FOR_A_KEY
            continue
        assert isinstance(route, HTTPRoute)
        for handler in route.route_handlers:
            if handler.http_methods == {"OPTIONS"} or route.path.startswith("/internal-openapi"):
                continue  # the framework's own; the guard asks for a sign-in all the same
            seen += 1
            declared = handler.opt.keys() & {"permission", "public", "session_only"}
            if len(declared) != 1:
                faults.append(
                    f"{route.path} {handler.handler_name}: opt=needs(…), PUBLIC, ANY_MEMBER or SESSION_ONLY"
                )
    assert seen > 20
    assert not faults, "\n" + "\n".join(faults)


def test_only_signing_in_is_public_under_the_api() -> None:
    public = {
        (route.path, method)
        for route in build_litestar().routes
        if isinstance(route, HTTPRoute)
        for handler in route.route_handlers
        for method in handler.http_methods
        if route.path.startswith("/api") and handler.opt.get("public")
    }
    assert public == {
        ("/api/session", "POST"),
        ("/api/session/join", "POST"),
        ("/api/session/reset", "POST"),
        ("/api/sign-in", "GET"),
        ("/api/sign-in/{provider:str}", "POST"),
        ("/api/sign-in/{provider:str}/finish", "POST"),
    }
