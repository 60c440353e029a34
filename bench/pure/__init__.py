"""Workloads without a server: a computation beside something everybody knows the cost of, in turns within one run.

A new one is a module with `WORKLOADS`, and its name in the list here.
"""

from bench.pure import artifact_score, evals_compare, gate
from bench.pure.model import PureWorkload

PURE: dict[str, PureWorkload] = {
    workload.name: workload
    for workload in (*artifact_score.WORKLOADS, *gate.WORKLOADS, *evals_compare.WORKLOADS)
}
