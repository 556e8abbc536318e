"""The solver: forced wins by attacks alone.

- ``solver``: takes the attacker and limits, returns the win;
- ``dfpn``: the depth-first proof-number search.
"""
