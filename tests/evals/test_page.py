"""The page about evals says what its lines print."""

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "evals.md").read_text()
LINES = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize(("lines", "printed"), LINES, ids=["compare", "interval"])
def test_the_lines_print_what_the_page_says(
    lines: str, printed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    exec(lines, {})
    assert capsys.readouterr().out == printed
