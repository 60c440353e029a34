"""The page about evals says what its lines print."""

import re
import shlex
from pathlib import Path

import pytest
import yaml

from goldloop.cli.main import build_parser

PAGE = (Path(__file__).parents[2] / "docs" / "evals.md").read_text()
LINES = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize(("lines", "printed"), LINES, ids=["compare", "interval"])
def test_the_lines_print_what_the_page_says(
    lines: str, printed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    exec(lines, {})
    assert capsys.readouterr().out == printed


RECIPES = [yaml.safe_load(text) for text in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)]


def test_the_recipes_for_ci_are_lines_that_the_command_takes() -> None:
    github, gitlab = RECIPES
    steps = [step["run"] for step in github["jobs"]["evals"]["steps"]]
    for install, line in (steps, gitlab["evals"]["script"]):
        assert install == "pip install goldloop"
        name, *words = shlex.split(line)
        taken = build_parser().parse_args(words)
        assert (name, taken.command, taken.set, taken.agent) == ("goldloop", "eval run", "refunds", "support")
        assert (taken.confirm, taken.junit) == (True, "junit.xml")
    assert github["jobs"]["evals"]["env"].keys() == {"GOLDLOOP_URL", "GOLDLOOP_KEY"}
    assert gitlab["evals"]["artifacts"]["reports"]["junit"] == "junit.xml"
