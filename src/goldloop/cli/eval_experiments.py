"""`goldloop eval experiment SET`: has a server measure what knowledge is worth, waits, and says what was found. Needs the client only."""

import argparse
import time
from typing import Any

import msgspec

from goldloop.cli.eval_runs import STOPPED, Cancelled, named, read_agent
from goldloop.cli.eval_servers import connect, say, tell
from goldloop.cli.output import CommandError, Output, table
from goldloop.client import Client, GoldloopError
from goldloop.client.calls import FIRST_PAUSE, GROWTH, LONGEST_PAUSE
from goldloop.client.experiment_types import Experiment, ExperimentDetail, ExperimentForecast, ExperimentRow
from goldloop.client.ids import Id, new_id
from goldloop.evals.reports.gate import MOST_ERRORS, GateExit

OVER = ("completed", "cancelled")
WORDS = {"measured": "helps"}  # of labels that say something else to people


def eval_experiment(arguments: argparse.Namespace, output: Output) -> int:
    """Exit codes are those of `eval run`; what was found decides nothing, a person does."""
    try:
        if arguments.replays is not None and arguments.replays < 2:
            raise CommandError("--replays is at least 2")
        if arguments.dry_run and arguments.wait:
            raise CommandError("--dry-run begins nothing that one could --wait for")
        asked = read_asked(arguments)
        with connect(arguments) as client:
            if arguments.dry_run:
                foreseen = client.experiments.foresee(arguments.set, **asked)
                output.result(as_dict(foreseen), forecast_text(foreseen))
                return GateExit.PASSED
            found = begin(client, arguments.set, asked, waits=arguments.wait)
    except (GoldloopError, CommandError) as error:
        return tell(output, error)
    except (KeyboardInterrupt, Cancelled):
        say("the experiment is cancelled")
        return GateExit.INTERRUPTED
    code = exit_of(found)
    output.result(as_dict(found) | {"exit_code": int(code)}, experiment_text(found))
    return code


def read_asked(arguments: argparse.Namespace) -> dict[str, Any]:
    """What the server is asked for beside the set."""
    agent = read_agent("--agent", arguments.agent) if arguments.agent else {}
    return {"agent": agent.get("agent"), "version": agent.get("version"), "replays": arguments.replays}


def begin(client: Client, name: str, asked: dict[str, Any], *, waits: bool) -> ExperimentDetail:
    """Interrupted while somebody waits, it takes the experiment along."""
    experiment_id = new_id()
    try:
        begun = client.experiments.start(name, **asked, id=experiment_id)
        say(f"experiment {begun.id}: {describe(begun)}")
        say(f"{client.url}/admin/agent-review/evals/experiments/{begun.id}")
        return wait_for(client, begun.id) if waits else client.experiments.show(begun.id)
    except KeyboardInterrupt:
        if waits:
            try_cancel(client, experiment_id)
        raise


def describe(experiment: Experiment) -> str:
    reused = f", {experiment.reused} more are reused" if experiment.reused else ""
    return (
        f"{experiment.rows} rows on {experiment.goldens} goldens of {experiment.set_name} (version {experiment.set_version}) by "
        f"{named(experiment.agent)}, {experiment.replays} replays{reused}, about {experiment.estimated_tokens:,} tokens"
    )


def wait_for(client: Client, experiment_id: Id) -> ExperimentDetail:
    pause, progress = FIRST_PAUSE, (0, "screening")
    while True:
        found = client.experiments.show(experiment_id)
        if (found.done, found.status) != progress and found.done:
            progress = (found.done, found.status)
            say(f"{found.status}: {found.done} of {found.replays} replays")
        if found.status == "cancelled":
            raise Cancelled
        if found.status in OVER:
            return found
        time.sleep(pause)
        pause = min(LONGEST_PAUSE, pause * GROWTH)


def try_cancel(client: Client, experiment_id: Id) -> None:
    try:
        client.experiments.cancel(experiment_id)
    except GoldloopError as error:  # it is over, was never begun, or nobody answers
        say(f"the experiment was not cancelled: {error}")


