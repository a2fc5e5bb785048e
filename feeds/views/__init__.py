"""Pages of feeds, hosts, the settings of a source, and what is planned to be visited."""
