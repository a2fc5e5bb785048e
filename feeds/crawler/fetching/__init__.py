"""One exchange with a server: guarded, limited, permitted by robots.txt."""
