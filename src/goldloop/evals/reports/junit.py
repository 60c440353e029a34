"""A run as JUnit XML, for whatever reads test reports: a case for each golden, and a last one for the gate. Pure.

A golden fails its case on a hard break or below its `min_pass`; one that passed with repeats that did not is a pass with
Surefire's `flakyFailure`, which old readers take for a pass.
"""

import re
from collections.abc import Mapping
from xml.etree import ElementTree as Xml

from goldloop.evals.reports.gate import Decision, GateExit
from goldloop.evals.reports.run_report import GoldenMove, GoldenResult, RunReport
from goldloop.evals.stats.counting import ReplayOutcome

MOST_CHARACTERS = 4000  # of a message
_CONTROL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def as_junit(
    report: RunReport, decision: Decision, *, timestamp: str, properties: Mapping[str, str] | None = None
) -> str:
    cases = [_case(report, golden) for golden in report.goldens] + [_gate_case(report, decision)]
    kinds = [child.tag for case in cases for child in case]
    counts = {
        "tests": str(len(cases)),
        "failures": str(kinds.count("failure")),
        "errors": str(kinds.count("error")),
        "skipped": str(kinds.count("skipped")),
        "time": f"{sum(golden.seconds for golden in report.goldens):.3f}",
    }
    root = Xml.Element("testsuites", counts)
    suite = Xml.SubElement(
        root, "testsuite", {"name": clean(f"{report.set} {report.agent}"), **counts, "timestamp": timestamp}
    )
    listed = Xml.SubElement(suite, "properties")
    for name, value in {**_properties(report), **(properties or {})}.items():
        Xml.SubElement(listed, "property", {"name": name, "value": clean(value)})
    suite.extend(cases)
    Xml.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(root, encoding="unicode") + "\n"


def clean(text: str) -> str:
    """What XML can hold, and no more than a person reads."""
    return _CONTROL.sub("\ufffd", text)[:MOST_CHARACTERS]


def _properties(report: RunReport) -> dict[str, str]:
    found = {
        "agent": report.agent,
        "baseline": report.baseline,
        "k": report.repeats,
        "mode": report.mode,
        "pass_rate": report.counts.pass_rate,
    }
    if report.interval is not None:
        found |= {
            "difference": report.interval.difference,
            "ci_low": report.interval.low,
            "ci_high": report.interval.high,
            "mdc": report.interval.smallest_detectable,
            "verdict": report.verdict,
        }
    for place, judged in enumerate(report.judged, 1):
        found |= {
            f"judge_{place}": judged.rubric,
            f"judge_{place}_licence": judged.licence,
            f"judge_{place}_pass_rate": judged.rate,
            f"judge_{place}_corrected": judged.corrected,
            f"judge_{place}_corrected_low": judged.low,
            f"judge_{place}_corrected_high": judged.high,
        }
    return {
        name: f"{value:.4f}" if isinstance(value, float) else str(value)
        for name, value in found.items()
        if value is not None
    }


def _element(report: RunReport, name: str, seconds: float) -> Xml.Element:
    names = {"classname": clean(f"{report.set}.{report.agent}"), "name": clean(name)}
    return Xml.Element("testcase", {**names, "time": f"{seconds:.3f}"})


def _case(report: RunReport, golden: GoldenResult) -> Xml.Element:
    case = _element(report, golden.id, golden.seconds)
    change, message = golden.change, clean(golden.divergence or "")
    if change is GoldenMove.ERROR:
        Xml.SubElement(case, "error", {"type": "infrastructure", "message": clean(golden.error or "failed")})
    elif change is GoldenMove.MISSING:
        Xml.SubElement(case, "error", {"type": "missing", "message": "there is no replay of this golden"})
    elif change in (GoldenMove.INCONCLUSIVE, GoldenMove.QUARANTINED):
        Xml.SubElement(case, "skipped", {"message": str(change)})
    elif golden.fails:
        Xml.SubElement(case, "failure", {"type": "divergence", "message": message or "it does not pass"})
    else:
        for _ in range(golden.outcomes.count(ReplayOutcome.FAILED)):
            Xml.SubElement(case, "flakyFailure", {"type": "divergence", "message": message})
    return case


def _gate_case(report: RunReport, decision: Decision) -> Xml.Element:
    against = f"no regression against {report.baseline}" if report.baseline else "thresholds"
    case = _element(report, f"[gate] {against}", 0.0)
    if decision.exit is GateExit.FAILED:
        Xml.SubElement(case, "failure", {"type": "gate", "message": clean("; ".join(decision.reasons))})
    elif decision.exit is not GateExit.PASSED:
        Xml.SubElement(case, "error", {"type": "gate", "message": clean("; ".join(decision.reasons))})
    return case
