"""Amaranth's platforms of the boards that amaranth-boards lacks, or has for other tools or with
other pins.

Pins are those of the boards' makers and of LiteX-Boards.
"""

from __future__ import annotations

from typing import Any

from amaranth.build import Attrs, Clock, Pins, Resource
from amaranth.vendor import LatticeECP5Platform, LatticeICE40Platform
from amaranth_boards.de10_nano import DE10NanoPlatform
from amaranth_boards.icesugar_pro import ICESugarProPlatform
from amaranth_boards.orangecrab_r0_2 import OrangeCrabR0_2_25FPlatform, OrangeCrabR0_2_85FPlatform
from amaranth_boards.resources import (
    ButtonResources,
    LEDResources,
    RGBLEDResource,
    UARTResource,
)
from amaranth_boards.tang_nano_9k import TangNano9kPlatform
from amaranth_boards.tang_primer_20k import TangPrimer20kDockPlatform

from loopline.boards.families.gowin import HimbaechelPlatform

__all__ = [
    "AlchitryCu",
    "ColorlightI5",
    "ColorlightI9",
    "DE10Nano",
    "ICESugarPro",
    "OrangeCrab25F",
    "OrangeCrab85F",
    "TangNano9k",
    "TangNano20k",
    "TangPrimer20k",
    "TangPrimer25k",
]


class AlchitryCu(LatticeICE40Platform):
    """The Alchitry Cu: an iCE40HX8K with eight LEDs, a button, and a serial port behind USB."""

    device = "iCE40HX8K"
    package = "CB132"
    default_clk = "clk100"
    resources = (
        Resource("clk100", 0, Pins("P7", dir="i"), Clock(100e6), Attrs(IO_STANDARD="SB_LVCMOS")),
        *LEDResources(pins="J11 K11 K12 K14 L12 L14 M12 N14", attrs=Attrs(IO_STANDARD="SB_LVCMOS")),
        *ButtonResources(pins="P8", invert=True, attrs=Attrs(IO_STANDARD="SB_LVCMOS")),
        UARTResource(0, rx="P14", tx="M9", attrs=Attrs(IO_STANDARD="SB_LVCMOS")),
    )
    connectors = ()


class _Colorlight(LatticeECP5Platform):
    """A Colorlight module on its extension board, with one LED and a serial port behind USB."""

    package = "BG381"
    speed = "6"
    default_clk = "clk25"
    connectors = ()

    @classmethod
    def _resources(cls, led: str) -> tuple[Resource, ...]:
        attributes = Attrs(IO_TYPE="LVCMOS33")
        return (
            Resource("clk25", 0, Pins("P3", dir="i"), Clock(25e6), attributes),
            *LEDResources(pins=led, invert=True, attrs=attributes),
            UARTResource(0, rx="H18", tx="J17", attrs=attributes),
        )


class ColorlightI5(_Colorlight):
    """The Colorlight i5: an LFE5U-25F."""

    device = "LFE5U-25F"
    resources = (
        *_Colorlight._resources("U16"),
        *ButtonResources(pins="K18", invert=True, attrs=Attrs(IO_TYPE="LVCMOS33", PULLMODE="UP")),
    )


class ColorlightI9(_Colorlight):
    """The Colorlight i9: an LFE5U-45F."""

    device = "LFE5U-45F"
    resources = _Colorlight._resources("L2")


class _WithoutSuffix:
    """Leaves out ``dfu-suffix``, which no wheel has. dfu-util is told instead which board it is."""

    @property
    def required_tools(self) -> list[str]:
        return [tool for tool in super().required_tools if tool != "dfu-suffix"]

    @property
    def command_templates(self) -> list[str]:
        return [command for command in super().command_templates if "dfu-suffix" not in command]


class OrangeCrab25F(_WithoutSuffix, OrangeCrabR0_2_25FPlatform):
    """The OrangeCrab r0.2 with an LFE5U-25F."""


