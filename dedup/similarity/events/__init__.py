"""Events: tellings grouped, compared by their rare words, and summed up."""
