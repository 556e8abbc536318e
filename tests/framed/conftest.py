"""The simulated board, as the host's tests have it."""

from tests.host.conftest import sim_port

__all__ = ["sim_port"]
