// Runs a design with either simulator's model and prints cycles and processor seconds.
//
// Compiled with the model of CXXRTL, or with that of Verilator and BENCH_VERILATOR defined. The
// first argument is the number of cycles per bit, each other one a line to send and after it, at
// the colon, how many cycles to run on: "-W:20000".
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#ifdef BENCH_VERILATOR

#include "Vtop.h"

static Vtop model;

static void cycle() {
    model.clk = 0;
    model.eval();
    model.clk = 1;
    model.eval();
}

static void set_rx(bool level) { model.rx = level; }
static bool tx() { return model.tx; }

#else

#include "model.h"

static Model model;

static void cycle() {
    model.evaluate();
    model.commit();
}

static void set_rx(bool level) { set(model.top.p_rx, level); }
static bool tx() { return word_of(model.top.p_tx); }

#endif

static unsigned long cycles = 0, edges = 0;
static bool last = true;

static void run(unsigned long count) {
    for (cycles += count; count; --count) {
        cycle();
        edges += tx() != last;
        last = tx();
    }
}

static void send(char byte, unsigned long bit) {
    for (unsigned frame = 0x200u | (unsigned char)byte << 1; frame; frame >>= 1) {
        set_rx(frame & 1);
        run(bit);
    }
}

int main(int count, char **words) {
    const unsigned long bit = strtoul(words[1], nullptr, 10);
    set_rx(true);
    run(1000);
    const clock_t begun = clock();
    for (int i = 2; i < count; ++i) {
        const char *line = words[i];
        for (; *line != ':'; ++line) send(*line, bit);
        send('\n', bit);
        run(strtoul(line + 1, nullptr, 10));
    }
    const double seconds = double(clock() - begun) / CLOCKS_PER_SEC;
    // The edges on tx tell whether both models did the same.
    printf("{\"cycles\": %lu, \"edges\": %lu, \"seconds\": %.6f}\n", cycles, edges, seconds);
}
