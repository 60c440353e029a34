"""The documentation says what the code does: commands, settings, errors, permissions, routes, links.

Each check is a function from the pages to what is wrong with them; the table at the end shows that each one bites.
"""

import argparse
import importlib
import pkgutil
import re
import shlex
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from prometheus_client import Counter, Gauge, Histogram

import goldloop
from goldloop.app import build_litestar
from goldloop.cli.main import build_parser
from goldloop.concepts import ORDER
from goldloop.conversations.reports import store as reports
from goldloop.criteria import definition
from goldloop.criteria import model as criteria
from goldloop.entities import fields, patterns, schema, schema_cost
from goldloop.entities.types import service as types
from goldloop.entities.validation import process as validation_process
from goldloop.entities.validation import service as validation
from goldloop.kit import compute_threads, metrics, numbers, pagination, request_limits, wire_types
from goldloop.kit import errors as kit_errors
from goldloop.kit import text as kit_text
from goldloop.kit.db import LEND_SECONDS
from goldloop.kit.errors import GoldloopError
from goldloop.kit.settings import DEFAULTS, OIDC_NAME, OIDC_PREFIX
from goldloop.responses import agreement_service, matrix_counts
from goldloop.responses import store as responses
from goldloop.tenants.roles import GRANTS, SCOPES
from goldloop.tenants.sign_in import attempt_service as sign_in
from tests.test_architecture import FUNCTION_FILES, WRITE, WRITERS

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "goldloop"
PAGES = [
    Path("README.md"),
    *sorted(p.relative_to(ROOT) for d in ("docs", "design") for p in (ROOT / d).glob("*.md")),
]

README_COMMANDS = {"make", "curl", "export", ".venv/bin/goldloop"}
NOT_OURS = {"node_modules", "dist", "build", "test-results"}  # ignored by git, made by tools
OUTSIDE_OPENAPI = {
    "GET /metrics",
    "GET /openapi.json",
    "GET /client.js",
    "GET /widget.js",
    "POST /mcp",
    "GET /.well-known/oauth-protected-resource/mcp",
}

OUR_WORDS = {
    "actor", "agent", "artifact", "claim", "criteria set", "dispatch", "event", "gate", "job", "mark", "origin", "party",
    "promote", "record", "response", "run", "settle", "topic", "Tx",
}  # fmt: skip

Pages = dict[str, str]
Check = Callable[[Pages], list[str]]


def read_pages() -> Pages:
    return {str(page): (ROOT / page).read_text() for page in PAGES}


def commands() -> dict[str, argparse.ArgumentParser]:
    """Every command that can be run, by its words."""

    def walk(parser: argparse.ArgumentParser, words: str) -> Iterator[tuple[str, argparse.ArgumentParser]]:
        groups = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
        if not groups:
            yield words, parser
        for group in groups:
            for word, inner in group.choices.items():
                yield from walk(inner, f"{words} {word}")

    return dict(walk(build_parser(), "goldloop"))


def options(parser: argparse.ArgumentParser) -> set[str]:
    return {option for action in parser._actions for option in action.option_strings}


def common_options() -> set[str]:
    return set.intersection(*map(options, commands().values()))


def sections(text: str) -> dict[str, str]:
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def rows(text: str) -> Iterator[list[str]]:
    for line in text.splitlines():
        if line.startswith("| "):
            yield [cell.strip() for cell in line.strip().strip("|").split("|")]


def code(cell: str) -> str | None:
    found = re.fullmatch(r"`([^`]+)`", cell)
    return found[1] if found else None


def differences(what: str, documented: set[str], true: set[str]) -> list[str]:
    missing = [f"{what} is not documented: {each}" for each in sorted(true - documented)]
    return missing + [f"{what} does not exist: {each}" for each in sorted(documented - true)]


