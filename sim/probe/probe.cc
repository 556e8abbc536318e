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

// Push one command and pop its outcome (two words); `result` holds these and the cycles, 0 if no
// outcome came before the limit.
void probe_call(Probe *probe, uint64_t command, uint32_t limit, uint64_t *result) {
    auto &top = probe->model.top;
    bool offering = false, pushed = false;
    result[2] = 0;
    for (uint32_t cycles = 1; cycles <= limit && !result[2]; ++cycles) {
        // A command once offered stays offered, whatever the stalls.
        if (!offering && !pushed && !stalled(*probe)) {
            set(top.p_commands____payload, command);
            offering = true;
        }
        const bool taking = !stalled(*probe);
        set(top.p_commands____valid, offering);
        set(top.p_outcomes____ready, taking);
        probe->model.evaluate();
        ++probe->cycles;
        if (offering && word_of(top.p_commands____ready)) {
            pushed = true;
            offering = false;
        }
        if (taking && word_of(top.p_outcomes____valid)) {
            result[0] = word_of(top.p_outcomes____payload, 0);
            result[1] = word_of(top.p_outcomes____payload, 1);
            result[2] = cycles;
        }
        probe->model.commit();
    }
    set(top.p_commands____valid, 0);
    set(top.p_outcomes____ready, 0);
}

// Hold the design in reset for a cycle.
void probe_pulse_reset(Probe *probe) {
    set(probe->model.top.p_rst, 1);
    probe->model.evaluate();
    probe->model.commit();
    ++probe->cycles;
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
