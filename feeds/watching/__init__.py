"""What pages say of feeds and visits: states, history, plan, and links that were not taken."""
