"""The twin: the search of the gateware in software, with the same order of everything."""
