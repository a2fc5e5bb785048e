"""The two query languages: text to syntax tree and back."""
