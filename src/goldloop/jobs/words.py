"""The single source of what jobs and marks are called where people read of them, and what to do when one failed. Pure.

Keyed by name, so that a job whose kind is gone is still shown; the tests see to it that every kind has its words.
"""

from typing import NamedTuple

_AGAIN = "Run it again."


class JobWords(NamedTuple):
    """`routine` is housekeeping that nobody waits for. `advice` is what it means that it failed, and what to do."""

    title: str
    advice: str
    routine: bool = False


JOB_WORDS: dict[str, JobWords] = {
    "tenants.record_key_use": JobWords(
        "Note when a key was used",
        "The key works; when it was last used is not up to date. Nothing needs to be done.",
        routine=True,
    ),
    "criteria.sync_default": JobWords(
        "Bring the default criteria set of a type up to date",
        f"The default set may lack fields of its type. {_AGAIN}",
        routine=True,
    ),
    "criteria.remove_default": JobWords(
        "Remove the default criteria set of a type",
        f"The set of a type that is gone is still there. {_AGAIN}",
        routine=True,
    ),
    "criteria.repair": JobWords(
        "Repair default criteria sets", f"Some default sets may not fit their types. {_AGAIN}"
    ),
    "edges.repair": JobWords(
        "Repair scores of connections", f"Scores beside some connections may be out of date. {_AGAIN}"
    ),
    "claims.repair": JobWords(
        "Repair aggregates of claims", f"Sources and quality of some claims may be out of date. {_AGAIN}"
    ),
    "sessions.run": JobWords(
        "Run an agent",
        "The agent did not come to an end; its session says how far it came. If its model or its server did not answer, run it "
        "again when it does. If the agent refuses its input or its configuration, change that first.",
    ),
    "storage.measure": JobWords(
        "Measure how much is stored",
        f"What is stored is that of the last time it was measured, and a limit goes by that. {_AGAIN}",
        routine=True,
    ),
    "exports.evaluation": JobWords(
        "Send an evaluation to the tracing server",
        "A rating is kept here and is not where your traces are. Look whether that server answers, then run it again.",
        routine=True,
    ),
    "tasks.run_due": JobWords(
        "Start a task by its schedule",
        "The task did not start this time. Run it again, or start the task from its page.",
        routine=True,
    ),
    "artifact_evals.score": JobWords(
        "Score the records of a suite", f"The run has no result. {_AGAIN} It goes on where it stopped."
    ),
    "webhooks.recover": JobWords(
        "Send missed events to a webhook", f"Some of the missed events were not queued. {_AGAIN}"
    ),
    "archives.write": JobWords(
        "Export the workspace",
        f"There is no archive. Look whether the blob store has room and answers. {_AGAIN}",
    ),
    "archives.clean": JobWords(
        "Remove what an export left behind",
        f"Parts of an archive take room in the blob store. {_AGAIN}",
        routine=True,
    ),
    "erasures.erase": JobWords(
        "Delete for good",
        f"Some of what was to be deleted is still there, hidden. {_AGAIN} It goes on where it stopped, and has to be done.",
    ),
    "retention.let_go": JobWords(
        "Delete what is older than it is kept",
        f"Some of it is kept for longer than was set. {_AGAIN}",
        routine=True,
    ),
}

MARK_WORDS: dict[str, str] = {
    "entities.words": "Search of records",
    "responses.of_type": "Responses of a type that changed",
    "responses.unassign": "Assignments of somebody who reviews no more",
    "responses.summaries": "Scores of records",
    "edges.scores": "Scores of a connection",
    "claims.aggregate": "Sources and quality of a claim",
    "blobs.write": "The log of a turn, to the blob store",
    "conversations.index": "Search of a conversation",
    "conversations.gate": "What a reaction in a conversation means",
    "sessions.watch": "A session elsewhere that may have gone silent",
    "otlp.spread": "Traces that came in",
    "otlp.derive": "A session from its trace",
    "otlp.derive_later": "A session from its trace, once it is whole",
    "otlp.derive_large": "A session from a large trace",
    "otlp.derive_large_later": "A session from a large trace, once it is whole",
    "otlp.settle": "The end of a session from traces",
    "otlp.watch": "A session whose trace went quiet",
    "population.advance": "Records that an agent fills in",
    "feedback.evaluations": "Ratings that came with a trace",
    "feedback.place": "The group of a piece of feedback",
    "feedback.group": "A group of feedback",
    "feedback.rerun": "Trying again what was rejected",
    "knowledge.citations": "Which knowledge a session used",
    "knowledge.propose": "A lesson from feedback",
    "knowledge.compare": "Whether a lesson is there already",
    "knowledge.ranks": "The order of knowledge in prompts",
    "goldens.measure": "What a lesson is worth",
    "goldens.recheck_values": "Whether a measured lesson is still the same",
    "goldens.judge": "What the judge says of a replay",
    "goldens.compare": "A replay beside its golden",
    "goldens.advance": "A run of evals",
    "goldens.let_go": "Runs of a golden that was revoked",
    "goldens.stop": "The end of a run that was cancelled",
    "goldens.promote_starter": "A golden of a starter set",
    "goldens.try_starter": "A trial of a starter set",
    "webhooks.spread": "Events for webhooks",
    "webhooks.send": "A delivery to a webhook",
    "webhooks.wake": "Deliveries that waited for a receiver",
}

ROUTINE = tuple(name for name, words in JOB_WORDS.items() if words.routine)


def words_of_job(name: str) -> JobWords:
    """Those of a kind that has none are its name: a job of another version, or of a test."""
    return JOB_WORDS.get(name) or JobWords(_readable(name), _AGAIN)


def title_of_mark(kind: str) -> str:
    return MARK_WORDS.get(kind) or _readable(kind)


def _readable(name: str) -> str:
    return name.replace(".", ": ").replace("_", " ").capitalize()
