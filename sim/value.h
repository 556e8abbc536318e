// Takes the place of CXXRTL's values in a generated model: the same layout, cheaper operations.
//
// CXXRTL computes with arrays of 32-bit chunks, and a slice copies and shifts the whole value. Here
// a slice touches its own chunks only, and operations on up to 64 bits are those of the processor.
// Everything else is CXXRTL's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <cxxrtl/cxxrtl.h>

namespace cxxrtl_design {

#define INLINE inline __attribute__((always_inline))

template <size_t Bits>
struct value;

// The 32 bits of a value from a position on, which may be below or above it: zeros there.
template <ptrdiff_t At, size_t Bits>
INLINE uint32_t chunk_at(const cxxrtl::value<Bits> &from) {
    constexpr ptrdiff_t chunks = cxxrtl::value<Bits>::chunks;
    constexpr ptrdiff_t low = At >= 0 ? At / 32 : -((31 - At) / 32), high = low + 1;
    constexpr int shift = At - 32 * low;
    uint32_t result = 0;
    if constexpr (low >= 0 && low < chunks) result = from.data[low] >> shift;
    if constexpr (shift && high >= 0 && high < chunks) result |= from.data[high] << (32 - shift);
    return result;
}

// A slice that may be assigned to.
template <size_t Stop, size_t Start, size_t Bits>
struct part {
    static constexpr size_t bits = Stop - Start + 1;
    value<Bits> &whole;

    INLINE value<bits> val() const { return std::as_const(whole).template slice<Stop, Start>(); }
    INLINE operator value<bits>() const { return val(); }

    template <class Other>
    INLINE auto concat(const Other &other) const {
        return val().concat(other);
    }

    INLINE part &operator=(const value<bits> &from) {
        assign(from, std::make_index_sequence<Stop / 32 - Start / 32 + 1>());
        return *this;
    }

  private:
    template <size_t... Index>
    INLINE void assign(const value<bits> &from, std::index_sequence<Index...>) {
        (assign_chunk<Start / 32 + Index>(from), ...);
    }

    template <size_t Chunk>
    INLINE void assign_chunk(const value<bits> &from) {
        constexpr uint32_t all = ~uint32_t(0);
        constexpr uint32_t above = Start / 32 == Chunk ? all << Start % 32 : all;
        constexpr uint32_t below = Stop / 32 == Chunk ? all >> (31 - Stop % 32) : all;
        uint32_t &to = whole.data[Chunk];
        constexpr ptrdiff_t at = ptrdiff_t(32 * Chunk) - ptrdiff_t(Start);
        to = (to & ~(above & below)) | chunk_at<at>(from);
    }
};

template <size_t Bits>
struct value : cxxrtl::value<Bits> {
    using base = cxxrtl::value<Bits>;
    using base::chunks;
    using base::data;
    static constexpr uint64_t mask = Bits >= 64 ? ~uint64_t(0) : (uint64_t(1) << Bits % 64) - 1;

    value() = default;
    value(const base &from) : base(from) {}
    template <typename... Init, typename = std::enable_if_t<(std::is_integral_v<Init> && ...)>>
    explicit constexpr value(Init... init) : base(init...) {}

    // Up to 64 bits as one number, with zeros or the sign above them.
    INLINE uint64_t number() const {
        static_assert(Bits <= 64);
        if constexpr (Bits == 0) return 0;
        else if constexpr (Bits <= 32) return data[0];
        else return data[0] | uint64_t(data[1]) << 32;
    }

    INLINE int64_t integer() const {
        if constexpr (Bits == 0) return 0;
        else if constexpr (Bits <= 32) return int32_t(data[0] << (32 - Bits)) >> (32 - Bits);
        else return int64_t(number() << (64 - Bits)) >> (64 - Bits);
    }

    // The lowest bits of a number.
    static INLINE value of(uint64_t number) {
        static_assert(Bits <= 64);
        value result;
        number &= mask;
        if constexpr (Bits > 0) result.data[0] = uint32_t(number);
        if constexpr (Bits > 32) result.data[1] = uint32_t(number >> 32);
        return result;
    }

    INLINE const value &val() const { return *this; }

    template <size_t Stop, size_t Start = Stop>
    INLINE value<Stop - Start + 1> slice() const {
        return sliced<Stop, Start>(std::make_index_sequence<value<Stop - Start + 1>::chunks>());
    }

    template <size_t Stop, size_t Start = Stop>
    INLINE part<Stop, Start, Bits> slice() {
        return {*this};
    }

    // The other one has the lower bits.
    template <class Other>
    INLINE value<Bits + Other::bits> concat(const Other &other) const {
        value<Bits + Other::bits> result;
        if constexpr (Other::bits > 0) result.template slice<Other::bits - 1, 0>() = other.val();
        constexpr size_t low = Other::bits;
        if constexpr (Bits > 0) result.template slice<Bits + low - 1, low>() = *this;
        return result;
    }

