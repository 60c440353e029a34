"""Writes the Python client's response types from `web/openapi.json` into `types.py` and `*_types.py` of `goldloop.client`.

What a type is called in the client and what it says of itself stands in `MODULES`; its fields are those of the schema. A
schema that is not listed there is an object (`dict`) where another has it; words from a fixed list are plain text, so that a
new one does not break a program that never meets it.
"""

import json
import re
import subprocess
import sys
from pathlib import Path
from textwrap import fill, indent
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
CLIENT = ROOT / "src" / "goldloop" / "client"

Schemas = dict[str, dict[str, Any]]


class ClientType(NamedTuple):
    """With a `base` it has what that lacks. What is `sent` as well leaves out what is not set, and keeps whole numbers."""

    schema: str
    name: str
    doc: str = ""
    base: str | None = None
    sent: bool = False


MODULES: dict[str, list[ClientType]] = {
    "types": [
        ClientType("Party", "Party", "Who did something: a user, an agent or the system."),
        ClientType("WorkspaceView", "Workspace", "The key's workspace, with what the key may do in it."),
        ClientType(
            "FirstSteps", "FirstSteps", "How far a workspace is on the way to its first promoted value."
        ),
        ClientType("RoleView", "RoleGrants"),
        ClientType("ScopeView", "Scope"),
        ClientType("PermissionsView", "Permissions"),
        ClientType("Member", "Member"),
        ClientType("Agent", "Agent"),
        ClientType("ApiKey", "ApiKey"),
        ClientType(
            "CreatedApiKey", "CreatedApiKey", "`key` is the secret; it is shown this once.", base="ApiKey"
        ),
        ClientType("EntityType", "EntityType"),
        ClientType("EntityCount", "EntityCount"),
        ClientType(
            "Raters",
            "Raters",
            "Who rated a record, each by their newest response: how many, their median and how far they are apart.",
        ),
        ClientType(
            "Entity",
            "Entity",
            "A record. `score` is 0 to 100, None where there is none: the newest of those that `raters` gave.",
        ),
        ClientType("Relation", "Relation"),
        ClientType(
            "FieldChange",
            "FieldChange",
            "One entry of a field's history; `present` tells a missing value from null.",
        ),
        ClientType("Extraction", "Extraction", sent=True),
        ClientType(
            "Dimension",
            "Dimension",
            "One thing to be filled in; the same type is sent when a criteria set is defined.",
            sent=True,
        ),
        ClientType("CriteriaSet", "CriteriaSet"),
        ClientType(
            "EntityResponse",
            "Response",
            "One submission. Scores are None where nothing could be scored: that is not 0.",
        ),
        ClientType("ScoredResponse", "ScoredResponse"),
        ClientType(
            "DimensionRollup",
            "DimensionRollup",
            "`value` is what the strategy asked for; `spread` is the deviation between respondents.",
        ),
        ClientType("ProgressPoint", "ProgressPoint"),
        ClientType("DimensionAggregate", "DimensionAggregate"),
        ClientType(
            "NamedAggregate",
            "ConnectionAggregate",
            "What the responses say about one connection. `title` is None for a record that is gone.",
        ),
        ClientType(
            "ResponseAggregation",
            "Aggregation",
            "`by_connection` where connections were rated; `matrix` holds every number, in columns, where asked for. Of very much both hold a part: the best connections, by the newest responses; `…_omitted` says how many are missing.",
        ),
        ClientType(
            "DimensionAgreement",
            "Agreement",
            "Krippendorff's alpha of one dimension; where there is none, `reason` says why.",
        ),
        ClientType("FieldPreview", "FieldPreview"),
        ClientType(
            "PromotionPreview",
            "PromotionPreview",
            "What a promotion would do; with `errors` it would be refused.",
        ),
        ClientType("View", "View"),
        ClientType("ToolDescription", "Tool"),
    ],
    "archive_types": [
        ClientType("ArchivedTable", "ArchivedTable"),
        ClientType("TableLeftOut", "TableLeftOut", "A table that is not in an archive, and why."),
        ClientType(
            "ArchiveContents", "ArchiveContents", "`made_at` is the moment at which all of it was true."
        ),
        ClientType(
            "Archive",
            "Archive",
            "`done` of `total` rows are written; `size` and `contents` are there when it is done.",
        ),
        ClientType("RowFault", "RowFault", "`row` counts as a spreadsheet does, the head being 1."),
        ClientType("RecordPreview", "RecordPreview"),
        ClientType(
            "RecordImport",
            "RecordImport",
            "What came of a table, or would: with an error in any row nothing is imported.",
        ),
    ],
    "job_types": [
        ClientType("JobError", "JobError"),
        ClientType("JobFailure", "JobFailure"),
        ClientType("Job", "Job"),
        ClientType("JobDetail", "JobDetail", base="Job"),
        ClientType("Mark", "Mark"),
    ],
    "audit_types": [
        ClientType("AuditKey", "AuditKey"),
        ClientType("AuditEntry", "AuditEntry", "One fact: who made it true, with which key and from where."),
        ClientType("AuditChange", "AuditChange"),
        ClientType(
            "AuditDetail",
            "AuditDetail",
            "`changes` is None where nobody knows what it was before.",
            base="AuditEntry",
        ),
    ],
    "limit_types": [
        ClientType("UsageLimits", "UsageLimits", "What a workspace may use; None: as much as it likes."),
        ClientType(
            "LimitUse",
            "LimitUse",
            "`most` and `left` are None where there is no limit, `used` where nobody has counted.",
        ),
        ClientType(
            "KeyLimit", "KeyLimit", "`own` is whether its limit is its own and not that of every key."
        ),
        ClientType("StorageMeasure", "StorageMeasure", "What was stored when that was measured."),
        ClientType(
            "LimitsView",
            "LimitsView",
            "`limits` were set here, `installation` is what every workspace has at most: the lower counts.",
        ),
        ClientType("MeasureQueued", "MeasureQueued", "The job that measures."),
    ],
    "inbox_types": [
        ClientType("RecordOf", "RecordOf", "The record that a listed response is about."),
        ClientType(
            "ListedResponse", "ListedResponse", "A response among those to other records.", base="Response"
        ),
        ClientType("ResponseCount", "ResponseCount"),
        ClientType("Assignment", "Assignment", "`changed` are the responses that were not theirs before."),
        ClientType(
            "InboxCount",
            "InboxCount",
            "One kind of what waits. Counts stop at 1000; `mine` is None where nothing of the kind is assigned.",
        ),
    ],
    "list_types": [
        ClientType("ListQuery", "ListQuery", "What a list of records is asked for.", sent=True),
        ClientType("SavedList", "SavedList", "`own` is whether the key's holder keeps it."),
    ],
    "conversation_types": [
        ClientType("Intake", "Intake", "`existing` were there already, with the same content."),
        ClientType("ReactionContent", "ReactionContent"),
        ClientType("ReactionMeta", "ReactionMeta"),
        ClientType("ReactionPayload", "ReactionPayload", "`gate` is set for a machine's reaction."),
        ClientType("PlainReaction", "PlainReaction", "A reaction out of its envelope."),
        ClientType(
            "ReactionResult",
            "ReactionResult",
            "`outcome` is added, replaced, cleared or unchanged; without a reaction `artifact` and `plain` are None.",
        ),
        ClientType("ReactionToken", "ReactionToken"),
        ClientType("ReactionCounts", "ReactionCounts"),
        ClientType("ReactionSummary", "ReactionSummary"),
        ClientType("TurnReactions", "TurnReactions"),
        ClientType("ConversationReactions", "ConversationReactions"),
        ClientType("PeriodWindow", "PeriodWindow"),
        ClientType("ConversationsInPeriod", "ConversationsInPeriod"),
        ClientType("ReactionRow", "ReactionRow", "`text` is a line to read; what was written is in `plain`."),
        ClientType("TurnMessage", "TurnMessage"),
        ClientType("TurnWithReactions", "TurnWithReactions"),
        ClientType("TurnsWithReactions", "TurnsWithReactions"),
        ClientType("ConversationSummary", "Conversation"),
        ClientType("TranscriptTurn", "TranscriptTurn"),
        ClientType("Transcript", "Transcript"),
        ClientType("TurnLog", "TurnLog"),
        ClientType(
            "Satisfaction",
            "Satisfaction",
            "`rate` is ok / (ok + not_ok + neutral), between `low` and `high` with 95 %; None where nothing was counted.",
        ),
        ClientType("SatisfactionReport", "SatisfactionReport"),
        ClientType("CandidateTurn", "CandidateTurn"),
        ClientType("UnsettledReaction", "UnsettledReaction"),
    ],
    "agent_types": [
        ClientType(
            "AgentVersion", "AgentVersion", "What an agent ran with at a time; `changed` names what was new."
        ),
        ClientType("RunsWith", "RunsWith", "The newest version of an agent in short."),
        ClientType("LastSession", "LastSession"),
        ClientType(
            "ListedAgent",
            "ListedAgent",
            "An agent with what it runs with (None: it runs elsewhere) and its newest session.",
            base="Agent",
        ),
        ClientType(
            "AgentDefaults", "AgentDefaults", "What agents run with where they name nothing of their own."
        ),
        ClientType("AgentSecret", "AgentSecret", "That a secret is set, by whom and when."),
        ClientType("SecretList", "AgentSecrets"),
    ],
    "session_types": [
        ClientType("ConversationRef", "ConversationRef"),
        ClientType("SessionError", "SessionError"),
        ClientType("Question", "Question", "What a session that waits asks a person."),
        ClientType("SessionProgress", "SessionProgress", "How many of its children are over."),
        ClientType(
            "Session",
            "Session",
            "What an agent did in one run. `cost` is in US dollars, None where nobody told it.",
        ),
        ClientType("SessionTurn", "SessionTurn", "A turn of a conversation that names a session."),
        ClientType("SessionDetail", "SessionDetail", "A session with the first turns that name it."),
        ClientType("SessionEvent", "SessionEvent", "`payload` is a preview where `whole` is false."),
        ClientType("Appended", "Appended", "How many events were new, and how many the session has."),
    ],
    "task_types": [
        ClientType("Schedule", "Schedule", "A cron expression of five fields, by the clock of a time zone."),
        ClientType("TaskProblem", "TaskProblem", "Why the schedule could not start a session last time."),
        ClientType("Task", "Task", "Work for an agent; `next_at` is when it is due by its schedule."),
    ],
    "webhook_types": [
        ClientType(
            "Webhook",
            "Webhook",
            "Where events are sent. `switched_off` says why the server switched it off, None where it did not.",
        ),
        ClientType(
            "WebhookWithSecret", "WebhookWithSecret", "The webhook with its secret, which is shown once."
        ),
        ClientType("Delivery", "Delivery", "An event that is sent to one receiver."),
        ClientType("Attempt", "Attempt", "One request, and the first kilobyte of what was answered."),
        ClientType("DeliveryDetail", "DeliveryDetail", "`body` is what is sent, `tries` are newest first."),
        ClientType("EventInfo", "EventInfo", "`data` is the JSON schema of what is sent of an event."),
        ClientType("Recovery", "Recovery", "The job that queues what was missed."),
    ],
    "feedback_types": [
        ClientType(
            "Feedback",
            "Feedback",
            "What somebody, or something, thinks of what an agent made. `created_by` is the member whose it is.",
        ),
        ClientType("TurnAbout", "TurnAbout"),
        ClientType("RecordAbout", "RecordAbout"),
        ClientType("ResponseAbout", "ResponseAbout"),
        ClientType("SessionAbout", "SessionAbout"),
        ClientType(
            "FeedbackAbout", "FeedbackAbout", "What feedback is about, as far as the reader may see it."
        ),
        ClientType("FeedbackDetail", "FeedbackDetail", base="Feedback"),
        ClientType("FeedbackAfterReview", "FeedbackAfterReview", base="Feedback"),
        ClientType(
            "ReviewOutcome", "ReviewOutcome", "`done`, `already` where somebody was first, or `absent`."
        ),
        ClientType("Outcomes", "ReviewOutcomes"),
        ClientType("Counted", "FeedbackCounted"),
        ClientType("Counts", "FeedbackCounts"),
        ClientType(
            "FeedbackGroup",
            "FeedbackGroup",
            "Feedback about one matter; `kind` says why it is together, `origins` are its distinct signals.",
        ),
        ClientType(
            "DecidedGroup",
            "DecidedGroup",
            "A group after a decision, which is taken back by `decision_id`.",
            base="FeedbackGroup",
        ),
        ClientType(
            "GroupOutcomes",
            "GroupOutcomes",
            "`data` has the first that were reviewed now and the last before; `done` counts all.",
            base="ReviewOutcomes",
        ),
        ClientType("SplitOff", "SplitOff"),
        ClientType("FeedbackSettings", "FeedbackSettings"),
        ClientType("Reject", "ImportReject"),
        ClientType("UnmappedName", "UnmappedName", "A name that no rule covers."),
        ClientType("ImportReport", "ImportReport", "What became of a file, or with `dry_run` would."),
        ClientType("ImportKinds", "ImportKinds"),
        ClientType("Share", "Share", "`count` of `n`, between `low` and `high` with 95 %."),
        ClientType("Average", "Average"),
        ClientType("ByQuality", "ByQuality"),
        ClientType(
            "QualityLoopReport", "QualityLoopReport", "What rejections say, and what becomes of trying again."
        ),
    ],
    "chain_types": [
        ClientType("ChainNode", "ChainNode", "Something that rests on others, or that others rest on."),
        ClientType("ChainEdge", "ChainEdge", "`source` rests on `target`; both are refs of nodes."),
        ClientType("Chain", "Chain", "Nodes by how far they are away, and the steps between them."),
        ClientType("Retraction", "Retraction", "Something that is not to be relied on any more."),
        ClientType("ItemReason", "ItemReason", "Another retraction for which the same thing waits."),
        ClientType("ChainItem", "ChainItem", "Something that a person is to look at again."),
    ],
    "knowledge_types": [
        ClientType("IncludedRow", "IncludedRow", "A row of a prompt, and why it is in it."),
        ClientType("LeftOutRows", "LeftOutRows", "How many rows a prompt does not hold, by why."),
        ClientType(
            "SharedContextPrompt",
            "SharedContextPrompt",
            "`prompt` goes into an agent's instructions; `manifest` is what its session names, None where nothing was learnt.",
        ),
        ClientType("PairedEvidence", "PairedEvidence", "Replays with a row beside replays without it."),
        ClientType(
            "MeasuredValue",
            "MeasuredValue",
            "What a row was measured to change; `delta` is None where nothing could be measured, and `reason` says why.",
        ),
        ClientType(
            "ManifestRow", "ManifestRow", "A line of a prompt, why it was in it, and what its row is now."
        ),
        ClientType("ShownManifest", "PromptManifest", "What a prompt held, word for word."),
        ClientType("SessionPrompt", "SessionPrompt", "Why something was in the prompt of a session."),
        ClientType(
            "SharedContext",
            "SharedContext",
            "Something that was learnt. `value` is None as long as nobody has measured it.",
        ),
        ClientType("KnowledgeSupport", "KnowledgeSupport", "What a row rests on."),
        ClientType("WrittenKnowledge", "WrittenKnowledge"),
        ClientType("KnowledgeEntry", "KnowledgeEntry", "What happened to a row, by whom and why."),
        ClientType("SharedContextDetail", "SharedContextDetail", base="SharedContext"),
        ClientType(
            "SupportReviewed",
            "SupportReviewed",
            "`changed` is the feedback that counts otherwise now, `row` the knowledge then.",
        ),
        ClientType("Neighbour", "Neighbour"),
        ClientType("Neighbours", "Neighbours", "Rows that read like another, the most alike first."),
        ClientType("ScopeDiff", "ScopeDiff"),
        ClientType("PromptChange", "PromptChange", "What a change does to the prompts of each scope."),
        ClientType("FieldOfSession", "FieldOfSession"),
        ClientType("SessionWithRow", "SessionWithRow", "A session that had a row in its prompt."),
        ClientType("Proposed", "Proposed"),
        ClientType("KnowledgeSettings", "KnowledgeSettings"),
        ClientType("KnowledgeCount", "KnowledgeCount"),
        ClientType("KnowledgeCounts", "KnowledgeCounts"),
        ClientType("KnowledgeUse", "KnowledgeUse"),
        ClientType("KnowledgeUses", "KnowledgeUses"),
        ClientType("Memory", "Memory"),
    ],
    "eval_types": [
        ClientType(
            "Golden",
            "Golden",
            "A session that others are held to. `floor` is None as long as nobody has tried.",
        ),
        ClientType("GoldenSet", "GoldenSet"),
        ClientType("SnapshotAgent", "SnapshotAgent"),
        ClientType("SnapshotBrief", "SnapshotBrief"),
        ClientType("SnapshotEntity", "SnapshotEntity"),
        ClientType("SnapshotTool", "SnapshotTool"),
        ClientType("SnapshotType", "SnapshotType"),
        ClientType("SnapshotKnowledge", "SnapshotKnowledge"),
        ClientType("Spoken", "Spoken"),
        ClientType("GoldenSnapshot", "GoldenSnapshot", "What a golden began with."),
        ClientType("GoldenDetail", "GoldenDetail", base="Golden"),
        ClientType("ProposedFacts", "ProposedFacts"),
        ClientType("CandidateGolden", "CandidateGolden", "A prompt that an agent did badly with."),
        ClientType("Candidates", "Candidates"),
        ClientType("ResolvedCandidate", "ResolvedCandidate"),
        ClientType("StarterSet", "StarterSet", "A set of goldens to begin with, and how far it is loaded."),
        ClientType("StarterSets", "StarterSets"),
    ],
    "eval_run_types": [
        ClientType("RunAgent", "RunAgent", "An agent in one of its versions."),
        ClientType("Estimate", "EvalEstimate", "What a run will use; `cost` is None where nobody knows it."),
        ClientType("Forecast", "EvalForecast", "What a run would use, and beside whom.", base="EvalEstimate"),
        ClientType("Passes", "Passes"),
        ClientType("GoldenReport", "GoldenReport"),
        ClientType("ReplayUse", "ReplayUse", "What one replay uses on average."),
        ClientType("Spread", "Spread"),
        ClientType("AgentReport", "AgentReport", "What a run came to for one agent."),
        ClientType("JudgeAgreement", "JudgeAgreement", "How far a judge says what the comparison says."),
        ClientType("RunJudging", "RunJudging", "Replays of a run by what became of judging them."),
        ClientType("ReplayJudging", "ReplayJudging", "How the judging of a replay stands."),
        ClientType("Judge", "Judge", "Who judged: checks, or a language model."),
        ClientType("RubricDimensionScore", "RubricDimensionScore", "One rating, with its score and why."),
        ClientType(
            "RubricScoreResult", "RubricScoreResult", "What a judge says, by the ratings of a rubric."
        ),
        ClientType(
            "EvalRun", "EvalRun", "Replays of one golden or of a set, and their verdict once it is over."
        ),
        ClientType("EvalRunDetail", "EvalRunDetail", base="EvalRun"),
        ClientType("Replay", "Replay", "One replay; its id is that of its session."),
        ClientType("ReplayDetail", "ReplayDetail", base="Replay"),
        ClientType("EvalMatrixCell", "EvalMatrixCell"),
        ClientType("EvalMatrixRow", "EvalMatrixRow"),
        ClientType("EvalMatrix", "EvalMatrix", "Goldens by agent versions."),
        ClientType("TrendPoint", "TrendPoint", "A run as a point in time."),
        ClientType("ExportedGolden", "ExportedGolden", "A golden whole, as a file has it."),
        ClientType(
            "GoldenExport", "GoldenExport", "A page of a set, with what all of its goldens have in common."
        ),
    ],
    "experiment_types": [
        ClientType("EffectPower", "EffectPower", "How likely an effect is found."),
        ClientType("ExperimentForecast", "ExperimentForecast", "What an experiment would use and find."),
        ClientType("ExperimentFindings", "ExperimentFindings", "Rows by what was found."),
        ClientType("Experiment", "Experiment", "Replays that show what knowledge is worth."),
        ClientType("PairsOfRow", "PairsOfRow", "Replays with a row beside replays without it."),
        ClientType("ExperimentRow", "ExperimentRow", "What an experiment found about a row."),
        ClientType("ExperimentDetail", "ExperimentDetail", base="Experiment"),
    ],
    "judge_types": [
        ClientType("JudgeReason", "JudgeReason", "Why a judge only advises, or a rate is not corrected."),
        ClientType("LabelledShare", "LabelledShare", "A share of labelled replays, with its interval."),
        ClientType("JudgeConfusion", "JudgeConfusion", "Labelled replays by who says that they pass."),
        ClientType("JudgeEvidence", "JudgeEvidence", "What people say of replays that a judge judged."),
        ClientType("LabelsWanted", "LabelsWanted", "How many labels a licence lacks, and of which."),
        ClientType("JudgeLicence", "JudgeLicence", "What a person issued, by the labels of that day."),
        ClientType("JudgeLicenceState", "JudgeLicenceState", "Whether a judge may decide, and why not."),
        ClientType("JudgeRubric", "JudgeRubric", "A rubric as a judge was asked by it."),
        ClientType("RubricRating", "RubricRating", "One rating of a rubric."),
        ClientType("EvalJudge", "EvalJudge", "A rubric, a model and a prompt together."),
        ClientType("EvalJudgeDetail", "EvalJudgeDetail", base="EvalJudge"),
        ClientType("JudgeSample", "JudgeSample", "Judged replays that people label, drawn at random."),
        ClientType("JudgeLabel", "JudgeLabel", "What a person says of a replay."),
        ClientType("JudgedRating", "JudgedRating", "What a judge says of one rating."),
        ClientType("JudgeDisagreement", "JudgeDisagreement", "Where a judge and people differ."),
        ClientType("LabelPart", "LabelPart", "One step of what a labeller reads."),
        ClientType("LabelEffect", "LabelEffect", "A write that worked."),
        ClientType("QueuedSample", "QueuedSample", "A sample that waits for labels."),
        ClientType("OwnLabel", "OwnLabel", "What the caller said of a replay."),
        ClientType("LabelItem", "LabelItem", "A replay to label, without what anybody says of it."),
        ClientType("NextLabelItem", "NextLabelItem"),
        ClientType("Labelled", "Labelled", "`ended` is whether it was the last label of its sample."),
        ClientType("CorrectedRate", "CorrectedRate", "A pass rate without a judge's errors."),
        ClientType("JudgedRate", "JudgedRate", "How many replays pass by a judge, and corrected."),
    ],
    "artifact_eval_types": [
        ClientType("LeftOut", "LeftOut", "A dimension that does not count, why, and who says so."),
        ClientType(
            "DimensionSummary",
            "DimensionSummary",
            "How many records pass a dimension; `mean` is None where none has a score.",
        ),
        ClientType(
            "ArtifactEvalRun",
            "ArtifactEvalRun",
            "Scoring every record of a suite's type; `done` of `total` are scored so far.",
        ),
        ClientType(
            "SuiteOfWorkspace",
            "ArtifactEvalSuite",
            "A suite of the server and what the workspace has for it.",
        ),
        ClientType(
            "RecordGap", "ArtifactEvalGap", "Something to fix; without a `dimension` nothing could be judged."
        ),
        ClientType(
            "RecordResult",
            "ArtifactEvalResult",
            "What a run found about a record; `gaps` are the most important first.",
        ),
        ClientType("StepResult", "LoopStep"),
        ClientType("LoopReport", "LoopReport"),
    ],
    "erasure_types": [
        ClientType("Kept", "Kept", "What stays when something is erased, and why."),
        ClientType(
            "ErasurePreview", "ErasurePreview", "What an erasure would find, by kind, and what would stay."
        ),
        ClientType(
            "Erasure",
            "Erasure",
            "Something that is deleted for good. `gone` counts rows by table, `(text)` those that stay without it. "
            "`subject` is None when it is over.",
        ),
        ClientType("Retention", "Retention", "How many days things are kept; None: for ever."),
        ClientType("KeptLonger", "KeptLonger", "What stays though its time is over."),
        ClientType("RetentionDue", "RetentionDue", "What would go at this moment."),
    ],
    "connection_types": [
        ClientType("RecordLink", "RecordLink"),
        ClientType(
            "RankedConnection",
            "RankedConnection",
            "`score` is 0 to 100, None where nobody rated the connection.",
        ),
        ClientType("Outcome", "Outcome", "How a record did with the one that was asked about."),
        ClientType("ClaimSettings", "ClaimSettings"),
        ClientType(
            "ClaimSource",
            "ClaimSource",
            "`quality` is the mean of `ratings`, those of the newest response with promoted values; None without one.",
        ),
        ClientType(
            "SupportedClaim",
            "SupportedClaim",
            "A claim with the numbers that it carries; None until it is counted, and while no source is rated.",
        ),
    ],
}
SAYS = {
    "types": "Types of the workspace, of records, criteria sets, responses and views.",
    "archive_types": "Types of archives, and of importing records.",
    "job_types": "Types of jobs and marks.",
    "audit_types": "Types of the audit log.",
    "limit_types": "Types of limits and of what is used.",
    "inbox_types": "Types of responses over all records, and of what waits.",
    "list_types": "Types of saved lists.",
    "conversation_types": "Types of conversations, turns and reactions.",
    "agent_types": "Types of what agents run with.",
    "session_types": "Types of sessions and their events.",
    "task_types": "Types of tasks.",
    "webhook_types": "Types of webhooks and deliveries.",
    "feedback_types": "Types of feedback.",
    "chain_types": "Types of the chain and of retractions.",
    "knowledge_types": "Types of knowledge.",
    "eval_types": "Types of goldens and candidates.",
    "eval_run_types": "Types of eval runs and replays.",
    "experiment_types": "Types of experiments.",
    "judge_types": "Types of judges, their licences and people's labels.",
    "artifact_eval_types": "Types of artifact evals.",
    "erasure_types": "Types of erasures and of retention.",
    "connection_types": "Types of rated connections and of claims.",
}
DEFAULTS = {  # of what an answer may be without
    ("Party", "id"): "UUID | None = None",
    ("Party", "name"): "str | None = None",
    ("DimensionSummary", "mean"): "float | None = None",
    ("DimensionSummary", "left_out"): "str | None = None",
    ("RubricRating", "scale"): "tuple[float, float] = (1.0, 5.0)",
    ("ResponseAggregation", "connections_omitted"): "int = 0",
    ("ResponseAggregation", "responses_omitted"): "int = 0",
}
ELSEWHERE = {"Fault": "goldloop.client.errors"}  # by hand: errors carry them too
PLAIN = {"string": "str", "integer": "int", "boolean": "bool", "null": "None"}
FORMATS = {"uuid": "UUID", "date-time": "datetime"}
FROM = {"datetime": "datetime", "Any": "typing", "UUID": "uuid", **ELSEWHERE}
ROWS = {"Number", "Object", "Row"}
WIDTH = 105  # of docstrings

