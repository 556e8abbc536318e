// Stands for Web Serial: one port, whose far end is a WebSocket to a device. As in a browser, what is
// plugged in again is another port.
// `window.stub` is set before: { address, rates, isUnplugged }. With `isLoose` the next opening
// fails, and the port is yet another one after it.
{
  const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

  class Port {
    readable = null;
    writable = null;
    #socket = null;

    async open({ baudRate }) {
      if (this.readable) throw new DOMException("the port is open", "InvalidStateError");
      window.stub.rates.push(baudRate);
      if (window.stub.isUnplugged || this !== present()) throw new DOMException("no such device", "NetworkError");
      if (window.stub.isLoose) {
        window.stub.isLoose = false;
        wasUnplugged = true;
        throw new DOMException("Failed to open serial port.", "NetworkError");
      }
      const socket = new WebSocket(window.stub.address);
      socket.binaryType = "arraybuffer";
      await new Promise((resolve, reject) => {
        socket.onopen = resolve;
        socket.onerror = () => reject(new DOMException("cannot open", "NetworkError"));
      });
      this.#socket = socket;
      let controller;
      this.readable = new ReadableStream({
        start: (made) => (controller = made),
        cancel: () => {},
      });
      socket.onmessage = ({ data }) => {
        // In pieces, as a port has them.
        const bytes = new Uint8Array(data);
        for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.slice(at, at + 7));
      };
      this.writable = new WritableStream({ write: (bytes) => socket.send(bytes) });
      window.stub.unplug = async () => {
        window.stub.isUnplugged = wasUnplugged = true;
        controller.error(new DOMException("The device has been lost.", "NetworkError"));
        socket.close();
        await later(0);
      };
    }

    getInfo() {
      return { usbVendorId: 0x0403, usbProductId: 0x6010 };
    }

    async close() {
      if (this.readable?.locked || this.writable?.locked) {
        throw new DOMException("the streams are locked", "InvalidStateError");
      }
      this.readable = this.writable = null;
      this.#socket?.close();
    }
  }

  let port = new Port();
  let wasUnplugged = false;
  /** The port that is there; a new one after each time that it was not. */
  function present() {
    if (wasUnplugged && !window.stub.isUnplugged) {
      port = new Port();
      wasUnplugged = false;
    }
    return window.stub.isUnplugged ? null : port;
  }
  const serial = {
    requestPort: async () => present(),
    getPorts: async () => [present()].filter(Boolean),
  };
  Object.defineProperty(navigator, "serial", { value: serial });
}
