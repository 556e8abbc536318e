// The simulated board: a design with the pins rx, tx and idle, behind a pseudo-terminal.
//
//   client ◄─► pseudo-terminal ─► Sender ─► rx ┌────────┐
//                      ▲                       │ design │
//                      └──── Receiver ◄──── tx └────────┘
//
// The line's rate is the one that the board was built for, whatever the client's terminal is set to,
// until the design changes it: then the line has the rate of the client's terminal, as a real one
// has, and a client that has not followed is not understood.
//
// board.py documents the options; it starts this program and nothing else should.
#include <chrono>
#include <cinttypes>
#include <ctime>

#include "answers.h"
#include "line.h"
#include "model.h"
#include "terminal.h"

namespace {

struct Options {
    std::string link;
    std::string pace = "free";
    bool stats = false, log = false;
    uint64_t clock = 0, baud = 0, build = 0, seed = 0;
    double think = 0;  // seconds
    pid_t parent = 0;  // 0: any
};

Options parse(int count, char **words) {
    Options options;
    for (int i = 1; i < count; ++i) {
        const std::string word = words[i];
        if (word == "--stats") options.stats = true;
        else if (word == "--log") options.log = true;
        else if (i + 1 == count) fail(2, "option " + word + " needs a value or is not known");
        else if (word == "--link") options.link = words[++i];
        else if (word == "--pace") options.pace = words[++i];
        else if (word == "--clock") options.clock = strtoull(words[++i], nullptr, 10);
        else if (word == "--baud") options.baud = strtoull(words[++i], nullptr, 10);
        else if (word == "--build") options.build = strtoull(words[++i], nullptr, 10);
        else if (word == "--think-ms") options.think = 1e-3 * strtod(words[++i], nullptr);
        else if (word == "--seed") options.seed = strtoull(words[++i], nullptr, 10);
        else if (word == "--parent") options.parent = pid_t(strtol(words[++i], nullptr, 10));
        else fail(2, "option " + word + " is not known");
    }
    if (!options.clock || !options.baud) fail(2, "--clock and --baud are needed");
    return options;
}

// The wall clock in seconds, from an arbitrary start.
double wall() {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

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

// Likewise the seed of its games, and the order to answer if it is its turn.
template <class Design>
auto set_seed(Design &design, uint64_t seed, int) -> decltype(set(design.p_seed, seed)) {
    set(design.p_seed, seed);
}

template <class Design>
void set_seed(Design &, uint64_t, long) {}

template <class Design>
auto set_move_now(Design &design, bool now, int) -> decltype(set(design.p_move__now, now)) {
    set(design.p_move__now, now && word_of(design.p_thinking));
}

template <class Design>
void set_move_now(Design &, bool, long) {}

class Board {
  public:
    explicit Board(const Options &options)
        : options_(options), ending_(options.parent), link_(options.link, terminal_.name()),
          sender_(options.clock, options.baud), receiver_(options.clock, options.baud),
          quiet_(32 * options.clock / options.baud) {
        set(model_.top.p_rx, sender_.level());
        set_build(model_.top, options.build, 0);
        set_seed(model_.top, options.seed, 0);
        model_.evaluate();
        built_ = bit_cycles(model_.top, 0);
        model_.commit();
        ++cycle_;
    }

    void run() {
        print_greeting();
        const double begun = wall();
        start_pace();
        // The host's side is served once per half a millisecond of the board's time.
        const uint64_t interval = options_.clock / 2000 + 1;
        while (!ending_.due()) {
            serve();
            if (asleep()) sleep();
            else simulate(cycle_ + interval);
            if (real_) keep_pace();
        }
        finish_pace();
        terminal_.flush();
        if (options_.stats) print_stats(wall() - begun);
    }

  private:
    // Move bytes between the terminal and the line's two ends.
    void serve() {
        terminal_.flush();
        if (sender_.waiting() < 4096)
            for (char byte : terminal_.receive(4096))
                sender_.push(uint8_t(byte)), ++bytes_in_, heard_ = wall();
        if (options_.pace == "wall")
            set_move_now(model_.top, wall() - heard_ > options_.think, 0);
        const uint64_t cycles = bit_cycles(model_.top, 0);
        if (cycles != built_ || changed_) follow(cycles);
    }

    // Give the line its rate: the client's, if the design has another one than it was built for.
    void follow(uint64_t cycles) {
        changed_ = cycles != built_;
        const uint64_t rate = changed_ ? terminal_.rate() : options_.baud;
        const uint64_t clock = rate ? options_.clock : cycles, baud = rate ? rate : 1;
        sender_.set_rate(clock, baud);
        receiver_.set_rate(clock, baud);
        quiet_ = 32 * clock / baud;
    }

    // Nothing to do: the design is idle, and so was the line for a while.
    bool asleep() {
        return word_of(model_.top.p_idle) && !sender_.busy() && !receiver_.busy() &&
               cycle_ - active_ > quiet_;
    }

    // Stop the clock until a client writes or the end is due.
    void sleep() {
        finish_pace();
        pollfd sources[] = {
            {terminal_.descriptor(), short(POLLIN | (terminal_.unsent() ? POLLOUT : 0)), 0},
            {ending_.descriptor(), POLLIN, 0},
        };
        poll(sources, 2, 500);  // not every system tells us of the parent's death
        if (sources[1].revents) ending_.drain();
        start_pace();
    }

    // Run the design's clock up to a cycle.
    void simulate(uint64_t end) {
        while (cycle_ < end) {
            if (sender_.due(cycle_) <= cycle_) {
                const int byte = sender_.step(cycle_);
                if (byte >= 0) answers_.heard(uint8_t(byte), sender_.frame_end());
                set(model_.top.p_rx, sender_.level());
                active_ = cycle_;
            }
            if (receiver_.due() <= cycle_) {
                const int byte = receiver_.step(tx_);
                if (byte >= 0) terminal_.send(uint8_t(byte)), ++bytes_out_;
                active_ = cycle_;
            }
            uint64_t until = end;
            if (sender_.due(cycle_) < until) until = sender_.due(cycle_);
            if (receiver_.due() < until) until = receiver_.due();
            if (run_quietly(until) && !tx_ && receiver_.fall(cycle_ - 1)) {
                active_ = cycle_;
                if (answers_.spoke(cycle_ - 1) && options_.log) log_answer();
            }
        }
    }

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

    // Real time is kept from the last moment of sleep on; what was lost in between is summed up.
    void start_pace() { pace_wall_ = wall(), pace_cycle_ = cycle_; }

    double ahead() const {
        return double(cycle_ - pace_cycle_) / double(options_.clock) - (wall() - pace_wall_);
    }

    void keep_pace() {
        const double seconds = ahead();
        if (seconds < 0.0005) return;
        timespec rest = {time_t(seconds), long(1e9 * (seconds - double(time_t(seconds))))};
        nanosleep(&rest, nullptr);
    }

    void finish_pace() {
        const double seconds = ahead();
        if (real_ && seconds < -0.001) behind_ -= seconds;
    }

    double milliseconds(uint64_t cycles) const { return 1e3 * double(cycles) / double(options_.clock); }

    // What a program reads, in one piece; and for a person how to go on.
    void print_greeting() const {
        const char *pty = terminal_.name().c_str();
        const char *port = options_.link.empty() ? pty : options_.link.c_str();
        std::string text = "pty: " + terminal_.name() + "\n";
        if (!options_.link.empty()) text += "link: " + options_.link + "\n";
        printf("%s", text.c_str());
        if (!options_.parent) {
            printf("rate: %" PRIu64 " baud, 8N1\n", options_.baud);
            printf("play: loopline play --device %s@%" PRIu64 "\n", port, options_.baud);
            printf("type: python -m serial.tools.miniterm -e %s %" PRIu64 "\n", port, options_.baud);
            printf("end:  Ctrl-C, or kill %ld\n", long(getpid()));
        }
        fflush(stdout);
    }

    void log_answer() {
        printf("answer: %" PRIu64 " cycles, %.3f ms\n", answers_.latest(),
               milliseconds(answers_.latest()));
        fflush(stdout);
    }

    void print_stats(double seconds) {
        const double simulated = double(cycle_) / double(options_.clock);
        const double processor = double(::clock() - begun_) / CLOCKS_PER_SEC;
        printf("{\"cycles\": %" PRIu64 ", \"seconds\": %.6f, \"wall_seconds\": %.3f, ", cycle_,
               simulated, seconds);
        printf("\"processor_seconds\": %.3f, ", processor);
        printf("\"clock\": %" PRIu64 ", \"baud\": %" PRIu64 ", \"pace\": \"%s\", ", options_.clock,
               options_.baud, options_.pace.c_str());
        printf("\"bytes_in\": %" PRIu64 ", \"bytes_out\": %" PRIu64 ", \"bytes_lost\": %" PRIu64 ", ",
               bytes_in_, bytes_out_, terminal_.lost());
        printf("\"framing_errors\": %" PRIu64 ", \"answers\": %" PRIu64 ", ",
               receiver_.framing_errors(), answers_.count());
        printf("\"slowest_answer_cycles\": %" PRIu64 ", \"slowest_answer_ms\": %.3f, ",
               answers_.slowest(), milliseconds(answers_.slowest()));
        printf("\"behind_seconds\": %.3f}\n", behind_);
        fflush(stdout);
        if (behind_ > 0.01 && behind_ > 0.05 * simulated)
            fprintf(stderr, "simulated board: too slow for real time: %.3f s late in %.3f s\n",
                    behind_, simulated);
    }

    const clock_t begun_ = ::clock();
    const Options options_;
    Model model_;
    Terminal terminal_;
    Ending ending_;
    Link link_;
    Sender sender_;
    Receiver receiver_;
    Answers answers_;
    const bool real_ = options_.pace == "real";
    uint64_t quiet_, built_ = 0;
    bool changed_ = false;
    double heard_ = 0;  // when the last byte came in
    uint64_t cycle_ = 0, active_ = 0, bytes_in_ = 0, bytes_out_ = 0, pace_cycle_ = 0;
    double pace_wall_ = 0, behind_ = 0;
    bool tx_ = true;
};

}  // namespace

int main(int count, char **words) {
    Board board(parse(count, words));
    board.run();
    return 0;
}
