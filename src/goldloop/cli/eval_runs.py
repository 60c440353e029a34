"""`goldloop eval run SET`: has a server replay a set of goldens, waits, and decides as `--file` does. Needs the client only."""

import argparse
import time
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.cli.eval_reports import OF_FILES, as_dict, as_text, check_options, read_gate, write_reports
from goldloop.cli.eval_servers import connect, say, tell
from goldloop.cli.output import CommandError, Output
from goldloop.client import Client, GoldloopError
from goldloop.client.calls import FIRST_PAUSE, GROWTH, LONGEST_PAUSE
from goldloop.client.eval_run_types import AgentReport, EvalRun, EvalRunDetail, RunAgent
from goldloop.client.ids import Id, new_id
from goldloop.evals.reports.confirmation import confirm_report
from goldloop.evals.reports.gate import MOST_ERRORS, Decision, Gate, GateExit, decide_gate
from goldloop.evals.reports.judged import LICENSED, JudgedResult, no_licence
from goldloop.evals.reports.run_report import GoldenResult, RunReport, build_report
from goldloop.evals.stats.counting import NoiseFloor, ReplayOutcome
from goldloop.evals.stats.model import Verdict
from goldloop.evals.stats.nightly import FRESH_REPEATS, Alarm, Nightly

REPEATS = 3  # of each golden, where nobody says how many
NOBODY, OF_RUN = "none", "run:"
STOPPED = {
    "cost_limit": "the run stopped at its highest cost",
    "cost_unknown": "the run stopped, because its replays do not know what they cost",
    "token_budget_spent": "the run stopped, because the workspace has used the tokens of today",
    "cost_budget_spent": "the run stopped, because the workspace has reached the cost of today",
    "storage_full": "the run stopped, because the workspace stores as much as it may",
}
WITHHELD = "people label replays of this run: what its judge says is withheld until they are done"


class Cancelled(Exception):
    """Somebody else stopped the run."""


class Outcome(NamedTuple):
    """`run` is the one that decides: the fresh repeats where a regression was to be confirmed."""

    run: EvalRunDetail
    report: RunReport
    fresh: Nightly | None = None


def eval_run(arguments: argparse.Namespace, output: Output) -> int:
    """Exit codes are those of `GateExit`, as pytest has them."""
    try:
        check_options(arguments, OF_FILES, "of a server")
        if not arguments.set:
            raise CommandError("say which set is replayed, or --file for goldens of a file")
        gate, asked = read_gate(arguments), read_asked(arguments)
        with connect(arguments) as client:
            if gate.min_judge_pass_rate is not None:
                check_licences(client, arguments.set)
            asked = asked | baseline_of_run(client, arguments.baseline)
            outcome = run_set(client, arguments.set, asked, confirms=arguments.confirm)
            if gate.min_judge_pass_rate is not None:
                outcome = wait_for_judges(client, outcome)
        decision = decide(outcome, gate)
        write_reports(arguments, outcome.report, decision, properties_of(outcome))
    except (GoldloopError, CommandError) as error:
        return tell(output, error)
    except (KeyboardInterrupt, Cancelled):
        say("the run is cancelled")
        return GateExit.INTERRUPTED
    answer = as_dict(outcome.report, decision) | {"run": run_as_dict(outcome)}
    output.result(answer, as_text(outcome.report, decision))
    return decision.exit


def judged_of(url: str, run: EvalRunDetail) -> list[JudgedResult]:
    """Of the first agent, in the numbers of the run's page."""
    first, rates = run.agents[0], run.judging.rates if run.judging else []
    return [
        JudgedResult(
            judge=str(rate.judge_id),
            rubric=rate.rubric,
            model=rate.model,
            replays=rate.replays,
            passed=rate.passed,
            rate=rate.rate,
            corrected=rate.corrected.rate if rate.corrected else None,
            low=rate.corrected.low if rate.corrected else None,
            high=rate.corrected.high if rate.corrected else None,
            method=rate.corrected.method if rate.corrected else None,
            refused=rate.refused.message if rate.refused else None,
            licence=rate.licence.status,
            kappa_low=rate.licence.low,
            reasons=[reason.message for reason in rate.licence.reasons],
            page=judge_page(url, rate.judge_id),
        )
        for rate in rates
        if (rate.agent_id, rate.agent_version) == (first.id, first.version)
    ]


def judge_page(url: str, judge_id: Id) -> str:
    return f"{url}/admin/agent-review/evals/judges/{judge_id}"


