"""Sources as files: publications with feeds, rules, extractor → JSON or OPML, and back."""
