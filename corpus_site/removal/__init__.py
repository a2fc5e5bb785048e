"""Texts and sources that editors take out: withdrawn, put back, erased, deleted."""
