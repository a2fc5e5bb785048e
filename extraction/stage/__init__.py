"""Parts of the extract stage: pages read, rows written."""
