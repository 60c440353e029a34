"""Files that others run Goldloop with: every metric, path, command and setting that they name exists."""

import configparser
import fnmatch
import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import REGISTRY

from goldloop.app import build_litestar
from goldloop.cli.main import build_parser
from goldloop.kit import metrics
from goldloop.kit.settings import DEFAULTS
from tests.loops import some

ROOT = Path(__file__).resolve().parents[1]
DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
CONTAINERFILE = DEPLOY / "Containerfile"
OF_PROMETHEUS = {"up"}
SUFFIXES = {
    "counter": ("_total",),
    "gauge": ("",),
    "histogram": ("_bucket", "_sum", "_count"),
    "info": ("_info",),
}


def samples() -> dict[str, set[str]]:
    """Every name that `/metrics` may say, with its labels as far as they are ours."""
    found: dict[str, set[str]] = {name: set(labels) for name, (_, labels) in metrics.READ_GAUGES.items()}
    ours = {"requests", "latency", "streams", "jobs", "marks"}
    labels = {getattr(metrics, name)._name: set(getattr(metrics, name)._labelnames) for name in ours}
    for family in REGISTRY.collect():
        for suffix in SUFFIXES[family.type]:
            found[family.name + suffix] = labels.get(family.name, set()) | (
                {"le"} if suffix == "_bucket" else set()
            )
    return found


def dashboard() -> Any:
    return json.loads((DEPLOY / "grafana" / "goldloop.json").read_text())


def expressions() -> list[str]:
    return [target["expr"] for panel in dashboard()["panels"] for target in panel.get("targets", [])]


def test_every_metric_of_the_dashboard_is_one_that_the_server_has_with_these_labels() -> None:
    known = samples()
    named = [
        (name, set(re.findall(r"(\w+)=", selector)))
        for expression in expressions()
        for name, selector in re.findall(r"\b([a-z_]+)\{([^}]*)\}", expression)
    ]
    assert {name for name, _ in some(named)} - known.keys() == OF_PROMETHEUS
    for name, labels in some(named):
        assert labels - {"job", "instance"} <= known.get(name, set()), name


def test_the_dashboard_shows_every_metric_of_ours() -> None:
    shown = " ".join(expressions())
    ours = {
        name for name in samples() if name.startswith("goldloop_") and not name.endswith(("_sum", "_count"))
    }
    assert {name for name in ours if name not in shown} == set()


def test_what_the_dashboard_groups_by_are_labels_of_what_it_groups() -> None:
    known = samples()
    for expression in some(expressions()):
        grouped = {word for group in re.findall(r"by \(([^)]*)\)", expression) for word in group.split(", ")}
        of = {label for name in known if name in expression for label in known[name]}
        assert grouped <= of, expression


def test_panels_of_the_dashboard_do_not_overlap() -> None:
    taken: set[tuple[int, int]] = set()
    panels = dashboard()["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    for panel in some(panels):
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert not cells & taken, panel["title"]
        assert at["x"] + at["w"] <= 24
        taken |= cells


def unit_of(path: Path) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(strict=True, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(path.read_text())
    return parser


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_a_unit_runs_a_command_that_exists_in_its_state_folder(path: Path) -> None:
    service = unit_of(path)["Service"]
    program, *arguments = shlex.split(service["ExecStart"].replace("%i", "8400"))
    assert program == "/opt/goldloop/bin/goldloop"
    parsed = build_parser().parse_args(arguments)
    assert parsed.data_dir == f"/var/lib/{service['StateDirectory']}" == service["WorkingDirectory"]
    assert ("%i" in service["ExecStart"]) is ("@" in path.name)


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_a_unit_gives_away_no_more_than_it_needs(path: Path) -> None:
    service = unit_of(path)["Service"]
    assert service["User"] == "goldloop"
    assert (service["ProtectSystem"], service["NoNewPrivileges"], service["CapabilityBoundingSet"]) == (
        "strict",
        "yes",
        "",
    )
    assert int(service["TimeoutStopSec"]) > 30, "requests have ten seconds to end, background work twenty"


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_systemd_takes_the_unit(path: Path, tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed")
    unit = tmp_path / path.name.replace("@", "@8400")  # an instance of a template
    unit.write_text(path.read_text().replace("/opt/goldloop/bin/goldloop", "/bin/sh"))  # one that is there
    checked = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True)
    assert (checked.returncode, [line for line in checked.stderr.splitlines() if path.stem in line]) == (
        0,
        [],
    )


def steps(path: Path) -> Iterator[tuple[str, str]]:
    """Instructions of a Containerfile."""
    text = re.sub(r"^#.*\n", "", path.read_text(), flags=re.MULTILINE).replace("\\\n", " ")
    for line in filter(None, map(str.strip, text.splitlines())):
        instruction, _, rest = line.partition(" ")
        yield instruction, rest.strip()


def values(instruction: str) -> list[str]:
    return [rest for name, rest in steps(CONTAINERFILE) if name == instruction]


def test_the_image_copies_what_there_is_and_nothing_else_is_sent_to_it() -> None:
    copied = [rest.split()[0] for rest in values("COPY") if not rest.startswith("--from")]
    assert copied == ["requirements/server.lock", "dist/*.whl"]
    assert (ROOT / copied[0]).is_file()
    assert fnmatch.fnmatch("dist/goldloop-0.1.0-py3-none-any.whl", copied[1])
    ignored = CONTAINERFILE.with_name("Containerfile.containerignore").read_text().split()
    assert ignored == ["*", *(f"!{path}" for path in copied)]


def test_the_image_starts_a_command_with_settings_that_exist() -> None:
    entry, command = json.loads(values("ENTRYPOINT")[0]), json.loads(values("CMD")[0])
    assert entry == ["goldloop"]
    assert build_parser().parse_args(command).command == "serve"
    settings = {name for rest in values("ENV") for name in re.findall(r"(GOLDLOOP_\w+)=", rest)}
    assert set(some(settings)) <= DEFAULTS.keys()
    assert values("EXPOSE") == [DEFAULTS["GOLDLOOP_PORT"]]
    path = re.search(r"127\.0\.0\.1:(\d+)(/\w+)", values("HEALTHCHECK")[0])
    assert path is not None
    assert (path[1], path[2] in {route.path for route in build_litestar().routes}) == ("8400", True)
    assert values("USER") == ["goldloop"]
