"""OTLP: what instrumented programs send by OpenTelemetry, and the sessions that are made of it.

In flow spans and log records over HTTP (`intake.py`); a request's body is stored as it came and acknowledged after the
commit. Out flow sessions with their events, turns of conversations, and what each emitter leaves out. Sessions are
derived later, trace by trace, by pure functions of the spans (`mapper.py` and what it stands on): neither the order in
which spans arrive nor how they are batched nor how often they are sent changes the result.
"""
