"""The detect stage: its rows, texts and tables, and the two methods."""
