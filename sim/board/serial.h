// A design with the pins rx, tx and idle, and the other ends of its serial line.
//
//   push ─► Sender ─► rx ┌────────┐
//                        │ design │
//   pull ◄─ Receiver ◄ tx└────────┘
//
// The line has the rate of `set_rate`; the design's own may differ.
#pragma once

#include <string>

#include "line.h"
#include "model.h"

// The clock cycles of a bit as a design says them; 0 if it does not.
template <class Design>
auto bit_cycles(const Design &design, int) -> decltype(word_of(design.p_bit__cycles)) {
    return word_of(design.p_bit__cycles);
}

template <class Design>
uint64_t bit_cycles(const Design &, long) {
    return 0;
}

// Give a design its build number, if it has an input for one.
template <class Design>
auto set_build(Design &design, uint64_t build, int) -> decltype(set(design.p_build, build)) {
    set(design.p_build, build);
}

template <class Design>
void set_build(Design &, uint64_t, long) {}

// Likewise the seed of its games.
template <class Design>
auto set_seed(Design &design, uint64_t seed, int) -> decltype(set(design.p_seed, seed)) {
    set(design.p_seed, seed);
}

template <class Design>
void set_seed(Design &, uint64_t, long) {}

// What happens on the line. `Watcher` is told of it: `heard(byte, end)` when the stop bit of a byte
// for the design begins, which ends at a cycle; `spoke(cycle)` when a byte of the design begins.
template <class Watcher>
class SerialDesign {
  public:
    SerialDesign(uint64_t clock, uint64_t baud, uint64_t build, uint64_t seed, Watcher &watcher)
        : sender_(clock, baud), receiver_(clock, baud), watcher_(watcher) {
        set_rate(clock, baud);
        set(model_.top.p_rx, sender_.level());
        set_build(model_.top, build, 0);
        set_seed(model_.top, seed, 0);
        model_.evaluate();
        model_.commit();
        ++cycle_;
    }

    // Another rate, from the next byte on.
    void set_rate(uint64_t clock, uint64_t baud) {
        sender_.set_rate(clock, baud);
        receiver_.set_rate(clock, baud);
        quiet_ = 32 * clock / baud;
    }

    void push(uint8_t byte) { sender_.push(byte); }
    size_t waiting() const { return sender_.waiting(); }

    // What the design has sent since the last call.
    std::string pull() {
        std::string sent;
        sent.swap(sent_);
        return sent;
    }

    // Nothing to do: the design is idle, and so was the line for a while.
    bool asleep() const {
        return word_of(model_.top.p_idle) && !sender_.busy() && !receiver_.busy() &&
               cycle_ - active_ > quiet_;
    }

    // Run the design's clock up to a cycle.
    void simulate(uint64_t end) {
        while (cycle_ < end) {
            if (sender_.due(cycle_) <= cycle_) {
                const int byte = sender_.step(cycle_);
                if (byte >= 0) watcher_.heard(uint8_t(byte), sender_.frame_end());
                set(model_.top.p_rx, sender_.level());
                active_ = cycle_;
            }
            if (receiver_.due() <= cycle_) {
                const int byte = receiver_.step(tx_);
                if (byte >= 0) sent_.push_back(char(byte));
                active_ = cycle_;
            }
            uint64_t until = end;
            if (sender_.due(cycle_) < until) until = sender_.due(cycle_);
            if (receiver_.due() < until) until = receiver_.due();
            if (run_quietly(until) && !tx_ && receiver_.fall(cycle_ - 1)) {
                active_ = cycle_;
                watcher_.spoke(cycle_ - 1);
            }
        }
    }

    auto &top() { return model_.top; }
    uint64_t cycle() const { return cycle_; }
    uint64_t framing_errors() const { return receiver_.framing_errors(); }

  private:
    // Run up to a cycle, but stop after the one where tx changes. Returns whether it did.
    bool run_quietly(uint64_t until) {
        while (cycle_ < until) {
            model_.evaluate();
            const bool level = word_of(model_.top.p_tx);
            model_.commit();
            ++cycle_;
            if (level != tx_) {
                tx_ = level;
                return true;
            }
        }
        return false;
    }

    Model model_;
    Sender sender_;
    Receiver receiver_;
    Watcher &watcher_;
    std::string sent_;
    uint64_t quiet_ = 0, cycle_ = 0, active_ = 0;
    bool tx_ = true;
};
