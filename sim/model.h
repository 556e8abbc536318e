// A CXXRTL model with one clock, stepped with one evaluation per cycle.
//
// `design.cc` is the generated model. Its clock has no falling edge that matters, so a cycle is:
// set the inputs, `evaluate()`, read the outputs as they stand just before the rising edge,
// `commit()`. That halves the work of the usual two calls of `step()`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "value.h"

namespace cxxrtl_design {

// Takes the place of CXXRTL's register: an observer of its changes is not told.
template <size_t Width>
struct wire {
    value<Width> curr, next;

    wire() = default;
    template <typename... Init>
    explicit constexpr wire(Init... init) : curr{init...}, next{init...} {}

    template <class Observer>
    bool commit(Observer &) {
        if (curr == next) return false;
        curr = next;
        return true;
    }
};

// Takes the place of CXXRTL's memory in the generated model: a write port that is not enabled
// costs nothing, and one that is needs no allocation.
template <size_t Width>
struct memory {
    using value = cxxrtl_design::value<Width>;

    explicit memory(size_t depth) : data(new value[depth]) {}

    const value &operator[](size_t index) const { return data[index]; }

    // Keep a write for `commit`, in the order of priorities.
    void update(size_t index, const value &val, const value &mask, int priority = 0) {
        if (mask.is_zero()) return;
        if (pending == PORTS) abort();
        size_t place = pending++;
        for (; place && writes[place - 1].priority > priority; --place) writes[place] = writes[place - 1];
        writes[place] = {index, val, mask, priority};
    }

    template <class Observer>
    bool commit(Observer &) {
        const bool changed = pending != 0;
        for (size_t i = 0; i < pending; ++i)
            data[writes[i].index] = data[writes[i].index].update(writes[i].val, writes[i].mask);
        pending = 0;
        return changed;
    }

    std::unique_ptr<value[]> data;

  private:
    static constexpr size_t PORTS = 8;
    struct {
        size_t index;
        value val, mask;
        int priority;
    } writes[PORTS];
    size_t pending = 0;
};

}  // namespace cxxrtl_design

#include "design.cc"

struct Model {
    cxxrtl_design::p_top top;

    // Compute all outputs, and the next state for a rising edge of the clock.
    void evaluate() {
        top.prev_p_clk.data[0] = 0;
        top.p_clk.data[0] = 1;
        converged = top.eval();
    }

    // Take the next state. A design with combinational feedback would need more rounds, but then
    // its outputs were not final when they were read: Amaranth's designs have none.
    void commit() {
        top.commit();
        if (!converged) abort();
    }

    bool converged = true;
};

// The value of an output, whichever way CXXRTL keeps it; `word` counts 64-bit words.
template <size_t Bits>
uint64_t word_of(const cxxrtl::value<Bits> &port, size_t word = 0) {
    uint64_t result = 0;
    const size_t chunks = cxxrtl::value<Bits>::chunks;
    if (2 * word < chunks) result = port.data[2 * word];
    if (2 * word + 1 < chunks) result |= uint64_t(port.data[2 * word + 1]) << 32;
    return result;
}

template <size_t Bits>
uint64_t word_of(const cxxrtl_design::wire<Bits> &port, size_t word = 0) {
    return word_of(port.curr, word);
}

// Set an input of at most 64 bits.
template <size_t Bits>
void set(cxxrtl::value<Bits> &port, uint64_t value) {
    static_assert(Bits <= 64, "inputs have at most 64 bits");
    if (Bits < 64) value &= (uint64_t(1) << (Bits & 63)) - 1;
    port.data[0] = uint32_t(value);
    if (Bits > 32) port.data[cxxrtl::value<Bits>::chunks - 1] = uint32_t(value >> 32);
}
