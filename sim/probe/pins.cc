// A whole design behind its pins, for fuzz.py: levels on rx, bytes from tx, and which states, steps
// from one to another, and pairs of states its control registers have been in.
#include <cstring>
#include <new>
#include <vector>

#include "line.h"
#include "model.h"

namespace {

// A flip-flop, or several of one name.
struct Register {
    const char *name, *values;
    size_t bits;
    const uint32_t *value;
    uint32_t *now, *next;  // the value, and what is taken at the next edge of the clock
};

// One that says what the design does: with named values, called a state, or a flag.
struct Control {
    const uint32_t *value;
    uint32_t before;
    uint32_t size;  // values that it may have
    size_t base;    // of its values among those of all
    size_t steps;   // of its steps from one value to another
};

// What to do with rx: `count` levels, the lowest bit first, each so many sixteenths of a cycle long
// (0: as the design's own bits). Or, with `count` 0, leave it at rest until a frame or a line has
// come from tx, for so many cycles at most.
struct Act {
    uint32_t levels, count, time;
};

class Fuzz {
  public:
    Fuzz() {
#define REGISTER(number, member, name, bits, values) \
    registers_.push_back({name, values, bits, model_.top.member.curr.data, \
                          model_.top.member.curr.data, model_.top.member.next.data});
#include "registers.inc"
#undef REGISTER
        size_t steps = 0;
        for (size_t i = 0; i < registers_.size(); ++i) {
            if (!is_control(registers_[i])) continue;
            const uint32_t size = 1u << registers_[i].bits;
            controls_.push_back({registers_[i].value, 0, size, values_, steps});
            control_of_.push_back(i);
            values_ += size;
            steps += size * size;
        }
        pairs_ = values_ + steps;
        seen_.resize(pairs_ + values_ * values_);
        restart();
    }

    // As after power-on. What was seen stays.
    void restart() {
        model_.~Model();
        new (&model_) Model;
        set(model_.top.p_rx, 1);
        cycles_ = errors_ = torn_ = inside_ = said_ = high_ = 0;
        in_frame_ = in_line_ = out_of_step_ = false;
        last_bit_ = own_bit();
        tx_ = true;
        heard_.clear();
        receiver_ = Receiver(8, 1);
        for (Control &control : controls_) control.before = *control.value, arrive(control);
    }

    void act(const Act *acts, size_t count) {
        for (const Act *act = acts; act < acts + count; ++act) {
            if (!act->count) {
                const uint64_t end = cycles_ + act->time;
                for (const size_t before = said_; cycles_ < end && said_ == before;) step(true);
                continue;
            }
            const uint64_t begin = cycles_;
            const uint64_t time = act->time ? act->time : uint64_t(own_bit()) << 4;
            for (uint32_t i = 0; i < act->count; ++i)
                for (const uint64_t end = begin + ((i + 1) * time + 8) / 16; cycles_ < end;)
                    step(act->levels >> i & 1);
        }
    }

    // Where the design's own cycles per bit are; without it they are eight.
    void listen_by(size_t number) { bit_ = registers_.at(number).value; }

    // A flip-flop of a register changes by itself.
    void flip(size_t number, size_t bit) {
        Register &found = registers_.at(number);
        if (bit >= found.bits) return;
        found.now[bit / 32] ^= uint32_t(1) << bit % 32;
        found.next[bit / 32] = found.now[bit / 32];
        model_.top.wake();
    }

    size_t take(uint8_t *bytes, size_t most) {
        const size_t count = heard_.size() < most ? heard_.size() : most;
        memcpy(bytes, heard_.data(), count);
        heard_.erase(heard_.begin(), heard_.begin() + long(count));
        return count;
    }

    const std::vector<Register> &registers() const { return registers_; }
    const std::vector<Control> &controls() const { return controls_; }
    const std::vector<size_t> &control_of() const { return control_of_; }
    std::vector<uint8_t> &seen() { return seen_; }
    size_t values() const { return values_; }
    size_t pairs() const { return pairs_; }
    uint64_t cycles() const { return cycles_; }
    uint64_t errors() const { return errors_; }
    uint64_t found() const { return found_; }
    uint64_t torn() const { return torn_; }
    bool idle() const { return word_of(model_.top.p_idle); }

  private:
    static bool is_control(const Register &found) {
        const size_t length = strlen(found.name);
        const bool state = length >= 5 && !strcmp(found.name + length - 5, "state");
        return found.bits == 1 || (found.bits <= 5 && (*found.values || state));
    }

    uint32_t own_bit() const { return bit_ ? *bit_ : 8; }

