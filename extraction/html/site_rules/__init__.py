"""An editor's rules for one site: checked, compiled, run."""
