"""Work by rows: leases on them, batches of a stage, who holds them."""
