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
#include "serial.h"
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

// Order a design to answer if it is its turn, if it has an input for that.
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
          design_(options.clock, options.baud, options.build, options.seed, *this) {
        built_ = bit_cycles(design_.top(), 0);
    }

    void run() {
        print_greeting();
        const double begun = wall();
        start_pace();
        // The host's side is served once per half a millisecond of the board's time.
        const uint64_t interval = options_.clock / 2000 + 1;
        while (!ending_.due()) {
            serve();
            if (design_.asleep()) sleep();
            else design_.simulate(design_.cycle() + interval);
            if (real_) keep_pace();
        }
        finish_pace();
        deliver();
        if (options_.stats) print_stats(wall() - begun);
    }

    // The watcher of the line.
    void heard(uint8_t byte, uint64_t end) {
        if (answers_.heard(byte, end)) heard_ = wall();
    }
    void spoke(uint64_t now) {
        if (answers_.spoke(now) && options_.log) log_answer();
    }

  private:
    // Move bytes between the terminal and the line's two ends.
    void serve() {
        deliver();
        if (design_.waiting() < 4096)
            for (char byte : terminal_.receive(4096)) design_.push(uint8_t(byte)), ++bytes_in_;
        if (options_.pace == "wall")
            set_move_now(design_.top(), wall() - heard_ > options_.think, 0);
        const uint64_t cycles = bit_cycles(design_.top(), 0);
        if (cycles != built_ || changed_) follow(cycles);
    }

    void deliver() {
        for (char byte : design_.pull()) terminal_.send(uint8_t(byte)), ++bytes_out_;
        terminal_.flush();
    }

    // Give the line its rate: the client's, if the design has another one than it was built for.
    void follow(uint64_t cycles) {
        changed_ = cycles != built_;
        const uint64_t rate = changed_ ? terminal_.rate() : options_.baud;
        design_.set_rate(rate ? options_.clock : cycles, rate ? rate : 1);
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

    // Real time is kept from the last moment of sleep on; what was lost in between is summed up.
    void start_pace() { pace_wall_ = wall(), pace_cycle_ = design_.cycle(); }

    double ahead() const {
        const double passed = double(design_.cycle() - pace_cycle_) / double(options_.clock);
        return passed - (wall() - pace_wall_);
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
        const uint64_t cycles = design_.cycle();
        const double simulated = double(cycles) / double(options_.clock);
        const double processor = double(::clock() - begun_) / CLOCKS_PER_SEC;
        printf("{\"cycles\": %" PRIu64 ", \"seconds\": %.6f, \"wall_seconds\": %.3f, ", cycles,
               simulated, seconds);
        printf("\"processor_seconds\": %.3f, ", processor);
        printf("\"clock\": %" PRIu64 ", \"baud\": %" PRIu64 ", \"pace\": \"%s\", ", options_.clock,
               options_.baud, options_.pace.c_str());
        printf("\"bytes_in\": %" PRIu64 ", \"bytes_out\": %" PRIu64 ", \"bytes_lost\": %" PRIu64 ", ",
               bytes_in_, bytes_out_, terminal_.lost());
        printf("\"framing_errors\": %" PRIu64 ", \"answers\": %" PRIu64 ", ",
               design_.framing_errors(), answers_.count());
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
    Terminal terminal_;
    Ending ending_;
    Link link_;
    Answers answers_;
    SerialDesign<Board> design_;
    const bool real_ = options_.pace == "real";
    uint64_t built_ = 0;
    bool changed_ = false;
    double heard_ = 0;  // when the last byte came in
    uint64_t bytes_in_ = 0, bytes_out_ = 0, pace_cycle_ = 0;
    double pace_wall_ = 0, behind_ = 0;
};

}  // namespace

int main(int count, char **words) {
    Board board(parse(count, words));
    board.run();
    return 0;
}
