// The board's answering times: from the end of a line received to the start of the reply.
#pragma once

#include <cstdint>

// A line ends with the stop bit of its last byte, CR, LF or the LF of CR LF; an answer begins with
// the falling edge of its first start bit. A line that gets no answer is superseded by the next line
// or frame. Answers to frames do not count, whatever bytes these have; one that is cut off lasts until
// the next END, with which a host begins another.
class Answers {
  public:
    // The stop bit of a byte for the board began; it ends at cycle `end`. Returns whether that is
    // the end of a line.
    bool heard(uint8_t byte, uint64_t end) {
        const bool begins = last_ == FRAME_END && (byte & 0x80) && byte != FRAME_END;
        if (in_frame_ || begins) {
            in_frame_ = byte != FRAME_END;
            filled_ = waiting_ = false;
            last_ = byte;
            return false;
        }
        const bool line_end = byte == '\r' || byte == '\n';
        const bool ended = line_end && filled_;
        if (ended) {
            waiting_ = true;
            asked_ = end;
        } else if (byte == '\n' && last_ == '\r' && waiting_) {
            asked_ = end;
        }
        filled_ = !line_end && byte != FRAME_END;
        last_ = byte;
        return ended;
    }

    // A frame of the board began. Returns whether it began an answer, which took `last()` cycles.
    bool spoke(uint64_t now) {
        if (!waiting_) return false;
        waiting_ = false;
        latest_ = now > asked_ ? now - asked_ : 0;
        if (latest_ > slowest_) slowest_ = latest_;
        ++count_;
        return true;
    }

    uint64_t count() const { return count_; }
    uint64_t latest() const { return latest_; }
    uint64_t slowest() const { return slowest_; }

  private:
    static constexpr uint8_t FRAME_END = 0xc0;  // END of loopline.game.wire
    bool filled_ = false, waiting_ = false, in_frame_ = false;
    uint8_t last_ = 0;
    uint64_t asked_ = 0, count_ = 0, latest_ = 0, slowest_ = 0;
};