LISTED = {each.name: each for listed in MODULES.values() for each in listed}
NAMES = {each.schema: each.name for each in LISTED.values()} | {name: name for name in ELSEWHERE}


def generate(document: dict[str, Any]) -> dict[Path, str]:
    """The text of each module."""
    schemas = document["components"]["schemas"]
    return {CLIENT / f"{module}.py": _module(module, schemas) for module in MODULES}


def _module(module: str, schemas: Schemas) -> str:
    body = "\n\n\n".join(_class(each, schemas) for each in MODULES[module])
    head = f'"""{SAYS[module]} Generated by `make generate` from web/openapi.json: not to be edited."""'
    return _formatted(f"{head}\n\n{_imports(module, body)}\n\n\n{body}\n")


def _imports(module: str, body: str) -> str:
    used = set(re.findall(r"\b\w+\b", body))
    lines = [f"from {source} import {name}" for name, source in FROM.items() if name in used]
    lines += ["import msgspec"] if "msgspec" in used else []
    for other, listed in MODULES.items():
        names = sorted({each.name for each in listed} & used) if other != module else []
        lines += [f"from goldloop.client.{other} import {', '.join(names)}"] if names else []
    lines.append(f"from goldloop.client.rows import {', '.join(sorted(used & ROWS))}")
    return "\n".join(
        lines + (["from goldloop.client.rows import Submitted as Submitted"] if module == "types" else [])
    )