def check_commands(pages: Pages) -> list[str]:
    described = {
        head: body for head, body in sections(pages["docs/cli.md"]).items() if head.startswith("goldloop ")
    }
    faults = differences("command", set(described), set(commands()))
    for words, parser in commands().items():
        body = described.get(words, "")
        mentioned = set(re.findall(r"`(--[a-z-]+)`", body))
        faults += differences(f"option of {words}", mentioned, options(parser) - common_options())
        usage = " ".join([words, *(str(a.metavar) for a in parser._actions if not a.option_strings)])
        if usage != words and usage not in body:
            faults.append(f"arguments are not documented: {usage}")
    intro = pages["docs/cli.md"].partition("\n## ")[0]
    documented = {name for row in rows(intro) if (name := code(row[0]))} | {"-h", "--help"}
    return faults + differences("option of every command", documented, common_options())


def check_settings(pages: Pages) -> list[str]:
    documented = {
        f"{name} = {row[1].strip('`')}" for row in rows(pages["docs/running.md"]) if (name := _setting(row))
    }
    of_providers = {each.partition(" ")[0] for each in documented if each.startswith(OIDC_PREFIX)}
    keys = re.findall(r"[A-Z_]+", OIDC_NAME.pattern.partition("<key>")[2])
    return differences(
        "setting",
        {each for each in documented if not each.startswith(OIDC_PREFIX)},
        {f"{name} = {value or 'none'}" for name, value in DEFAULTS.items()},
    ) + differences("setting of a provider", of_providers, {f"{OIDC_PREFIX}CORP_{key}" for key in keys})


def check_metrics(pages: Pages) -> list[str]:
    """Names with their labels."""
    documented = {
        f"{name} {', '.join(re.findall('`([a-z]+)`', row[1]))}"
        for row in rows(pages["docs/running.md"])
        if (name := code(row[0])) and name.startswith("goldloop_")
    }
    kept = [value for value in vars(metrics).values() if isinstance(value, (Counter, Gauge, Histogram))]
    true = {
        f"{each._name}{'_total' if isinstance(each, Counter) else ''} {', '.join(each._labelnames)}"
        for each in kept
    }
    true |= {f"{name} {', '.join(labels)}" for name, (_, labels) in metrics.READ_GAUGES.items()}
    return differences("metric", documented, true)


def _setting(row: list[str]) -> str | None:
    name = code(row[0])
    return name if name and name.startswith("GOLDLOOP_") else None


def errors() -> set[str]:
    for module in pkgutil.walk_packages(goldloop.__path__, "goldloop."):
        importlib.import_module(module.name)

    def walk(kind: type[GoldloopError]) -> Iterator[type[GoldloopError]]:
        yield kind
        for inner in kind.__subclasses__():
            yield from walk(inner)

    ours = (kind for kind in walk(GoldloopError) if kind.__module__.startswith("goldloop."))
    return {f"{kind.status} {kind.code}" for kind in ours}


def check_errors(pages: Pages) -> list[str]:
    documented = {
        f"{row[0]} {name}"
        for row in rows(pages["docs/api.md"])
        if row[0].isdigit() and (name := code(row[1]))
    }
    return differences("error", documented, errors())


def check_permissions(pages: Pages) -> list[str]:
    text = pages["docs/permissions.md"]
    header = next(row for row in rows(text) if row[0] == "permission")
    documented = {
        f"{role}: {permission}"
        for row in rows(text)
        if (permission := code(row[0]))
        for role, cell in zip(header[1:], row[1:], strict=False)
        if role in GRANTS and cell == "yes"
    }
    true = {f"{role}: {permission}" for role, grants in GRANTS.items() for permission in grants}
    unknown = [f"scope is not documented: {scope}" for scope in SCOPES if f"`{scope}`" not in text]
    return differences("grant", documented, true) + unknown


def check_routes(pages: Pages) -> list[str]:
    documented = set(re.findall(r"`((?:GET|POST|PUT|PATCH|DELETE) /[^`\s]*)`", pages["docs/api.md"]))
    document = build_litestar().openapi_schema.to_schema()
    true = {f"{method.upper()} {path}" for path, methods in document["paths"].items() for method in methods}
    return differences("route", documented, true | OUTSIDE_OPENAPI)


