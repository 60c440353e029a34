"""Promotion: the one step by which a proposed value becomes accepted truth.

In flow a response and the dimensions that a reviewer accepts; out flow content with its provenance, and
statuses that follow from which response is the current source of which field.
"""
