"""Statistic pages about the hits of a query, on one frame."""
