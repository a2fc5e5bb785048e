"""Hits as a linguist reads them: lines of node and context, sorted or sampled."""
