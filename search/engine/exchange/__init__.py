"""Corpus files of other tools: texts with tokens in and out, one format a module."""