class OrangeCrab85F(_WithoutSuffix, OrangeCrabR0_2_85FPlatform):
    """The OrangeCrab r0.2 with an LFE5U-85F."""


class ICESugarPro(ICESugarProPlatform):
    """The iCESugar-pro: an LFE5U-25F. Its LED has the colours that LiteX-Boards and the users of
    other projects give its pins, and lights on low levels."""

    resources = (
        *(each for each in ICESugarProPlatform.resources if each.name != "rgb_led"),
        RGBLEDResource(0, r="B11", g="A11", b="A12", invert=True, attrs=Attrs(IO_TYPE="LVCMOS33")),
    )


class DE10Nano(DE10NanoPlatform):
    """The DE10-Nano: a Cyclone V. With nothing on its header the serial line is at rest."""

    resources = (
        *(each for each in DE10NanoPlatform.resources if each.name != "uart"),
        UARTResource(
            0,
            rx="AG13",
            tx="AF13",
            attrs=Attrs(io_standard="3.3-V LVTTL", weak_pull_up_resistor="ON"),
        ),
    )


class TangNano9k(HimbaechelPlatform, TangNano9kPlatform):
    """The Tang Nano 9K: a GW1NR-9C."""


class TangNano20k(HimbaechelPlatform):
    """The Tang Nano 20K: a GW2AR-18C with six LEDs and a serial port behind USB."""

    part = "GW2AR-LV18QN88C8/I7"
    family = "GW2AR-18C"
    _chipdb_device = "GW2A-18C"
    default_clk = "clk27"
    resources = (
        Resource("clk27", 0, Pins("4", dir="i"), Clock(27e6), Attrs(IO_TYPE="LVCMOS33")),
        *LEDResources(pins="15 16 17 18 19 20", invert=True, attrs=Attrs(IO_TYPE="LVCMOS33")),
        *ButtonResources(pins="88", attrs=Attrs(PULL_MODE="DOWN", IO_TYPE="LVCMOS33")),
        UARTResource(0, rx="70", tx="69", attrs=Attrs(PULL_MODE="UP", IO_TYPE="LVCMOS33")),
    )
    connectors = ()


class TangPrimer20k(HimbaechelPlatform, TangPrimer20kDockPlatform):
    """The Tang Primer 20K on its dock: a GW2A-18C."""


class TangPrimer25k(HimbaechelPlatform):
    """The Tang Primer 25K on its dock: a GW5A-25A with two LEDs and a serial port behind USB."""

    part = "GW5A-LV25MG121NC1/I0"
    family = "GW5A-25A"
    router_options = ("--vopt", "sspi_as_gpio")
    default_clk = "clk50"
    resources = (
        Resource("clk50", 0, Pins("E2", dir="i"), Clock(50e6), Attrs(IO_TYPE="LVCMOS33")),
        *LEDResources(pins="E8 D7", attrs=Attrs(IO_TYPE="LVCMOS33")),
        # A pressed one connects to the supply. Nothing pulls the pin down but the FPGA (the maker's
        # example `pmod_ledButtonNixietube`).
        *ButtonResources(pins="H11", attrs=Attrs(PULL_MODE="DOWN", IO_TYPE="LVCMOS33")),
        UARTResource(0, rx="B3", tx="C3", attrs=Attrs(PULL_MODE="UP", IO_TYPE="LVCMOS33")),
    )
    connectors = ()

    def parse_part(self) -> None:
        """Take the part apart: Amaranth knows none of this series."""
        self.series, self.size, self.subseries_f = "GW5A", "25", "A"

    def toolchain_prepare(self, fragment: Any, name: str, **options: Any) -> Any:
        """Let the pins of LEDs and clock be pins, which otherwise serve configuration."""
        freed = "--sspi_as_gpio --cpu_as_gpio --ready_as_gpio --done_as_gpio"
        return super().toolchain_prepare(fragment, name, gowin_pack_opts=freed, **options)