    void step(bool rx) {
        set(model_.top.p_rx, rx);
        model_.evaluate();
        const bool tx = word_of(model_.top.p_tx);
        model_.commit();
        if (tx_ && !tx && !receiver_.busy()) {
            receiver_ = Receiver(own_bit(), 1);
            receiver_.fall(cycles_);
        }
        tx_ = tx;
        if (receiver_.due() <= cycles_) {
            const uint64_t before = receiver_.framing_errors();
            const int byte = receiver_.step(tx);
            if (!out_of_step_) errors_ += receiver_.framing_errors() - before;
            if (byte >= 0) hear(uint8_t(byte));
        }
        if (own_bit() != last_bit_) {
            last_bit_ = own_bit();
            torn_ += receiver_.busy() || in_frame_ || in_line_;
            // What follows is misread, until the line has been at rest for a character's time.
            out_of_step_ |= receiver_.busy();
        }
        high_ = tx ? high_ + 1 : 0;
        if (high_ > 10 * own_bit()) out_of_step_ = false;
        ++cycles_;
        for (Control &control : controls_)
            if (*control.value != control.before) arrive(control);
    }

    void hear(uint8_t byte) {
        heard_.push_back(byte);
        in_line_ = byte != 0xc0 && !in_frame_ && byte != '\n';
        if (byte == 0xc0) {
            const bool ends = in_frame_ && inside_;
            in_frame_ = !ends;
            inside_ = 0;
            said_ += ends;
        } else if (in_frame_) {
            ++inside_;
        } else {
            said_ += byte == '\n';
        }
    }

    // A register has another value: mark it, the step to it, and what others are in meanwhile.
    void arrive(Control &control) {
        const uint32_t value = *control.value;
        const size_t place = control.base + value;
        mark(place);
        mark(values_ + control.steps + control.before * control.size + value);
        control.before = value;
        uint8_t *row = &seen_[pairs_ + place * values_];
        for (const Control &other : controls_) {
            uint8_t &pair = row[other.base + *other.value];
            found_ += !pair;
            pair = 1;
        }
    }

    void mark(size_t place) {
        found_ += !seen_[place];
        seen_[place] = 1;
    }

    Model model_;
    std::vector<Register> registers_;
    std::vector<Control> controls_;
    std::vector<size_t> control_of_;
    std::vector<uint8_t> seen_;
    std::vector<uint8_t> heard_;
    Receiver receiver_{8, 1};
    const uint32_t *bit_ = nullptr;
    size_t values_ = 0, pairs_ = 0;
    uint64_t cycles_ = 0, errors_ = 0, torn_ = 0, found_ = 0;
    uint32_t last_bit_ = 8;
    size_t inside_ = 0, said_ = 0;  // bytes of a frame; frames and lines that have ended
    uint64_t high_ = 0;             // cycles for which the line has been high
    bool in_frame_ = false, in_line_ = false, tx_ = true, out_of_step_ = false;
};

}  // namespace

extern "C" {

Fuzz *fuzz_new() { return new Fuzz; }

void fuzz_delete(Fuzz *fuzz) { delete fuzz; }

void fuzz_restart(Fuzz *fuzz) { fuzz->restart(); }

void fuzz_listen_by(Fuzz *fuzz, size_t number) { fuzz->listen_by(number); }

void fuzz_act(Fuzz *fuzz, const Act *acts, size_t count) { fuzz->act(acts, count); }

void fuzz_flip(Fuzz *fuzz, size_t number, size_t bit) { fuzz->flip(number, bit); }

size_t fuzz_take(Fuzz *fuzz, uint8_t *bytes, size_t most) { return fuzz->take(bytes, most); }

// Cycles, characters from tx without a stop bit, things seen first, whether it is idle, and changes
// of the rate in the middle of what is being sent.
void fuzz_status(const Fuzz *fuzz, uint64_t *status) {
    status[0] = fuzz->cycles();
    status[1] = fuzz->errors();
    status[2] = fuzz->found();
    status[3] = fuzz->idle();
    status[4] = fuzz->torn();
}

// The design's registers, one line for each: bits, name, names of its values.
const char *fuzz_registers() {
    return ""
#define REGISTER(number, member, name, bits, values) #bits "\t" name "\t" values "\n"
#include "registers.inc"
#undef REGISTER
        ;
}

// A register's value, or its lowest 32 bits.
uint32_t fuzz_read(const Fuzz *fuzz, size_t number) { return *fuzz->registers().at(number).value; }

// Which registers are control registers, by their numbers. Returns how many they are.
size_t fuzz_controls(const Fuzz *fuzz, size_t *numbers, size_t most) {
    const std::vector<size_t> &found = fuzz->control_of();
    for (size_t i = 0; i < found.size() && i < most; ++i) numbers[i] = found[i];
    return found.size();
}

// A byte for each value of a control register, then for each step, then for each pair of values of
// two registers: whether it was seen. Returns how many bytes these are.
size_t fuzz_seen(Fuzz *fuzz, uint8_t *bytes, size_t most) {
    const std::vector<uint8_t> &seen = fuzz->seen();
    if (seen.size() <= most) memcpy(bytes, seen.data(), seen.size());
    return seen.size();
}

}  // extern "C"
