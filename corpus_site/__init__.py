"""The site: settings, the order of the stages, running it, and the shell of its pages."""
