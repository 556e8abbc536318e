"""The gateware on the PC: the simulated board, and benches that run at native speed."""