def check_licences(client: Client, name: str) -> None:
    """Before anything is spent: whoever would judge now needs a licence."""
    judges = list(client.judges.list(set=name, current=True))
    if not judges:
        where = f"{client.url}/admin/agent-review/evals/judges"
        raise CommandError(
            f"--min-judge-pass-rate: no judge has judged replays of {name}, so none has a licence; see {where}"
        )
    for judge in judges:
        state = judge.licence
        if state.status != LICENSED:
            page = judge_page(client.url, judge.id)
            reasons = [reason.message for reason in state.reasons]
            refusal = no_licence(judge.rubric.name, judge.model, state.status, reasons, page)
            raise CommandError(f"--min-judge-pass-rate: {refusal}")


def wait_for_judges(client: Client, outcome: Outcome) -> Outcome:
    """Until nobody is being asked any more. More replays that nobody judged than a gate allows are infrastructure that failed."""
    pause, run = FIRST_PAUSE, outcome.run
    while run.judging is not None and run.judging.pending:
        time.sleep(pause)
        pause = min(LONGEST_PAUSE, pause * GROWTH)
        run = client.eval_runs.show(run.id)
    judged = judged_of(client.url, run)
    return Outcome(run, msgspec.structs.replace(outcome.report, judged=judged), outcome.fresh)


def read_asked(arguments: argparse.Namespace) -> dict[str, Any]:
    """What the server is asked for beside the set."""
    baseline = arguments.baseline
    is_agent = baseline not in (None, NOBODY) and not baseline.startswith(OF_RUN)
    return {
        "agents": [read_agent("--agent", arguments.agent)] if arguments.agent else None,
        "baseline": read_agent("--baseline", baseline) if is_agent else baseline,
        "repeats": arguments.repeats or REPEATS,
        "mode": arguments.mode,
        "context": arguments.context,
        "margin": arguments.margin,
        "max_cost": arguments.max_cost,
        "trigger": arguments.trigger,
        "commit_sha": arguments.commit,
    }


def baseline_of_run(client: Client, baseline: str | None) -> dict[str, Any]:
    """`run:ID` is the agent that a run was about, in the version that it had then."""
    if baseline is None or not baseline.startswith(OF_RUN):
        return {}
    try:
        run_id = UUID(baseline.removeprefix(OF_RUN))
    except ValueError:
        raise CommandError(f"--baseline is run:ID with the id of a run, and {baseline} is not") from None
    agent = client.eval_runs.show(run_id).agents[0]
    return {"baseline": {"agent": str(agent.id), "version": agent.version}}


def read_agent(option: str, text: str) -> dict[str, Any]:
    """`SLUG` or `SLUG@VERSION`."""
    slug, at, version = text.partition("@")
    if not slug or (at and not (version.isascii() and version.isdigit() and int(version) > 0)):
        raise CommandError(f"{option} is SLUG or SLUG@VERSION, and {text} is not")
    return {"agent": slug, "version": int(version)} if at else {"agent": slug}


def run_set(client: Client, name: str, asked: dict[str, Any], *, confirms: bool) -> Outcome:
    run = start_and_wait(client, name, asked)
    report = report_of(client, run)
    if not confirms or report.verdict is not Verdict.REGRESSION:
        return Outcome(run, report)
    say(f"a regression: {FRESH_REPEATS} fresh repeats of each golden say whether it is one")
    again = find_confirmation(client, run)
    if again is not None:
        fresh = wait_for(client, again.id)
    else:
        fresh = start_and_wait(
            client, name, asked | pinned(run) | {"repeats": FRESH_REPEATS, "trigger": None}
        )
    confirmed, found = confirm_report(report_of(client, fresh))
    return Outcome(fresh, confirmed, found)


def pinned(run: EvalRun) -> dict[str, Any]:
    """The versions of the first run, also where a newer one was made meanwhile."""

    def named(agent: RunAgent) -> dict[str, Any]:
        return {"agent": str(agent.id), "version": agent.version}

    return {
        "agents": [named(agent) for agent in run.agents],
        "baseline": named(run.baseline) if run.baseline else NOBODY,
    }


def find_confirmation(client: Client, run: EvalRun) -> EvalRun | None:
    """The fresh repeats that the server began by itself, as it does where nobody watches."""
    if run.trigger == "manual":
        return None
    listed = client.eval_runs.list(set=run.set_name, kind="confirmation")
    for each in listed:  # newest first
        if each.confirms_id == run.id:
            return each
        if each.created_at < run.created_at:
            return None
    return None


def start_and_wait(client: Client, name: str, asked: dict[str, Any]) -> EvalRunDetail:
    """Interrupted, it takes the run along, also where the answer to its beginning was not read any more."""
    run_id = new_id()
    try:
        run = client.eval_runs.start_set(name, **asked, id=run_id)
        say(f"run {run.id}: {describe(run)}")
        return wait_for(client, run.id)
    except KeyboardInterrupt:
        try_cancel(client, run_id)
        raise


