// The simulated board as a WebAssembly module: no clock, no terminal, only memory.
//
// A host gives a board its bytes, runs its clock and takes what it has sent. Bytes pass through one
// buffer, in both directions. The line has whatever rate the design has, so none is set.
#include "serial.h"

namespace {

struct Nobody {
    void heard(uint8_t, uint64_t) {}
    void spoke(uint64_t) {}
};

constexpr size_t BUFFER = 4096;

uint8_t buffer[BUFFER];
Nobody nobody;
SerialDesign<Nobody> *design = nullptr;
uint64_t bit = 0;
std::string unsent;

// Follow the rate of the design.
void follow() {
    const uint64_t cycles = bit_cycles(design->top(), 0);
    if (cycles && cycles != bit) design->set_rate(bit = cycles, 1);
}

}  // namespace

#define EXPORT(name) extern "C" __attribute__((export_name(#name)))

// Power the board on, which has so many clock cycles for a bit; call it once, before anything else.
EXPORT(power_on) void power_on(uint32_t cycles, uint32_t build, uint32_t seed) {
    bit = cycles;
    design = new SerialDesign<Nobody>(bit, 1, build, seed, nobody);
}

EXPORT(buffer_address) uint8_t *buffer_address() { return buffer; }

EXPORT(buffer_size) uint32_t buffer_size() { return BUFFER; }

// Take bytes for the board from the buffer.
EXPORT(push) void push(uint32_t count) {
    for (uint32_t i = 0; i < count && i < BUFFER; ++i) design->push(buffer[i]);
}

// Run the clock for about so many cycles. Returns whether the board has something to do: if not, its
// clock stands still until more bytes come.
EXPORT(run) uint32_t run(uint32_t cycles) {
    // In pieces: the board may fall asleep, or change its rate, at any time.
    for (const uint64_t end = design->cycle() + cycles; design->cycle() < end;) {
        if (design->asleep()) return 0;
        const uint64_t piece = design->cycle() + 1000;
        design->simulate(piece < end ? piece : end);
        follow();
    }
    return !design->asleep();
}

// Put bytes that the board has sent into the buffer. Returns how many; more may be waiting.
EXPORT(pull) uint32_t pull() {
    unsent += design->pull();
    const size_t count = unsent.size() < BUFFER ? unsent.size() : BUFFER;
    unsent.copy(reinterpret_cast<char *>(buffer), count);
    unsent.erase(0, count);
    return uint32_t(count);
}
