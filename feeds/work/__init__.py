"""Work by rows: leases on them, batches of a stage, jobs that people asked for."""
