// Compares value.h with CXXRTL's own values, for widths on both sides of every limit.
#include <cstdio>
#include <random>

#include "value.h"

namespace {

using namespace cxxrtl_design;

std::mt19937_64 generator(1);

// Random bits, often none or all of them.
template <size_t Bits>
value<Bits> random_value() {
    value<Bits> result;
    const uint64_t kind = generator() % 3;
    for (size_t i = 0; i < result.chunks; ++i)
        result.data[i] = kind == 0 ? 0 : kind == 1 ? ~uint32_t(0) : uint32_t(generator());
    result.data[result.chunks - 1] &= result.msb_mask;
    return result;
}

template <size_t Bits>
void check(const char *what, const value<Bits> &found, const cxxrtl::value<Bits> &wanted, size_t a,
           size_t b) {
    if (static_cast<const cxxrtl::value<Bits> &>(found) == wanted) return;
    printf("%s<%zu> of %zu and %zu bits\n", what, Bits, a, b);
    exit(1);
}

template <size_t Y, size_t A, size_t B>
void operations(const value<A> &a, const value<B> &b) {
#define CHECK(name) check(#name, name<Y>(a, b), cxxrtl_yosys::name<Y>(a, b), A, B);
#define BOTH(name) CHECK(name##uu) CHECK(name##ss)
    BOTH(and_) BOTH(or_) BOTH(xor_) BOTH(xnor_) BOTH(add_) BOTH(sub_) BOTH(mul_)
    BOTH(eq_) BOTH(ne_) BOTH(eqx_) BOTH(nex_) BOTH(lt_) BOTH(le_) BOTH(gt_) BOTH(ge_)
    CHECK(logic_and) CHECK(logic_or) CHECK(shl_uu) CHECK(shr_uu) CHECK(shift_uu) CHECK(shiftx_uu)
    CHECK(shift_us) CHECK(shr_su) CHECK(sshr_su)
#undef BOTH
#undef CHECK
#define CHECK(name) check(#name, name<Y>(a), cxxrtl_yosys::name<Y>(a), A, 0);
    CHECK(logic_not) CHECK(reduce_and) CHECK(reduce_or) CHECK(reduce_xor) CHECK(reduce_xnor)
    CHECK(reduce_bool) CHECK(not_u) CHECK(not_s) CHECK(pos_u) CHECK(pos_s) CHECK(neg_u) CHECK(neg_s)
#undef CHECK
}

template <size_t A, size_t B>
void pairs() {
    for (int i = 0; i < 100; ++i) {
        const value<A> a = random_value<A>();
        const value<B> b = random_value<B>();
        operations<1>(a, b);
        operations<64>(a, b);
        operations<70>(a, b);
        const cxxrtl::value<A> &high = a;
        const cxxrtl::value<B> &low = b;
        check("concat", a.concat(b), high.concat(low).val(), A, B);
    }
}

template <size_t A, size_t... Bs>
void with_each() {
    (pairs<A, Bs>(), ...);
}

template <size_t... Widths>
void all_pairs() {
    (with_each<Widths, Widths...>(), ...);
}

template <size_t Bits, size_t Stop, size_t Start>
void slices() {
    if constexpr (Start <= Stop && Stop < Bits) {
        for (int i = 0; i < 50; ++i) {
            value<Bits> mine = random_value<Bits>();
            cxxrtl::value<Bits> theirs = mine;
            const auto from = random_value<Stop - Start + 1>();
            check("slice", std::as_const(mine).template slice<Stop, Start>(),
                  theirs.template slice<Stop, Start>().val(), Stop, Start);
            mine.template slice<Stop, Start>() = from;
            theirs.template slice<Stop, Start>() = from;
            check("assignment", mine, theirs, Stop, Start);
        }
    }
}

template <size_t Bits, size_t Stop, size_t... Starts>
void from_each(std::index_sequence<Starts...>) {
    (slices<Bits, Stop, Starts>(), ...);
}

// Those from one of the positions to another.
template <size_t Bits, size_t... Positions>
void all_slices(std::index_sequence<Positions...> positions) {
    (from_each<Bits, Positions>(positions), ...);
}

}  // namespace

int main() {
    all_pairs<1, 33, 70>();
    using Positions = std::index_sequence<0, 7, 31, 32, 63, 64, 96, 127, 150>;
    all_slices<1>(Positions());
    all_slices<32>(Positions());
    all_slices<64>(Positions());
    all_slices<97>(Positions());
    all_slices<151>(Positions());
    return 0;
}