def check_links(pages: Pages) -> list[str]:
    faults = []
    for page, text in pages.items():
        for target in re.findall(r"\]\(([^)\s]+)\)", _prose(text)):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            file = (ROOT / page).parent / name if name else ROOT / page
            if not file.exists():
                faults.append(f"{page} links to {target}, which is not there")
            elif anchor and anchor not in _anchors(file.read_text()):
                faults.append(f"{page} links to {target}, which has no such heading")
        faults += [
            f"{page} has an image without words" for alt in re.findall(r"!\[([^\]]*)\]", text) if not alt
        ]
    return faults


def _prose(text: str) -> str:
    return re.sub(r"^\s*```.*?^\s*```$", "", text, flags=re.MULTILINE | re.DOTALL)


def _anchors(text: str) -> set[str]:
    heads = re.findall(r"^#+ (.+)$", _prose(text), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}


def check_folders(pages: Pages) -> list[str]:
    text = pages["README.md"] + pages["docs/architecture.md"]
    named = set(re.findall(r"([\w-]+)/", text))
    top = {d.name for d in ROOT.iterdir() if d.is_dir() and not d.name.startswith(".")} - NOT_OURS
    packages = {init.parent.name for init in PACKAGE.rglob("__init__.py")} - {PACKAGE.name}
    return [f"folder is nowhere explained: {name}" for name in sorted((top | packages) - named)]


def check_files(pages: Pages) -> list[str]:
    """Whatever the architecture page names with its folder is there; a name alone stands for one of each concept."""
    named = set(re.findall(r"`([\w.-]+/[\w./-]+)`", pages["docs/architecture.md"]))
    return [
        f"docs/architecture.md names {path}, which is not there"
        for path in sorted(named)
        if not any((folder / path).exists() for folder in (PACKAGE, ROOT)) and "NNNN" not in path
    ]


def check_order(pages: Pages) -> list[str]:
    """The import order and both tables of folders have every package, in the order of concepts.py."""
    architecture = pages["docs/architecture.md"]
    folders = [part for row in rows(architecture) for part in re.findall(r"^`(\w+)/`$", row[0])]
    of_readme = [
        part
        for row in rows(pages["README.md"])
        if "src/goldloop/" in row[0]
        for part in re.findall(r"(\w+)/`", row[0])
    ]
    found = {
        "the import order": next(
            (line for line in re.findall(r"^`([\w <]+)`", architecture, re.MULTILINE) if " < " in line), ""
        ).split(" < "),
        "the folders of docs/architecture.md": [name for name in folders if name != "client"],
        "the folders of README.md": [name for name in of_readme if name != "client"],
    }
    return [f"{what}: {names}, not {list(ORDER)}" for what, names in found.items() if names != list(ORDER)]


def check_data_model(pages: Pages) -> list[str]:
    """Every table of the schema, in order of the flow, with its key and whoever writes it."""
    schema = (PACKAGE / "schema.sql").read_text()
    pattern = r"^ALTER TABLE ONLY public\.(\w+)\n\s+ADD CONSTRAINT \S+ PRIMARY KEY \(([^)]*)\)"
    keys = dict(re.findall(pattern, schema, re.MULTILINE))
    tables = re.findall(r"^CREATE TABLE public\.(\w+)", schema, re.MULTILINE)
    true = {f"{table}: key {keys[table]}, written by {sorted(table_writers(table))}" for table in tables}
    found = [row for row in rows(pages["docs/data-model.md"]) if re.fullmatch(r"`\w+`", row[0])]
    documented = {
        f"{row[0].strip('`')}: key {row[3].strip('`')}, written by {sorted(re.findall(r'`([^`]+)`', row[4]))}"
        for row in found
    }
    faults = [f"is not so: {line}" for line in sorted(documented - true)]
    faults += [f"is not told: {line}" for line in sorted(true - documented)]
    return faults + [f"says nothing about {row[0]}" for row in found if len(row[2]) < 20]


def table_writers(table: str) -> set[str]:
    """What erases deletes from any table, as the page says; it is named beside its own."""
    functions = {
        file.stem
        for file in FUNCTION_FILES
        if (file.parent.name not in ("erasures", "retention") or table.startswith("eras"))
        and table in {name.rsplit(".")[-1] for name in WRITE.findall(file.read_text())}
    }
    return WRITERS[table] | functions


