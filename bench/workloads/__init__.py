"""The workloads, one file each: a request, and the statements that it costs.

A new one is a module with a `WORKLOAD`, or several in `WORKLOADS`, and its name in the list here.
"""

from bench.model import Workload
from bench.workloads import (
    aggregate,
    chain,
    conversations,
    edges,
    evals,
    feedback,
    key_create,
    key_list,
    key_read,
    knowledge,
    promotion,
    record_list,
    response_list,
    response_submit,
    sessions,
)

WORKLOADS: dict[str, Workload] = {
    workload.name: workload
    for workload in (
        key_create.WORKLOAD,
        key_read.WORKLOAD,
        *key_list.WORKLOADS,
        response_submit.WORKLOAD,
        promotion.WORKLOAD,
        aggregate.WORKLOAD,
        *record_list.WORKLOADS,
        *response_list.WORKLOADS,
        *edges.WORKLOADS,
        *conversations.WORKLOADS,
        *sessions.WORKLOADS,
        *feedback.WORKLOADS,
        *knowledge.WORKLOADS,
        *evals.WORKLOADS,
        *chain.WORKLOADS,
    )
}
