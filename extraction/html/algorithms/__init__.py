"""The published extraction algorithms, one module each, behind one small interface.

`ReadPage` (one parse, one outline for all of them) → `ScoredPage`: blocks of outline lines, each
with a score and whether it is kept. None of them knows the others or changes the page. The default
extractor is not among them (`extraction.html.cascade`).
"""
