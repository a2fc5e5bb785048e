"""Web archives as a source: pages of WARC and WACZ files that other crawlers wrote."""
