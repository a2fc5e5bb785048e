"""How well extractors do: scores of pages against a known text, and what they come to.

Django-free. Runs are kept and started by `extraction.evaluating`.
"""
