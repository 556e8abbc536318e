// Exercises line.h on its own: prints the number of the first check that fails, else nothing.
#include <cstdio>
#include <cstdlib>

#include "line.h"

#define CHECK(condition) \
    if (!(condition)) { printf("line %d: %s\n", __LINE__, #condition); exit(1); }

// Send bytes through a wire to a receiver at another rate; check what arrives, return when.
static uint64_t transfer(uint64_t clock, uint64_t sender_baud, uint64_t receiver_baud, unsigned count) {
    Sender sender(clock, sender_baud);
    Receiver receiver(clock, receiver_baud);
    for (unsigned i = 0; i < count; ++i) sender.push(uint8_t(i * 37));
    unsigned arrived = 0;
    bool level = true;
    uint64_t cycle = 0, end = 0;
    for (; sender.busy() || receiver.busy(); ++cycle) {
        if (sender.due(cycle) <= cycle && sender.step(cycle) >= 0) end = sender.frame_end();
        if (receiver.due() <= cycle) {
            const int byte = receiver.step(sender.level());
            if (byte >= 0) CHECK(byte == uint8_t(arrived++ * 37));
        }
        if (level && !sender.level()) receiver.fall(cycle);
        level = sender.level();
    }
    CHECK(arrived == count);
    CHECK(receiver.framing_errors() == 0);
    return end;
}

int main() {
    // Exact on average: 10,000 frames end within a cycle of when they should.
    for (uint64_t baud : {115200, 19200, 1000000, 1048576}) {
        const unsigned frames = 10000;
        const uint64_t exact = uint64_t(10 * frames) * 12000000 / baud;
        const uint64_t end = transfer(12000000, baud, baud, frames);
        CHECK(end <= exact + 1 && end + 1 >= exact);
    }
    // A receiver copes with rates that are off by 3 %.
    transfer(12000000, 115200, 118600, 300);
    transfer(12000000, 115200, 111800, 300);
    // The least divider that a design may have.
    transfer(800, 100, 100, 300);

    // Another rate begins with the next byte, and without a gap.
    Sender sender(1000, 100);
    sender.push(0x55), sender.push(0x55);
    for (uint64_t cycle = 0; cycle < 90; cycle += 10) CHECK(sender.step(cycle) == -1);
    sender.set_rate(1000, 50);
    CHECK(sender.step(90) == 0x55 && sender.frame_end() == 100);
    CHECK(sender.step(100) == -1 && !sender.level() && sender.due(100) == 120);

    // A break is a framing error, a glitch is nothing.
    Receiver receiver(1600, 100);
    CHECK(receiver.fall(0));
    CHECK(!receiver.fall(3));
    for (int i = 0; i < 10; ++i) CHECK(receiver.step(false) == -1);
    CHECK(!receiver.busy() && receiver.framing_errors() == 1);
    CHECK(receiver.fall(1000) && receiver.due() == 1008);
    CHECK(receiver.step(true) == -1 && !receiver.busy() && receiver.framing_errors() == 1);
}
