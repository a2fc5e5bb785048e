"""Files that somebody gives: plain text, tables, JSONL, vertical, CoNLL-U, TEI → running texts."""
