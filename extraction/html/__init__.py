"""From the bytes of a page to the text and metadata of its article; free of Django."""
