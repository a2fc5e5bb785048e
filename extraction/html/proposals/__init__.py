"""Selectors and rules that known pages suggest, and whether a draft's rules are better."""
