"""Figures of whole tables: counted for pages, kept where that is dear."""
