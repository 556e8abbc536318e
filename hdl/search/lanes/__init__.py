"""What several lanes have in common; docs/search.md, "Several lanes", is the specification.

- ``nodes``: the nodes that they share, and who helps whom.
"""
