"""Exports: how people and machines rated what agents did goes out as `gen_ai.evaluation.result` to an OTLP endpoint.

In flow reactions to turns, and whatever else a concept to the right hands to `service.queue`; out flow log records, each by
a job that is tried again. Nobody who reacts waits for it.
"""
