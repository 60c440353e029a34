"""What many suites come to, as a summary for programs, a table for people and a page for a pull request. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from typing import Any

import msgspec

from goldloop.artifact_evals.model import KnowledgeDimension
from goldloop.artifact_evals.suite import (
    DimensionCoverage,
    FixtureReport,
    KnowledgeEvalSuite,
    Limit,
    SuiteReport,
    run_knowledge_eval_suite,
)
from goldloop.artifact_evals.values import numbered, printable

HEADINGS = {  # short enough that a row fits into a terminal of 80 columns
    KnowledgeDimension.SOURCE_GROUNDING: "SOURCES",
    KnowledgeDimension.SCHEMA_COMPLETENESS: "FIELDS",
    KnowledgeDimension.ACTIONABILITY: "ACTION",
    KnowledgeDimension.SAFETY_HUMAN_GATE: "SAFETY",
    KnowledgeDimension.WORKSPACE_RENDERABILITY: "RENDER",
    KnowledgeDimension.TENANT_ISOLATION: "TENANT",
}
LEFT_OUT = "–"  # in place of a count
LEGEND = "GOOD counts good fixtures that pass; the dimensions count bad ones that they catch."
RED, GREEN, DIM, BOLD, PLAIN = "\033[31m", "\033[32m", "\033[2m", "\033[1m", "\033[0m"


class Scorecard(msgspec.Struct, frozen=True, kw_only=True):
    passed: bool
    suites: tuple[SuiteReport, ...]

    @property
    def verdict(self) -> str:
        if not self.suites:
            return "no suite was run"
        failing = sum(not report.passed for report in self.suites)
        if failing:
            return f"{failing} of {numbered(len(self.suites), 'suite')} {'fails' if failing == 1 else 'fail'}"
        return f"{numbered(len(self.suites), 'suite')}, {numbered(self.fixtures, 'fixture')}: all hold"

    @property
    def fixtures(self) -> int:
        return sum(len(report.fixtures) for report in self.suites)


def build_scorecard(suites: Iterable[KnowledgeEvalSuite], limit: Limit = nullcontext) -> Scorecard:
    """A card of no suites does not pass: nothing was shown."""
    reports = tuple(run_knowledge_eval_suite(suite, limit) for suite in suites)
    return Scorecard(passed=bool(reports) and all(report.passed for report in reports), suites=reports)


def summarize(card: Scorecard) -> dict[str, Any]:
    """For summary.json: the same bytes for the same suites, whenever and wherever it is made."""
    return {
        "passed": card.passed,
        "verdict": card.verdict,
        "suites": [
            {
                "suite": report.suite,
                "title": report.title,
                "passed": report.passed,
                "fixtures": [_fixture(fixture) for fixture in report.fixtures],
                "coverage": msgspec.to_builtins(report.coverage),
                "drift": msgspec.to_builtins(report.drift),
                "problems": list(report.problems),
            }
            for report in card.suites
        ],
    }


def _fixture(fixture: FixtureReport) -> dict[str, Any]:
    result = fixture.result
    return {
        "name": fixture.name,
        "fails_dimension": fixture.fails_dimension,
        "held": fixture.held,
        "why": fixture.why,
        "overall": result.overall if result else None,
        "gaps": msgspec.to_builtins(result.gaps) if result else [],
    }


def _counts(report: SuiteReport) -> list[str]:
    """The cells of a row between the suite's name and the verdict."""
    good = [fixture for fixture in report.fixtures if fixture.fails_dimension is None]
    return [
        f"{sum(fixture.held for fixture in good)}/{len(good)}",
        *(_covered(covered) for covered in report.coverage),
    ]


def _covered(covered: DimensionCoverage) -> str:
    return LEFT_OUT if covered.left_out is not None else f"{covered.caught}/{covered.targeted}"


def _left_out(report: SuiteReport) -> list[str]:
    """What a suite does not judge, each with its reason: nothing is left out silently."""
    return [
        f"{covered.dimension} is left out: {printable(covered.left_out)}"
        for covered in report.coverage
        if covered.left_out is not None
    ]


def _failures(report: SuiteReport) -> Iterator[tuple[str, list[str]]]:
    """What does not hold, each with the failing dimensions and their reasons under it."""
    for fixture in report.fixtures:
        if not fixture.held:
            results = fixture.result.dimensions if fixture.result else ()
            reasons = [f"{found.dimension}: {found.reason}" for found in results if not found.passed]
            yield f"{fixture.name}: {fixture.why}", reasons
    for problem in report.problems:
        yield problem, []


def as_text(card: Scorecard, *, colour: bool) -> str:
    paint = _paint if colour else _leave
    head = ["SUITE", "GOOD", *HEADINGS.values(), ""]
    rows = [[report.suite, *_counts(report), "PASS" if report.passed else "FAIL"] for report in card.suites]
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    lines = [paint(_row(head, widths).rstrip(), BOLD)]
    for report, row in zip(card.suites, rows, strict=True):
        verdict = paint(row[-1], GREEN if report.passed else RED)
        lines.append(f"{_row(row[:-1], widths)}  {verdict}")
    for report in card.suites:
        notes = _left_out(report)
        if notes or not report.passed:
            lines += ["", paint(report.suite, BOLD)]
        lines += [f"  {paint(note, DIM)}" for note in notes]
        for what, reasons in _failures(report):
            lines.append(f"  {paint('FAIL', RED)}  {what}")
            lines += [f"          {reason}" for reason in reasons]
    lines += ["", paint(card.verdict, GREEN if card.passed else RED), paint(LEGEND, DIM)]
    return "\n".join(lines)


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=False))


def _paint(text: str, code: str) -> str:
    return f"{code}{text}{PLAIN}"


def _leave(text: str, _code: str) -> str:
    return text


def as_markdown(card: Scorecard) -> str:
    names = [dimension.value for dimension in KnowledgeDimension]
    lines = ["# Artifact evals scorecard", "", f"**{card.verdict}**", ""]
    lines += [f"| suite | good | {' | '.join(names)} | |", f"|---|---|{'---|' * len(names)}---|"]
    for report in card.suites:
        verdict = "pass" if report.passed else "**FAIL**"
        lines.append(f"| {_cell(report.suite)} | {' | '.join(_counts(report))} | {verdict} |")
    lines += ["", LEGEND]
    for report in card.suites:
        notes = _left_out(report)
        if notes or not report.passed:
            lines += ["", f"## {report.suite}", ""]
        lines += [f"- {note}" for note in notes]
        for what, reasons in _failures(report):
            lines.append(f"- {what}")
            lines += [f"  - {reason}" for reason in reasons]
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
