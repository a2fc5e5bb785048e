"""Running a query on a segment: plans, automata, edges and labels."""