def describe(run: EvalRun) -> str:
    agents = ", ".join(named(agent) for agent in run.agents)
    against = f" against {named(run.baseline)}" if run.baseline else ""
    cost = "" if run.estimate.cost is None else f", about ${run.estimate.cost:.2f}"
    return (
        f"{run.estimate.replays} replays of {run.set_name} (version {run.set_version}) by {agents}{against}, "
        f"about {run.estimate.tokens:,} tokens{cost}"
    )


def named(agent: RunAgent) -> str:
    return f"{agent.slug} v{agent.version}"


def wait_for(client: Client, run_id: Id) -> EvalRunDetail:
    pause, done = FIRST_PAUSE, 0
    while True:
        run = client.eval_runs.show(run_id)
        if run.done > done:
            done = run.done
            say(f"{run.done} of {run.replays} replays, {run.passed} passed")
        if run.status == "cancelled":
            raise Cancelled
        if run.status != "running":
            return run
        time.sleep(pause)
        pause = min(LONGEST_PAUSE, pause * GROWTH)


def try_cancel(client: Client, run_id: Id) -> None:
    try:
        client.eval_runs.cancel(run_id)
    except GoldloopError as error:  # it is over, was never begun, or nobody answers
        say(f"the run was not cancelled: {error}")


def report_of(client: Client, run: EvalRunDetail) -> RunReport:
    """As a run of a file is reported: from the outcomes of each golden and those of its baseline; with what judges say of the
    agent that it is about."""
    (found, *_) = run.reports
    baseline = found.baseline or run.baseline
    report = build_report(
        results_of(found),
        set_name=run.set_name,
        agent=found.agent.slug,
        baseline=named(baseline) if baseline else None,
        repeats=run.repeats,
        mode=run.mode,
        margin=run.margin,
    )
    return msgspec.structs.replace(report, judged=judged_of(client.url, run))


def results_of(report: AgentReport) -> list[GoldenResult]:
    return [
        GoldenResult(
            id=str(golden.golden_id),
            outcomes=[ReplayOutcome(outcome) for outcome in golden.outcomes],
            baseline=(golden.baseline.passes, golden.baseline.runs) if golden.baseline else None,
            floor=NoiseFloor(golden.floor) if golden.floor else None,
            min_pass=golden.min_pass,
            divergence=golden.divergence,
            error=golden.error,
            seconds=golden.seconds or 0.0,
        )
        for golden in report.goldens
    ]


def decide(outcome: Outcome, gate: Gate) -> Decision:
    decision = decide_gate(outcome.report, gate)
    judging = outcome.run.judging
    if gate.min_judge_pass_rate is not None and judging is not None and judging.withheld:
        return Decision(exit=GateExit.USAGE, reasons=[WITHHELD], warnings=[])
    if gate.min_judge_pass_rate is not None and (unjudged := unjudged_of(outcome.run)) is not None:
        return Decision(exit=GateExit.INFRASTRUCTURE, reasons=[unjudged], warnings=[])
    warnings = list(decision.warnings)
    if outcome.fresh is not None and outcome.fresh.alarm is not Alarm.CONFIRMED:
        warnings.append(f"a regression was seen, and {FRESH_REPEATS} fresh repeats do not confirm it")
    if outcome.run.stopped in STOPPED:
        warnings.append(STOPPED[outcome.run.stopped])
    return msgspec.structs.replace(decision, warnings=warnings)


def unjudged_of(run: EvalRunDetail) -> str | None:
    """Why the judge is not heard, where too many of its answers are missing."""
    judging = run.judging
    missing = judging.failed + judging.not_judged if judging else 0
    asked = judging.judged + missing if judging else 0
    too_many = judging is not None and judging.judged and missing / asked > MOST_ERRORS
    return f"the judge gave no answer about {missing} of {asked} replays" if too_many else None


def properties_of(outcome: Outcome) -> dict[str, str]:
    run = outcome.run
    found = {
        "run": run.id,
        "set_version": run.set_version,
        "agent_version": run.agents[0].version,
        "context": run.context,
        "git_sha": run.commit_sha,
    }
    return {name: str(value) for name, value in found.items() if value is not None}


def run_as_dict(outcome: Outcome) -> dict[str, Any]:
    run, fresh = outcome.run, outcome.fresh
    return {
        "id": str(run.id),
        "set_version": run.set_version,
        "agent_version": run.agents[0].version,
        "baseline_version": run.baseline.version if run.baseline else None,
        "context": run.context,
        "commit": run.commit_sha,
        "cost": run.cost,
        "stopped": run.stopped,
        "confirmed": fresh.alarm is Alarm.CONFIRMED if fresh else None,
        "confirmed_p": fresh.mid_p if fresh else None,
    }