def exit_of(found: ExperimentDetail) -> GateExit:
    """More errors than a gate allows are infrastructure that failed."""
    failed = found.status == "completed" and found.errors > MOST_ERRORS * found.replays
    return GateExit.INFRASTRUCTURE if failed else GateExit.PASSED


def as_dict(answer: ExperimentDetail | ExperimentForecast) -> dict[str, Any]:
    """As the API answers."""
    found: dict[str, Any] = msgspec.to_builtins(answer)
    return found


def forecast_text(foreseen: ExperimentForecast) -> str:
    left = f"; {foreseen.rows_left_out} more apply and are left out" if foreseen.rows_left_out else ""
    lines = [
        f"{foreseen.rows} rows on {foreseen.goldens} goldens{left}",
        f"{foreseen.replays} replays: {foreseen.made} to run, {foreseen.reused} there already, "
        f"about {foreseen.tokens:,} tokens{dollars(foreseen.cost)}",
    ]
    if foreseen.confirmation_replays_per_row:
        lines.append(
            f"each row that shows an effect takes up to {foreseen.confirmation_replays_per_row} replays more, "
            f"about {foreseen.confirmation_tokens_per_row:,} tokens{dollars(foreseen.confirmation_cost_per_row)}"
        )
    for each in foreseen.power:
        chance = "too few replays to tell" if each.power is None else f"{each.power:.0%}"
        needed = "" if each.replays_needed is None else f"; 80% takes {each.replays_needed} replays"
        lines.append(f"finds a row worth {each.effect * 100:.0f} points: {chance}{needed}")
    if foreseen.smallest_detectable is not None:
        smallest = foreseen.smallest_detectable * 100
        lines.append(f"the smallest effect that it finds four times in five is {smallest:.0f} points")
    return "\n".join(lines)


def dollars(cost: float | None) -> str:
    return "" if cost is None else f", about ${cost:.2f}"


def experiment_text(found: ExperimentDetail) -> str:
    rows = [
        [each.content or f"({each.row_id}, deleted)", _label(each), _figure(each), _counted(each), _p(each)]
        for each in found.results
    ]
    lines = [table(["row", "found", "points (95%)", "n", "p, adjusted"], rows), ""] if rows else []
    lines.append(verdict_line(found))
    if found.stopped in STOPPED:
        lines.append(f"warning: {STOPPED[found.stopped].replace('the run', 'the experiment')}")
    if found.reused and found.design == "halves":
        lines.append(
            f"warning: {found.reused} replays are those of earlier experiments; the adjusted p holds for the first look only"
        )
    return "\n".join(lines)


def verdict_line(found: ExperimentDetail) -> str:
    if found.status not in OVER:
        return f"{found.status}: {found.done} of {found.replays} replays"
    counted = found.findings
    if counted is None:
        return "nothing was measured"
    return (
        f"{counted.measured} help, {counted.harmful} harm, {counted.flagged} flagged and not confirmed, "
        f"{counted.no_effect_found} no effect found, {counted.unmeasured} unmeasured"
    )


def _label(row: ExperimentRow) -> str | None:
    if row.label is None:
        return None
    if row.reason is not None:
        return f"{row.label}: {row.reason.replace('_', ' ')}"
    return WORDS.get(row.label, row.label) + (", confirmed" if row.confirmed else "")


def _figure(row: ExperimentRow) -> str | None:
    if row.delta is None or row.low is None or row.high is None:
        return None
    return f"{row.delta * 100:+.1f} ({row.low * 100:.1f} to {row.high * 100:.1f})"


def _counted(row: ExperimentRow) -> str | None:
    lost = row.lost_present + row.lost_absent
    unit = "pairs" if row.basis == "pairs" else "replays"
    return f"{row.n} {unit}" + (f", {lost} lost" if lost else "") if row.n or lost else None


def _p(row: ExperimentRow) -> str | None:
    return None if row.adjusted_p is None else f"{row.adjusted_p:.3f}"
