"""Crawls that editors begin once: their addresses, slice by slice, and how far they have come."""
