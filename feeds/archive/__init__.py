"""The archive as a whole: files checked, and taken to the object store."""
