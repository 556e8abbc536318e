"""The model device: software that answers the frames of the definition, as a board does.

``python -m loopline.host.device.model`` speaks them on its standard input and output. It is what
the gateware is compared with, and it is there without any board. It knows no contest lines.
"""
