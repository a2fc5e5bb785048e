"""The WARC archive: written fetch by fetch, read back record by record."""
