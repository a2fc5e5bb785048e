"""Pages as a browser draws them: a browser without a network, fed by our own fetcher."""