def shell_lines(text: str) -> Iterator[str]:
    for block in re.findall(r"^\s*```bash\n(.*?)^\s*```", text, flags=re.MULTILINE | re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            if line.strip():
                yield line.strip()


def check_shell(pages: Pages) -> list[str]:
    """Every `make` target exists and every `goldloop` command line is one that the parser takes."""
    targets = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    faults = []
    for page, text in pages.items():
        for line in shell_lines(text):
            words = shlex.split(line.rpartition(" | ")[2], comments=True)
            if page == "README.md" and words[0] not in README_COMMANDS:
                faults.append(f"{page} uses {words[0]}, which may not be there: {line}")
            if words[0] == "make":
                asked = {word for word in words[1:] if "=" not in word}
                faults += [f"{page}: there is no `make {target}`" for target in sorted(asked - targets)]
            if Path(words[0]).name == "goldloop" and not _parses(words[1:]):
                faults.append(f"{page} has a command that is refused: {line}")
    return faults


def _parses(arguments: list[str]) -> bool:
    try:
        build_parser().parse_args(arguments)
    except SystemExit:
        return False
    return True


def check_global_tables(pages: Pages) -> list[str]:
    fenced = re.search(
        r"^## Global tables$.*?^```\n(.*?)^```", pages["design/tenancy.md"], re.MULTILINE | re.DOTALL
    )
    documented = set(fenced[1].split()) if fenced else set()
    schema = (PACKAGE / "schema.sql").read_text()
    tables = set(re.findall(r"^CREATE TABLE public\.(\w+)", schema, flags=re.MULTILINE))
    isolated = set(
        re.findall(r"^CREATE POLICY tenant_isolation ON public\.(\w+)", schema, flags=re.MULTILINE)
    )
    return differences("global table", documented, tables - isolated)


def limits() -> dict[str, str]:
    """What the page on security says of each bound, by the words of its row or sentence."""
    kib = 1024
    return {
        "address and headers": f"{request_limits.HEAD_BYTES // kib} KiB, within {DEFAULTS['GOLDLOOP_HEAD_SECONDS']} s",
        "body": f"within {DEFAULTS['GOLDLOOP_BODY_SECONDS']} s (`GOLDLOOP_BODY_SECONDS`) and 1 s more for each "
        f"{request_limits.BODY_BYTES_PER_SECOND // kib} KiB",
        "nesting of a body": f"{kit_text.DEEPEST} levels",
        "numbers in a body": f"within ±1e{numbers.DIGITS}, and 0 or at least 1e-{numbers.DIGITS}",
        "requests sent ahead on one connection": f"{request_limits.MOST_WAITING}",
        "lists, objects and texts in a body": f"hold {wire_types.MAX_KEYS:,}",
        "sign-in attempts in 15 minutes": f"{sign_in.ATTEMPTS_PER_PAIR} of a client on an address, "
        f"{sign_in.ATTEMPTS_PER_ADDRESS} on an address, {sign_in.ATTEMPTS_PER_CLIENT} of a client",
        "a wrong current password": f"the account ({sign_in.ATTEMPTS_PER_ACCOUNT} in 15 minutes)",
        "a page of a list": f"{pagination.MAX_LIMIT} rows or {pagination.PAGE_BYTES // kib**2} MiB",
        "faults in an error": f"{kit_errors.MOST_FAULTS}, with how many more; each of at most "
        f"{kit_errors.LONGEST_TEXT} characters",
        "an aggregate of connections, outcomes": f"the newest {responses.MOST_RESPONSES:,} responses, "
        f"{responses.MOST_BYTES // kib**2} MiB and {matrix_counts.MOST_VALUES:,} values of them; the best "
        f"{matrix_counts.MOST_CONNECTIONS:,} connections and {matrix_counts.MOST_NAMED:,} values",
        "agreement": f"the newest {agreement_service.MOST_RESPONSES:,} responses, {agreement_service.MOST_VALUES:,} values and "
        f"{agreement_service.MOST_BYTES // kib**2} MiB",
        "satisfaction": f"{reports.MOST_COUNTS:,} numbers",
        "Such numbers are counted": f"by {compute_threads.THREADS} threads",
        "one count at work": f"{compute_threads.PER_WORKSPACE} at work or waiting, all workspaces together {compute_threads.IN_ALL}",
        "logs of turns in one answer": f"{pagination.PAGE_BYTES // kib**2} MiB",
        "a schema": f"{schema.MAX_SCHEMA_BYTES // kib} KiB, {schema.MAX_SCHEMA_VALUES:,} values, "
        f"{schema_cost.CONTENT_DEPTH} levels, {schema.MAX_PROPERTIES} fields",
        "its cost": f"{schema_cost.MAX_STEPS:,} steps",
        "names and options with references written out": f"{schema_cost.MAX_TEXT // kib} KiB",
        "patterns": f"{patterns.MAX_PATTERNS} of at most {patterns.MAX_PATTERN:,} characters, "
        f"{patterns.MAX_COMPILED // 10**6} MB compiled together; a match ends after {patterns.BACKTRACKS:,} steps",
        "field configs of a type": f"{fields.MAX_CONFIGS}, among them {fields.MAX_RELATIONS} relations",
        "a criteria set": f"{criteria.MAX_DIMENSIONS} dimensions, {criteria.MAX_OPTIONS} options each and "
        f"{definition.MAX_ALL_OPTIONS:,} together, {criteria.MAX_TYPES} types",
        "names of fields": f"{fields.MAX_FIELD_NAME} characters",
        "A check that is known to be quick": f"one of {validation.PROCESSES} processes",
        "processor time": f"after {validation_process.CPU_SECONDS:g} s of processor time, "
        f"{validation_process.WALL_SECONDS:g} s in all or {validation_process.MEMORY // kib**3} GiB",
        "at work or waiting": f"{validation.PER_WORKSPACE} at work or waiting, all workspaces together {validation.IN_ALL}, "
        f"and {validation.AT_MOST} with the first ones",
        "held against the records": f"{types.BATCH} at a time and {types.BATCH_BYTES // kib} KiB at a time",
        "three quarters of the connections": f"longer than {LEND_SECONDS} s",
    }


def check_limits(pages: Pages) -> list[str]:
    lines = pages["docs/security.md"].splitlines()
    return [
        f"docs/security.md does not say of {words!r}: {limit}"
        for words, limit in limits().items()
        if not any((line.startswith(f"| {words} |") or words in line) and limit in line for line in lines)
    ]


def check_words(pages: Pages) -> list[str]:
    """Each word of ours is defined once, in the order of the alphabet, and the architecture page leads there."""
    words = [row[0] for row in rows(pages["docs/words.md"])][1:]  # without the head of the table
    folded = [word.casefold() for word in words]
    faults = [f"defined twice: {word}" for word in sorted({w for w in folded if folded.count(w) > 1})]
    faults += [f"not in order: {after}" for before, after in pairwise(folded) if before > after]
    faults += [f"without a definition: {row[0]}" for row in rows(pages["docs/words.md"]) if not row[-1]]
    faults += [f"not defined: {word}" for word in sorted(OUR_WORDS - set(words))]
    linked = "](words.md)" in pages["docs/architecture.md"]
    return faults if linked else [*faults, "docs/architecture.md does not link to words.md"]


CHECKS: list[Check] = [
    check_commands,
    check_settings,
    check_metrics,
    check_errors,
    check_permissions,
    check_routes,
    check_links,
    check_folders,
    check_files,
    check_order,
    check_data_model,
    check_shell,
    check_global_tables,
    check_limits,
    check_words,
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_documentation_is_true(check: Check) -> None:
    assert check(read_pages()) == []


def test_the_picture_can_be_read_and_has_words() -> None:
    picture = ElementTree.parse(ROOT / "docs" / "images" / "flows.svg").getroot()
    svg = "{http://www.w3.org/2000/svg}"
    assert picture.findtext(f"{svg}title")
    assert picture.findtext(f"{svg}desc")
    assert "prefers-color-scheme: dark" in (picture.findtext(f"{svg}style") or "")


@pytest.mark.parametrize(
    ("check", "name", "before", "after"),
    [
        (check_commands, "docs/cli.md", "## goldloop key revoke", "## goldloop key remove"),
        (check_commands, "docs/cli.md", "- `--expires`", "- `--lifetime`"),
        (check_commands, "docs/cli.md", "goldloop job show ID", "goldloop job show"),
        (check_commands, "docs/cli.md", "| `--json` |", "| `--yaml` |"),
        (check_settings, "docs/running.md", "| `8400` |", "| `8000` |"),
        (check_settings, "docs/running.md", "| `GOLDLOOP_MODEL` |", "| `GOLDLOOP_MODELS` |"),
        (check_metrics, "docs/running.md", "| `goldloop_live_streams` |", "| `goldloop_streams` |"),
        (
            check_metrics,
            "docs/running.md",
            "| `goldloop_marks_total` | `kind`",
            "| `goldloop_marks_total` | `name`",
        ),
        (check_errors, "docs/api.md", "| 409 | `last_owner` |", "| 409 | `only_owner` |"),
        (check_errors, "docs/api.md", "| 409 | `last_owner` |", "| 403 | `last_owner` |"),
        (
            check_permissions,
            "docs/permissions.md",
            "| `keys.team.manage` | | | | yes |",
            "| `keys.team.manage` | | | yes | yes |",
        ),
        (check_permissions, "docs/permissions.md", "| `jobs.team.manage` |", "| `jobs.team.run` |"),
        (check_routes, "docs/api.md", "`POST /api/marks/retry`", "`POST /api/marks/again`"),
        (check_routes, "docs/api.md", "`PATCH /api/workspace`", "`PUT /api/workspace`"),
        (check_links, "README.md", "(docs/cli.md)", "(docs/commands.md)"),
        (check_links, "docs/running.md", "(cli.md#goldloop-tenant-create)", "(cli.md#goldloop-tenant-new)"),
        (check_links, "README.md", "![Three flows.", "![]("),
        (check_folders, "README.md", "`bench/`", "`benchmarks`"),
        (check_files, "docs/architecture.md", "`jobs/run_service.py`", "`jobs/runs.py`"),
        (check_files, "docs/architecture.md", "`conversations/turns/`", "`conversations/talks/`"),
        (check_data_model, "docs/data-model.md", "| `parties` |", "| parties |"),
        (check_data_model, "docs/data-model.md", "`tenant_id, section`", "`section`"),
        (check_data_model, "docs/data-model.md", "`review_response`", "`review`"),
        (check_order, "README.md", "| `src/goldloop/conversations/` |", "| `src/goldloop/claims/` |"),
        (check_order, "docs/architecture.md", "| `conversations/` |", "| conversations |"),
        (check_order, "docs/architecture.md", "claims < conversations", "claims"),
        (check_shell, "README.md", "\nmake test ", "\nmake tests "),
        (check_shell, "README.md", "goldloop key list --tenant main", "goldloop key list"),
        (check_shell, "README.md", "   make up\n", "   docker compose up\n"),
        (check_shell, "docs/running.md", "goldloop migrate status ", "goldloop migrate state "),
        (check_global_tables, "design/tenancy.md", "\ninvites\n", "\n"),
        (check_global_tables, "design/tenancy.md", "\nusers\n", "\nusers\nagents\n"),
        (check_limits, "docs/security.md", "| 32 KiB, within", "| 64 KiB, within"),
        (check_words, "docs/words.md", "| mark |", "| job |"),
        (check_words, "docs/words.md", "| settle |", "| Gate |"),
        (check_words, "docs/words.md", "| promote |", "| accept |"),
        (check_words, "docs/words.md", "| topic | what kind", "| topic |  |\n| topic | what kind"),
        (check_words, "docs/architecture.md", "[words](words.md)", "words"),
    ],
)
def test_a_mistake_is_found(check: Check, name: str, before: str, after: str) -> None:
    pages = read_pages()
    assert before in pages[name]
    pages[name] = pages[name].replace(before, after)
    if check is check_folders:
        pages["docs/architecture.md"] = pages["docs/architecture.md"].replace(before, after)
    assert check(pages) != []


def test_each_check_has_a_row_that_breaks_it() -> None:
    (table,) = test_a_mistake_is_found.pytestmark  # type: ignore[attr-defined]
    assert {row[0] for row in table.args[1]} == set(CHECKS)
