// The stream pump behind probe.py: commands in, one outcome out for each, at native speed.
#include "model.h"

namespace {

struct Probe {
    Model model;
    uint64_t cycles = 0;
    uint64_t random = 0;  // state of the stalls' generator, 0: no stalls
};

// True in about half of the cycles when stalls are on (xorshift64).
bool stalled(Probe &probe) {
    if (probe.random == 0) return false;
    probe.random ^= probe.random << 13;
    probe.random ^= probe.random >> 7;
    probe.random ^= probe.random << 17;
    return probe.random >> 63;
}

}  // namespace

extern "C" {

Probe *probe_new() { return new Probe; }

void probe_delete(Probe *probe) { delete probe; }

void probe_stall(Probe *probe, uint64_t seed) { probe->random = seed; }

uint64_t probe_cycles(const Probe *probe) { return probe->cycles; }

// Push `count` commands, pop as many outcomes (two words each), note the cycles from one outcome
// to the next. With `overlap` the next command is offered while outcomes are still due. Returns
// how many outcomes came before `limit` cycles went by without one.
size_t probe_run(Probe *probe, const uint64_t *commands, size_t count, uint64_t *outcomes,
                 uint32_t *cycles, int overlap, uint32_t limit) {
    auto &top = probe->model.top;
    size_t pushed = 0, popped = 0;
    uint32_t waited = 0;
    bool offering = false;
    while (popped < count) {
        // A command once offered stays offered, whatever the stalls.
        if (!offering && pushed < count && (overlap || pushed == popped) && !stalled(*probe)) {
            set(top.p_commands____payload, commands[pushed]);
            offering = true;
        }
        const bool taking = !stalled(*probe);
        set(top.p_commands____valid, offering);
        set(top.p_outcomes____ready, taking);
        probe->model.evaluate();
        ++probe->cycles;
        ++waited;
        if (offering && word_of(top.p_commands____ready)) {
            ++pushed;
            offering = false;
        }
        if (taking && word_of(top.p_outcomes____valid)) {
            outcomes[2 * popped] = word_of(top.p_outcomes____payload, 0);
            outcomes[2 * popped + 1] = word_of(top.p_outcomes____payload, 1);
            cycles[popped++] = waited;
            waited = 0;
        }
        probe->model.commit();
        if (waited >= limit) break;
    }
    set(top.p_commands____valid, 0);
    set(top.p_outcomes____ready, 0);
    return popped;
}

// One command; its outcome and its cycles (0: none came before the limit) are left in `result`.
void probe_call(Probe *probe, uint64_t command, uint32_t limit, uint64_t *result) {
    uint32_t cycles = 0;
    probe_run(probe, &command, 1, result, &cycles, 0, limit);
    result[2] = cycles;
}

// Let the design run on its own.
void probe_idle(Probe *probe, uint64_t cycles) {
    for (probe->cycles += cycles; cycles; --cycles) {
        probe->model.evaluate();
        probe->model.commit();
    }
}

// Hold the design in reset for some cycles.
void probe_pulse_reset(Probe *probe, uint64_t cycles) {
    set(probe->model.top.p_rst, 1);
    probe_idle(probe, cycles);
    set(probe->model.top.p_rst, 0);
}

// The design's memories, one line for each: name, words, bits.
const char *probe_memories() {
    return ""
#define MEMORY(number, member, name, words, bits) name " " #words " " #bits "\n"
#include "memories.inc"
#undef MEMORY
        ;
}

// Copy the words of a memory, by its place in that list.
void probe_read_memory(Probe *probe, size_t number, uint64_t *words) {
    switch (number) {
#define MEMORY(number, member, name, words_in_it, bits)                      \
    case number:                                                             \
        for (size_t i = 0; i < words_in_it; ++i)                             \
            words[i] = word_of(probe->model.top.member[i]);                  \
        break;
#include "memories.inc"
#undef MEMORY
    }
}

}  // extern "C"
