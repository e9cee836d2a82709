/* The layers of a network, where the bots spend nearly all of their time (net.py has the same in
   Python). Built for each of several processors, and chosen when the module is loaded. */
#ifndef RAGE_LAYERS_H
#define RAGE_LAYERS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) \
    && __GNUC__ >= 12
#include <immintrin.h>
#define RAGE_CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#define RAGE_V4 __attribute__((target("avx512f,avx512bw,avx512vl")))
#else
#define RAGE_CLONES
#endif

/* As many numbers as a layer takes at most: the features, or the width. */
#define RAGE_MAX_INPUTS 672

/* Not C's own word, which some compilers know only when asked for C11. */
#ifdef _MSC_VER
#define RAGE_RESTRICT __restrict
#else
#define RAGE_RESTRICT __restrict__
#endif

#ifdef __GNUC__
/* Sixteen numbers that stand anywhere, added and multiplied at once. */
typedef float rage_sixteen __attribute__((vector_size(64), aligned(4), may_alias));
#endif

/* The inputs of a layer that are not 0: which they are, and what they are. They may be written
   sixteen at a time, so there is room behind the last. */
typedef struct {
    int count;
    int numbers[RAGE_MAX_INPUTS + 16];
    float factors[RAGE_MAX_INPUTS + 16];
} RageInputs;

/* Takes an input; without a branch, which would be guessed wrong half of the time. */
static inline void rage_take(RageInputs *inputs, int number, float factor) {
    inputs->numbers[inputs->count] = number;
    inputs->factors[inputs->count] = factor;
    inputs->count += factor != 0.0f;
}

#ifdef RAGE_V4
/* Takes some of sixteen inputs: a bit of `which` for each, from `first` on. */
RAGE_V4 static inline void rage_take_sixteen(RageInputs *inputs, int first, __m512 factors, __mmask16 which) {
    const __m512i steps = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i numbers = _mm512_add_epi32(_mm512_set1_epi32(first), steps);
    _mm512_storeu_si512(inputs->numbers + inputs->count, _mm512_maskz_compress_epi32(which, numbers));
    _mm512_storeu_ps(inputs->factors + inputs->count, _mm512_maskz_compress_ps(which, factors));
    inputs->count += __builtin_popcount(which);
}

/* Takes the features sixteen at a time. How many it has seen: the last few are left. */
RAGE_V4 static int rage_take_features_v4(RageInputs *inputs, const int16_t *row, int features) {
    int i = 0;
    for (; i + 16 <= features; i += 16) {
        const __m256i some = _mm256_loadu_si256((const __m256i *)(row + i));
        const __mmask16 which = _mm256_test_epi16_mask(some, some);
        if (which) rage_take_sixteen(inputs, i, _mm512_cvtepi32_ps(_mm512_cvtepi16_epi32(some)), which);
    }
    return i;
}

/* The same for what a layer has made. */
RAGE_V4 static int rage_take_numbers_v4(RageInputs *inputs, const float *x, int width) {
    int j = 0;
    for (; j + 16 <= width; j += 16) {
        const __m512 some = _mm512_loadu_ps(x + j);
        rage_take_sixteen(inputs, j, some, _mm512_cmp_ps_mask(some, _mm512_setzero_ps(), _CMP_NEQ_UQ));
    }
    return j;
}
#endif

/* Takes the features that are not 0. */
static inline void rage_take_features(RageInputs *inputs, const int16_t *row, int features) {
    int i = 0;
    inputs->count = 0;
#ifdef RAGE_V4
    if (__builtin_cpu_supports("x86-64-v4")) i = rage_take_features_v4(inputs, row, features);
#endif
    for (; i + 4 <= features; i += 4) {
        uint64_t four; /* most features are 0 */
        memcpy(&four, row + i, sizeof four);
        if (four == 0) continue;
        for (int k = i; k < i + 4; k++) rage_take(inputs, k, row[k]);
    }
    for (; i < features; i++) rage_take(inputs, i, row[i]);
}

