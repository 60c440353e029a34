"""Which setting of an emitter turns on what it leaves out: one table, by the scope that its spans name. Pure."""

from typing import NamedTuple

from goldloop.otlp.model import Counts, Missing

MOSTLY = 0.5  # of requests with content, or of spans with an id: fewer count as left out


class Emitter(NamedTuple):
    """`content`, `session` and `user` say how each is turned on, with what is to be copied between backticks; `scopes`
    are beginnings of names."""

    name: str
    scopes: tuple[str, ...]
    content: str
    session: str
    user: str


_OWN_SPAN = "Set the attribute `{0}` on the span around your agent, or put it into the baggage with a span processor that copies it"
_SESSION = _OWN_SPAN.format("session.id")
_USER = _OWN_SPAN.format("user.id")
_USING = "Wrap the call in `with using_attributes({0}=…):` from openinference.instrumentation"
_OPENINFERENCE_CONTENT = (
    "Set `OPENINFERENCE_HIDE_INPUTS=false` and `OPENINFERENCE_HIDE_OUTPUTS=false`, or leave both unset"
)
_TRACELOOP = 'Call `Traceloop.set_association_properties({{"{0}": …}})` before your agent runs'
_VERCEL = (
    'Set `new OpenTelemetry({{ enrichSpan: ({{ runtimeContext }}) => ({{ "{0}": runtimeContext?.{1} }}) }})`, and at each call '
    "`runtimeContext: {{ {1}: … }}` and `telemetry: {{ includeRuntimeContext: {{ {1}: true }} }}`"
)
_TRACELOOP_CONTENT = "Set `TRACELOOP_TRACE_CONTENT=true`"
_GENAI_CONTENT = (
    "Set `OTEL_SEMCONV_STABILITY_OPT_IN=gen_ai_latest_experimental` and "
    "`OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=SPAN_ONLY`"
)

EMITTERS = (
    Emitter(
        "pydantic-ai",
        ("pydantic-ai", "pydantic_ai"),
        "Use `InstrumentationSettings(include_content=True)`, which is the default",
        "Pass `conversation_id=…` to each run, or the message history of the turn before",
        'Pass `metadata={"user_id": …}` to the agent or to each run',
    ),
    Emitter(
        "Logfire",
        ("logfire",),
        "Do not turn content off where you instrument a client; for pydantic-ai set `include_content=True`",
        "Logfire scrubs what is called session: set the attribute `gen_ai.conversation.id` on the span around your agent, or "
        "allow it with `ScrubbingOptions(callback=…)`",
        "Put it into the baggage with `with logfire.set_baggage(user_id=…):`",
    ),
    Emitter(
        "OpenInference",
        ("openinference",),
        _OPENINFERENCE_CONTENT,
        _USING.format("session_id"),
        _USING.format("user_id"),
    ),
    Emitter(
        "Langfuse SDK",
        ("langfuse",),
        "Use `@observe(capture_input=True, capture_output=True)`, which is the default, and no mask that removes all",
        "Use `with propagate_attributes(session_id=…):`",
        "Use `with propagate_attributes(user_id=…):`",
    ),
    Emitter(
        "LangSmith",
        ("langsmith",),
        "Set `LANGSMITH_HIDE_INPUTS=false` and `LANGSMITH_HIDE_OUTPUTS=false`, or leave both unset",
        'Pass `langsmith_extra={"metadata": {"session_id": …}}`, or a thread_id in the configuration of the run',
        'Pass `langsmith_extra={"metadata": {"user_id": …}}`',
    ),
    Emitter(
        "Traceloop",
        (
            "traceloop",
            "opentelemetry.instrumentation.langchain",
            "opentelemetry.instrumentation.openai.v1",
            "opentelemetry.instrumentation.openai_agents",
            "opentelemetry.instrumentation.anthropic",
            "opentelemetry.instrumentation.bedrock",
            "opentelemetry.instrumentation.crewai",
            "opentelemetry.instrumentation.llamaindex",
        ),
        _TRACELOOP_CONTENT,
        _TRACELOOP.format("session_id"),
        _TRACELOOP.format("user_id"),
    ),
    Emitter(
        "OpenTelemetry GenAI",
        ("opentelemetry.instrumentation", "opentelemetry.util.genai"),
        _GENAI_CONTENT,
        "Set the attribute `gen_ai.conversation.id` on the span around your agent",
        _USER,
    ),
    Emitter(
        "Google ADK",
        ("gcp.vertex.agent", "google.adk"),
        _GENAI_CONTENT,
        "Run the agent with a session id: ADK sends it as `gen_ai.conversation.id`",
        _USER,
    ),
    Emitter(
        "Strands",
        ("strands",),
        "Strands sends content as events of its spans; leave them on",
        'Pass `trace_attributes={"session.id": …}` to the agent',
        'Pass `trace_attributes={"user.id": …}` to the agent',
    ),
    Emitter(
        "Vercel AI SDK",
        ("ai",),
        "Set `experimental_telemetry: { isEnabled: true, recordInputs: true, recordOutputs: true }`",
        "Set `experimental_telemetry: { metadata: { sessionId: … } }`",
        "Set `experimental_telemetry: { metadata: { userId: … } }`",
    ),
    Emitter(
        "Vercel AI SDK 7",
        ("gen_ai",),
        "Set `telemetry: { recordInputs: true, recordOutputs: true }`, which is the default",
        _VERCEL.format("session.id", "sessionId"),
        _VERCEL.format("user.id", "userId"),
    ),
    Emitter(
        "Anthropic SDK",
        ("com.anthropic",),
        "It sends none: add an instrumentation that does, such as that of `pip install openinference-instrumentation-anthropic`",
        _SESSION,
        _USER,
    ),
)
UNKNOWN = Emitter("OpenTelemetry", (), _GENAI_CONTENT, _SESSION, _USER)


def emitter_of(scope: str) -> Emitter:
    """By the first row whose beginning it has, as a whole word."""
    known = scope.lower()
    for emitter in EMITTERS:
        for beginning in emitter.scopes:
            if known.startswith(beginning) and not known[len(beginning) :][:1].isalnum():
                return emitter
    return UNKNOWN


def missing_of(counts: Counts) -> list[Missing]:
    """What is left out of what was counted. Content is only missed by who reports requests to models."""
    emitter = emitter_of(counts.scope)
    shares = (
        ("content", counts.with_content, counts.requests, emitter.content),
        ("session", counts.with_session, counts.spans, emitter.session),
        ("user", counts.with_user, counts.spans, emitter.user),
    )
    return [Missing(what=what, how=how) for what, has, of, how in shares if of and has < MOSTLY * of]
