"""Copies of everything: backups, their restoration, the move to another database."""