/* Takes those that are not 0 of what a layer has made. */
static inline void rage_take_numbers(RageInputs *inputs, const float *x, int width) {
    int j = 0;
    inputs->count = 0;
#ifdef RAGE_V4
    if (__builtin_cpu_supports("x86-64-v4")) j = rage_take_numbers_v4(inputs, x, width);
#endif
    for (; j < width; j++) rage_take(inputs, j, x[j]);
}

/* Adds to `out`, for each input, its row of the weights times what it is. */
RAGE_CLONES static void rage_add_rows(
    float *RAGE_RESTRICT out, const RageInputs *RAGE_RESTRICT inputs, const float *RAGE_RESTRICT weights, int width
) {
    int done = 0;
#ifdef __GNUC__
    /* 64 sums stay in registers while all rows are added to them. */
    for (; done + 64 <= width; done += 64) {
        rage_sixteen *sums = (rage_sixteen *)(out + done);
        rage_sixteen a = sums[0], b = sums[1], c = sums[2], d = sums[3];
        for (int k = 0; k < inputs->count; k++) {
            const float factor = inputs->factors[k];
            const rage_sixteen *row =
                (const rage_sixteen *)(weights + (ptrdiff_t)inputs->numbers[k] * width + done);
            a += factor * row[0];
            b += factor * row[1];
            c += factor * row[2];
            d += factor * row[3];
        }
        sums[0] = a, sums[1] = b, sums[2] = c, sums[3] = d;
    }
#endif
    for (int k = 0; k < inputs->count; k++) {
        const float *row = weights + (ptrdiff_t)inputs->numbers[k] * width;
        for (int j = done; j < width; j++) out[j] += inputs->factors[k] * row[j];
    }
}

/* Writes into `x` what the layers make of a row of features; `y` is room for as many numbers. */
RAGE_CLONES static void rage_run_layers(
    int width, int blocks, int features, const float *RAGE_RESTRICT first,
    const float *RAGE_RESTRICT first_bias, const float *RAGE_RESTRICT inner,
    const float *RAGE_RESTRICT inner_bias, const int16_t *RAGE_RESTRICT row, float *RAGE_RESTRICT x,
    float *RAGE_RESTRICT y
) {
    RageInputs inputs;
    rage_take_features(&inputs, row, features);
    memcpy(x, first_bias, width * sizeof *x);
    rage_add_rows(x, &inputs, first, width);
    for (int j = 0; j < width; j++) x[j] = x[j] > 0 ? x[j] : 0;
    for (int block = 0; block < blocks; block++) {
        rage_take_numbers(&inputs, x, width);
        memcpy(y, inner_bias + (ptrdiff_t)block * width, width * sizeof *y);
        rage_add_rows(y, &inputs, inner + (ptrdiff_t)block * width * width, width);
        for (int j = 0; j < width; j++) x[j] += y[j] > 0 ? y[j] : 0;
    }
}

/* The product of `x` with a row. */
RAGE_CLONES static float rage_dot(const float *RAGE_RESTRICT x, const float *RAGE_RESTRICT row, int width) {
    float sums[16] = {0};
    float sum = 0;
    int j = 0;
#ifdef __GNUC__
    rage_sixteen a = {0}, b = {0}, c = {0}, d = {0};
    for (; j + 64 <= width; j += 64) {
        const rage_sixteen *one = (const rage_sixteen *)(x + j);
        const rage_sixteen *other = (const rage_sixteen *)(row + j);
        a += one[0] * other[0];
        b += one[1] * other[1];
        c += one[2] * other[2];
        d += one[3] * other[3];
    }
    *(rage_sixteen *)sums = (a + b) + (c + d);
#endif
    for (; j < width; j++) sum += x[j] * row[j];
    for (int k = 0; k < 8; k++) sums[k] += sums[k + 8];
    for (int k = 0; k < 4; k++) sums[k] += sums[k + 4];
    return sum + ((sums[0] + sums[2]) + (sums[1] + sums[3]));
}

#endif
