"""The families of FPGAs: what ``build`` has to know of the tools and the PLL of each.

- ``family``: a family and its PLL, as ``build`` sees them; a project for a vendor's tools;
- ``ice40``: Lattice iCE40;
- ``ecp5``: Lattice ECP5;
- ``gowin``: Gowin GW1N, GW2A and GW5A;
- ``xilinx``: Xilinx 7 series, by a project for Vivado;
- ``intel``: Intel Cyclone V, by a project for Quartus.
"""

from loopline.boards.families.family import MHZ, Family, Pll, Project, ProjectFamily, ProjectPin

__all__ = ["MHZ", "Family", "Pll", "Project", "ProjectFamily", "ProjectPin"]
