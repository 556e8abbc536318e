"""The gateware."""
