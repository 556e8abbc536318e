"""The families of FPGAs: what ``build`` has to know of the tools and the PLL of each.

- ``family``: a family and its PLL, as ``build`` sees them;
- ``ice40``: Lattice iCE40;
- ``ecp5``: Lattice ECP5;
- ``gowin``: Gowin GW1N, GW2A and GW5A.
"""

from loopline.boards.families.family import Family, Pll

__all__ = ["Family", "Pll"]
