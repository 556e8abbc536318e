// Two models of a design side by side, with the same inputs: one computes only what may have
// changed, the other one everything. For test_activity.py.
#include "model.h"

namespace {

struct Lockstep {
    Model some, all;
    uint64_t awake = 0;
};

bool differ(const Lockstep &both) {
#define REGISTER(number, member, name, bits, values) \
    if (!(both.some.top.member.curr == both.all.top.member.curr)) return true;
#include "registers.inc"
#undef REGISTER
#define MEMORY(number, member, name, words, bits) \
    for (size_t i = 0; i < words; ++i)            \
        if (!(both.some.top.member[i] == both.all.top.member[i])) return true;
#include "memories.inc"
#undef MEMORY
    return false;
}

}  // namespace

extern "C" {

Lockstep *lockstep_new() { return new Lockstep; }

void lockstep_delete(Lockstep *both) { delete both; }

// One cycle for each value of the port `inputs`; the highest bit of a value is the reset. Keeps what
// the port `outputs` was in each. Returns in how many cycles they were the same, up to the first in
// which they were not.
size_t lockstep_run(Lockstep *both, const uint64_t *inputs, uint64_t *outputs, size_t count) {
    for (size_t cycle = 0; cycle < count; ++cycle) {
        for (Model *model : {&both->some, &both->all}) {
            set(model->top.p_inputs, inputs[cycle]);
            set(model->top.p_rst, inputs[cycle] >> 63);
        }
        both->all.top.wake();
        both->some.evaluate();
        both->all.evaluate();
        outputs[cycle] = word_of(both->some.top.p_outputs);
        if (outputs[cycle] != word_of(both->all.top.p_outputs)) return cycle;
        both->some.commit();
        both->all.commit();
        for (uint32_t word : both->some.top.active) both->awake += __builtin_popcount(word);
        if (differ(*both)) return cycle;
    }
    return count;
}

// How many parts of the model begin a cycle active, in all cycles together.
uint64_t lockstep_awake(const Lockstep *both) { return both->awake; }

}  // extern "C"
