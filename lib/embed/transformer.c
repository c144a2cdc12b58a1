/* transformer.c: selects the kernel, and does the work that is done once for a text.
 *
 * A matrix lies in panels of 16 rows: a load of 64 bytes gives eight columns of
 * them, as two operands of 64 codes. Codes are 0 to 15 and multiplied by signed
 * bytes, so 16 bits hold the sums of a group. layers.h has the arithmetic,
 * kernel-X.c the products of matrices, which take most of the time.
 */
#include "embed/transformer.h"

#include "base/mem.h"
#include "embed/lanes.h"

#include <math.h>

#if defined(__x86_64__) || defined(__i386__)
#define X86
/* glibc asks the processor once for itself. GCC's own test asks again when any
 * program starts, which takes a tenth of the start in a virtual machine. */
#if __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#endif
#ifdef CPU_FEATURE_ACTIVE
/* As CPU_FEATURE_ACTIVE(), which shifts into a sign bit. */
static bool is_active(unsigned feature)
{
	const struct cpuid_feature *leaf =
		__x86_get_cpuid_feature_leaf(feature / 128);

	return leaf->active_array[feature % 128 / 32] >> feature % 32 & 1;
}
#define HAS(glibc, gcc) is_active(x86_cpu_##glibc)
#else
#define HAS(glibc, gcc) __builtin_cpu_supports(gcc)
#endif
#elif defined(__ARM_NEON) && !COMPAT_SWAPS
#define NEON
#endif

struct transformer_kernel {
	const char *name;
	bool (*is_supported)(void);
	kernels_run *run;
};

static bool is_always(void)
{
	return true;
}

#ifdef X86
static bool has_vnni(void)
{
	return HAS(AVX512_VNNI, "avx512vnni") && HAS(AVX512BW, "avx512bw") &&
	       HAS(AVX512VL, "avx512vl");
}

static bool has_avx2(void)
{
	return HAS(AVX2, "avx2");
}

static bool has_ssse3(void)
{
	return HAS(SSSE3, "ssse3");
}
#endif

/* The fastest first. */
static const struct transformer_kernel kernels[] = {
#ifdef X86
	{"vnni", has_vnni, kernels_vnni},
	{"avx2", has_avx2, kernels_avx2},
	{"ssse3", has_ssse3, kernels_ssse3},
#elif defined(NEON)
	{"neon", is_always, kernels_neon},
#endif
	{"portable", is_always, kernels_portable},
};

const struct transformer_kernel *transformer_kernel(size_t i)
{
	for (size_t k = 0; k < ARRAY_LEN(kernels); k++) {
		if (kernels[k].is_supported() && !i--)
			return &kernels[k];
	}
	return NULL;
}

const struct transformer_kernel *transformer_fastest(void)
{
	return transformer_kernel(0);
}

const char *transformer_kernel_name(const struct transformer_kernel *k)
{
	return k->name;
}

void transformer_piece(const unsigned char *row, const unsigned char *place,
		       float *out)
{
	const unsigned char *scales = row + SIDE / 2;

	for (size_t g = 0; g < SIDE / GROUP; g++) {
		const float scale = load_half(scales + g * 2);

		for (size_t i = 0; i < GROUP / 2; i++) {
			const int code = row[g * GROUP / 2 + i];
			float *x = out + g * GROUP + i;

			x[0] = (float)((code & 15) - 8) * scale;
			x[GROUP / 2] = (float)((code >> 4) - 8) * scale;
		}
	}
	for (size_t i = 0; i < SIDE; i++)
		out[i] = out[i] + load_half(place + i * 2);
}

static void allocate_work(struct kernels_work *w, float *pieces, size_t n)
{
	const size_t room = (n + LANES - 1) / LANES * LANES;
	const size_t block = n < BLOCK ? n : BLOCK;

	w->n = n;
	w->room = room;
	w->hidden = pieces;
	w->asked = mem_alloc((n + QUERIES) * 3 * SIDE * sizeof(float));
	w->inner = mem_alloc(block * INNER * sizeof(float));
	w->added = mem_alloc(block * SIDE * sizeof(float));
	w->keys = mem_alloc(room * WIDTH * sizeof(float));
	w->scores = mem_alloc(room * QUERIES * sizeof(float));
	w->coded.codes = mem_alloc(block * INNER);
	w->coded.offsets = mem_alloc(block * INNER / GROUP * sizeof(int32_t));
	w->coded.scales = mem_alloc(block * sizeof(float));
}

static void release_work(struct kernels_work *w)
{
	free(w->asked);
	free(w->inner);
	free(w->added);
	free(w->keys);
	free(w->scores);
	free(w->coded.codes);
	free(w->coded.offsets);
	free(w->coded.scales);
}

/* Set OUT to the mean of the N vectors X, of length 1. */
static bool pool_pieces(const float *x, size_t n, float *out)
{
	lanes squares = all_lanes(0);
	float length;

	memset(out, 0, SIDE * sizeof(*out));
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < SIDE; k++)
			out[k] = out[k] + x[i * SIDE + k];
	}
	for (size_t k = 0; k < SIDE; k += LANES) {
		const lanes y = load_lanes(out + k);

		squares += y * y;
	}
	length = sqrtf(sum_lanes(squares));
	for (size_t k = 0; k < SIDE; k++)
		out[k] = out[k] / length;
	return length > 0 && isfinite(length);
}

bool transformer_run(const struct transformer_kernel *k,
		     const struct transformer_norm *first,
		     const struct transformer_layer *layers, size_t nlayers,
		     float *pieces, size_t n, float *out)
{
	struct kernels_work w;

	allocate_work(&w, pieces, n);
	k->run(first, layers, nlayers, &w);
	release_work(&w);
	return pool_pieces(pieces, n, out);
}
