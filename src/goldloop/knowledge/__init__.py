"""Knowledge: what was learnt from feedback, with its proof, and in which prompts it stands.

In flow groups of feedback, what people and agents write down (`rows/`) and what a person wants remembered (`memories/`). Each row
rests on signals of distinct origin; where one of them is taken back it is counted anew in the same transaction. Out flow the
block that every prompt of a scope carries, named by what it holds (`prompts/`), and proposals for a person (`proposals/`,
`review/`). What is printed, ranked and checked is computed by the pure files beside this one.
"""

ORDER = ("memories", "rows", "prompts", "proposals", "review", "imports")