def _class(each: ClientType, schemas: Schemas) -> str:
    schema = schemas[each.schema]
    known = schemas[LISTED[each.base].schema]["properties"].keys() if each.base else set()
    fields = [
        _field(each, name, found, name in schema.get("required", []), schemas)
        for name, found in schema["properties"].items()
        if name not in known
    ]
    fields.sort(
        key=lambda field: " = " in field and " = msgspec.field(name" not in field
    )  # what has a default comes last
    camel = ', rename="camel"' if any(not name.islower() for name in schema["properties"]) else ""
    options = f", kw_only=True{camel}, omit_defaults=True" if each.sent else ""
    base = "msgspec.Struct" if each.sent else each.base or "Row"
    doc = [fill(f'"""{each.doc}"""', WIDTH) + "\n"] if each.doc else []
    return f"class {each.name}({base}, frozen=True{options}):\n" + indent("\n".join(doc + fields), "    ")


def _field(each: ClientType, name: str, schema: dict[str, Any], required: bool, schemas: Schemas) -> str:
    python_name = re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
    if (each.schema, name) in DEFAULTS:
        return f"{python_name}: {DEFAULTS[each.schema, name]}"
    annotation = _annotation(schema, "Number" if each.sent else "float", schemas)
    default = None if required else repr(schema.get("default"))
    if default == "None" and not annotation.endswith("None"):
        annotation += " | None"
    if python_name != name and not each.sent:
        arguments = [f"default={default}"] if default else []
        return f"{python_name}: {annotation} = msgspec.field({', '.join([*arguments, f'name={json.dumps(name)}'])})"
    return f"{python_name}: {annotation}" + (f" = {default}" if default else "")


