// Both ends of an asynchronous serial line, 8N1, in cycles of the board's clock.
#pragma once

#include <cstdint>
#include <deque>

// Never: the time of an event that is not due.
constexpr uint64_t NEVER = UINT64_MAX;

// A point in time that advances by exact fractions of a bit; it is never off by a whole cycle,
// however many bits were added.
class BitTime {
  public:
    BitTime(uint64_t clock, uint64_t baud) : clock_(clock), baud_(baud) {}

    // Go on at another rate, from where it is now.
    void set_rate(uint64_t clock, uint64_t baud) {
        if (clock_ * baud != clock * baud_) part_ = 0;
        else part_ = part_ * baud / baud_;
        clock_ = clock, baud_ = baud;
    }

    void start(uint64_t cycle) { cycle_ = cycle, part_ = 0; }

    // Advance by `halves` half bits.
    void advance(unsigned halves) {
        part_ += halves * clock_;
        cycle_ += part_ / (2 * baud_);
        part_ %= 2 * baud_;
    }

    uint64_t cycle() const { return cycle_; }

  private:
    uint64_t clock_, baud_;
    uint64_t cycle_ = 0, part_ = 0;
};

// Drives a line with the bytes of a queue, without a gap between frames.
class Sender {
  public:
    Sender(uint64_t clock, uint64_t baud) : edge_(clock, baud), clock_(clock), baud_(baud) {}

    // Another rate, from the next byte on.
    void set_rate(uint64_t clock, uint64_t baud) { clock_ = clock, baud_ = baud; }

    void push(uint8_t byte) { queue_.push_back(byte); }
    size_t waiting() const { return queue_.size(); }
    bool busy() const { return left_ != 0 || !queue_.empty(); }
    bool level() const { return level_; }

    // When `step` is due next.
    uint64_t due(uint64_t now) const { return left_ ? edge_.cycle() : queue_.empty() ? NEVER : now; }

    // Drive the next bit. Returns the byte whose stop bit begins now, or -1; that bit ends at
    // `frame_end()`.
    int step(uint64_t now) {
        if (left_ == 0) edge_.start(now);
        if (left_ <= 1) {  // at rest, or at the end of a stop bit
            left_ = 0;
            if (queue_.empty()) return -1;
            byte_ = queue_.front();
            queue_.pop_front();
            edge_.set_rate(clock_, baud_);
            frame_ = 0x600u | byte_ << 1;  // start bit, data, stop bit, and the line at rest
            left_ = 11;
        }
        level_ = frame_ & 1;
        frame_ >>= 1;
        --left_;
        edge_.advance(2);
        return left_ == 1 ? byte_ : -1;
    }

    uint64_t frame_end() const { return edge_.cycle(); }

  private:
    BitTime edge_;
    uint64_t clock_, baud_;
    std::deque<uint8_t> queue_;
    unsigned frame_ = 0, left_ = 0;
    uint8_t byte_ = 0;
    bool level_ = true;
};

// Receives bytes from a line: finds the start bit's edge, then samples in the middle of the bits.
class Receiver {
  public:
    Receiver(uint64_t clock, uint64_t baud) : sample_(clock, baud), clock_(clock), baud_(baud) {}

    // Another rate, from the next byte on.
    void set_rate(uint64_t clock, uint64_t baud) { clock_ = clock, baud_ = baud; }

    bool busy() const { return bits_ != 0; }
    uint64_t due() const { return bits_ ? sample_.cycle() : NEVER; }
    uint64_t framing_errors() const { return errors_; }

    // The line fell at this cycle. Returns whether that began a frame.
    bool fall(uint64_t now) {
        if (bits_) return false;
        bits_ = 10;
        shift_ = 0;
        sample_.set_rate(clock_, baud_);
        sample_.start(now);
        sample_.advance(1);
        return true;
    }

    // Sample the line. Returns the byte that is complete, or -1.
    int step(bool level) {
        if (bits_ == 10 && level) {  // a glitch, not a start bit
            bits_ = 0;
            return -1;
        }
        shift_ = shift_ >> 1 | unsigned(level) << 9;
        sample_.advance(2);
        if (--bits_) return -1;
        if (!level) ++errors_;
        return level ? shift_ >> 1 & 0xff : -1;
    }

  private:
    BitTime sample_;
    uint64_t clock_, baud_;
    unsigned shift_ = 0, bits_ = 0;
    uint64_t errors_ = 0;
};