    template <size_t Count>
    INLINE value<Bits * Count> repeat() const {
        return base::template repeat<Count>();
    }

    INLINE bool operator==(const value &other) const {
        uint32_t difference = 0;
        for (size_t i = 0; i < chunks; ++i) difference |= data[i] ^ other.data[i];
        return !difference;
    }

    INLINE bool operator!=(const value &other) const { return !(*this == other); }

  private:
    template <size_t Stop, size_t Start, size_t... Index>
    INLINE value<Stop - Start + 1> sliced(std::index_sequence<Index...>) const {
        value<Stop - Start + 1> result;
        ((result.data[Index] = chunk_at<ptrdiff_t(Start + 32 * Index)>(*this)), ...);
        result.data[result.chunks - 1] &= result.msb_mask;
        return result;
    }
};

template <size_t... Bits>
constexpr bool are_short = ((Bits <= 64) && ...);

// Operations on one operand and on two: what they are on up to 64 bits.
#define UNARY(name, short_result)                                             \
    template <size_t BitsY, size_t BitsA>                                     \
    INLINE value<BitsY> name(const value<BitsA> &a) {                         \
        if constexpr (are_short<BitsY, BitsA>) return value<BitsY>::of(short_result); \
        else return cxxrtl_yosys::name<BitsY>(a);                             \
    }
#define BINARY(name, short_result)                                            \
    template <size_t BitsY, size_t BitsA, size_t BitsB>                       \
    INLINE value<BitsY> name(const value<BitsA> &a, const value<BitsB> &b) {  \
        if constexpr (are_short<BitsY, BitsA, BitsB>) return value<BitsY>::of(short_result); \
        else return cxxrtl_yosys::name<BitsY>(a, b);                          \
    }
#define BOTH(name, operation)                         \
    BINARY(name##uu, a.number() operation b.number()) \
    BINARY(name##ss, a.integer() operation b.integer())
// Those that are CXXRTL's for all widths.
#define OTHER(name)                                                           \
    template <size_t BitsY, size_t BitsA, size_t BitsB>                       \
    INLINE value<BitsY> name(const value<BitsA> &a, const value<BitsB> &b) {  \
        return cxxrtl_yosys::name<BitsY>(a, b);                               \
    }

UNARY(logic_not, !a.number())
UNARY(reduce_and, a.number() == a.mask)
UNARY(reduce_or, a.number() != 0)
UNARY(reduce_xor, __builtin_parityll(a.number()))
UNARY(reduce_xnor, !__builtin_parityll(a.number()))
UNARY(reduce_bool, a.number() != 0)
UNARY(not_u, ~a.number())
UNARY(not_s, ~a.integer())
UNARY(pos_u, a.number())
UNARY(pos_s, a.integer())
UNARY(neg_u, -a.number())
UNARY(neg_s, -uint64_t(a.integer()))
BINARY(logic_and, a.number() && b.number())
BINARY(logic_or, a.number() || b.number())
BOTH(and_, &)
BOTH(or_, |)
BOTH(xor_, ^)
BINARY(xnor_uu, ~(a.number() ^ b.number()))
BINARY(xnor_ss, ~(a.integer() ^ b.integer()))
BOTH(eq_, ==)
BOTH(ne_, !=)
BOTH(eqx_, ==)
BOTH(nex_, !=)
BOTH(lt_, <)
BOTH(le_, <=)
BOTH(gt_, >)
BOTH(ge_, >=)
BINARY(add_uu, a.number() + b.number())
BINARY(add_ss, uint64_t(a.integer()) + uint64_t(b.integer()))
BINARY(sub_uu, a.number() - b.number())
BINARY(sub_ss, uint64_t(a.integer()) - uint64_t(b.integer()))
BINARY(mul_uu, a.number() * b.number())
BINARY(mul_ss, uint64_t(a.integer()) * uint64_t(b.integer()))
BINARY(shl_uu, b.number() < 64 ? a.number() << b.number() : 0)
BINARY(shr_uu, b.number() < 64 ? a.number() >> b.number() : 0)
BINARY(shift_uu, b.number() < 64 ? a.number() >> b.number() : 0)
BINARY(shiftx_uu, b.number() < 64 ? a.number() >> b.number() : 0)
OTHER(shl_su) OTHER(shr_su) OTHER(sshl_uu) OTHER(sshl_su) OTHER(sshr_uu) OTHER(sshr_su)
OTHER(shift_su) OTHER(shift_us) OTHER(shift_ss) OTHER(shiftx_su) OTHER(shiftx_us) OTHER(shiftx_ss)
OTHER(div_uu) OTHER(div_ss) OTHER(mod_uu) OTHER(mod_ss)
OTHER(divfloor_uu) OTHER(divfloor_ss) OTHER(modfloor_uu) OTHER(modfloor_ss)

#undef UNARY
#undef BINARY
#undef BOTH
#undef OTHER

}  // namespace cxxrtl_design