def _annotation(schema: dict[str, Any], number: str, schemas: Schemas) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        return NAMES.get(name) or ("str" if "enum" in schemas[name] else "Object")
    if choices := schema.get("oneOf") or schema.get("anyOf"):
        return _union([_annotation(choice, number, schemas) for choice in choices])
    match schema.get("type"):
        case "array" if "prefixItems" in schema:
            return f"tuple[{', '.join(_annotation(item, number, schemas) for item in schema['prefixItems'])}]"
        case "array":
            return f"list[{_annotation(schema.get('items', {}), number, schemas)}]"
        case "object":
            values = schema.get("additionalProperties")
            return (
                f"dict[str, {_annotation(values, number, schemas)}]"
                if isinstance(values, dict) and values
                else "Object"
            )
        case "number":
            return number
        case str() as plain:
            return FORMATS.get(schema.get("format", ""), PLAIN[plain])
        case _:
            return "Any"


def _union(found: list[str]) -> str:
    """Rows of several types cannot be told apart when they are read: together they are an object."""
    kinds = dict.fromkeys(
        "Object" if kind in LISTED and len(set(found) & LISTED.keys()) > 1 else kind for kind in found
    )
    return " | ".join(sorted(kinds, key=lambda kind: kind == "None"))


def _formatted(text: str) -> str:
    for command in (["check", "--select", "I", "--fix", "--quiet"], ["format", "--quiet"]):
        arguments = [
            sys.executable,
            "-m",
            "ruff",
            *command,
            "--stdin-filename",
            str(CLIENT / "types.py"),
            "-",
        ]
        text = subprocess.run(
            arguments, input=text, capture_output=True, text=True, check=True, cwd=ROOT
        ).stdout
    return text


def main() -> None:
    for path, text in generate(json.loads((ROOT / "web" / "openapi.json").read_text())).items():
        path.write_text(text)


if __name__ == "__main__":
    main()
