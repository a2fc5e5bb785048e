"""Marked lines: hits that people sort into categories, each by themselves."""
