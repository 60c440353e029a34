"""Archives: everything that a workspace owns in one file, and a workspace made of such a file.

In flow the rows of every tenant table, as the catalogue names them, and the blobs of the workspace; out flows a zip file of
JSON lines with a manifest, and into another workspace or installation the same rows under the same ids. Secrets stay behind.
"""
