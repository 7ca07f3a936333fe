/* Counts and determinants of codelets/host/bidiagonal.h at many points at once, the lanes of a few vectors: enough of them in
 * flight to hide the latency of a step, few enough to stay in registers. */
#include "codelets/host/kernels.h"
#include "codelets/host/vector.h"

typedef double wide __attribute__((vector_size(VECTOR_BYTES)));
typedef uint64_t word __attribute__((vector_size(VECTOR_BYTES)));

enum {
	WIDTH = VECTOR_BYTES / (int)sizeof(double),
#if defined(ISA_v4)
	COUNT_VECTORS = 6,
#elif defined(ISA_v3)
	COUNT_VECTORS = 4,
#else
	COUNT_VECTORS = 3,
#endif
	SIGN_VECTORS = 6, /* no counts to keep */
	MOST = 6,
	BIAS = 1023 /* of a double's exponent */
};

struct lanes {
	wide y[MOST], f[MOST], h[MOST];
	word kept[MOST];     /* steps that changed the sign of f */
	word exponent[MOST]; /* of f and h, biased once a part */
	word zero[MOST];     /* all ones: the determinant is zero */
};

/* The next part of a matrix begins: bring f and h near 1.  Both can only be zero where an entry is, which parts end at. */
INLINE void rescale(const int vectors, struct lanes *l, bool split)
{
	const word sign = (word){ 0 } + ((uint64_t)1 << 63), one = (word)((wide){ 0 } + 1.0);

	UNROLL
	for (int v = 0; v < vectors; v++) {
		word f = (word)l->f[v], h = split ? (word){ 0 } : (word)l->h[v];
		word none = (word)((wide)(f & ~sign) + (wide)(h & ~sign) == 0);

		l->zero[v] |= none;
		f |= none & one;
		if (!split)
			h = (none & f) | (~none & h);
		word exponent = (word)((wide)(f & ~sign) + (wide)(h & ~sign)) >> 52;
		wide factor = (wide)((2 * BIAS - exponent) << 52);
		l->exponent[v] += exponent;
		l->f[v] = (wide)f * factor;
		l->h[v] = (wide)h * factor;
	}
}

/* Steps begin .. end - 1.  A copy of the lanes, so that they stay in registers. */
INLINE void steps(const int vectors, const bool counting, struct lanes *l, const double *squares, int64_t begin, int64_t end)
{
	wide y[MOST], f[MOST], h[MOST];
	word kept[MOST];

	UNROLL
	for (int v = 0; v < vectors; v++) {
		y[v] = l->y[v];
		f[v] = l->f[v];
		h[v] = l->h[v];
		kept[v] = l->kept[v];
	}
	for (int64_t k = begin; k < end; k++) {
		wide e = squares[2 * k] - (wide){ 0 }, d = squares[2 * k + 1] - (wide){ 0 };
		UNROLL
		for (int v = 0; v < vectors; v++) {
			wide before = f[v];
			h[v] = y[v] * before - e * h[v];
			f[v] = h[v] - d * before;
			if (counting)
				kept[v] += ((word)f[v] ^ (word)before) >> 63;
		}
	}
	UNROLL
	for (int v = 0; v < vectors; v++) {
		l->f[v] = f[v];
		l->h[v] = h[v];
		l->kept[v] = kept[v];
	}
}

/* The points 0 .. vectors * WIDTH - 1, of which there are `number` or more. */
INLINE void group(const int vectors, const bool counting, const struct bidiagonal *b, int64_t number, struct sturm_point *points)
{
	struct lanes l = { 0 };
	const struct sturm_part *part = bidiagonal_parts(b);
	double factor = ldexp(1, -b->exponent);
	int64_t k = 0;

	for (int i = 0; i < vectors * WIDTH; i++) {
		double x = points[i < number ? i : number - 1].x * factor;
		l.y[i / WIDTH][i % WIDTH] = x * x;
		l.f[i / WIDTH][i % WIDTH] = 1;
	}
	for (int64_t i = 0; i < b->parts; i++) {
		steps(vectors, counting, &l, bidiagonal_squares(b), k, part[i].end);
		rescale(vectors, &l, part[i].split);
		k = part[i].end;
	}
	for (int i = 0; i < vectors * WIDTH && i < number; i++) {
		int v = i / WIDTH, j = i % WIDTH;
		points[i].mantissa = l.zero[v][j] ? 0 : l.f[v][j];
		points[i].exponent = (double)((int64_t)l.exponent[v][j] - BIAS * b->parts);
		if (counting)
			points[i].below = b->n - (int64_t)l.kept[v][j];
	}
}

void HOST(sturm_count)(const struct bidiagonal *b, int64_t number, struct sturm_point *points)
{
	for (int64_t i = 0; i < number; i += COUNT_VECTORS * WIDTH)
		group(COUNT_VECTORS, true, b, number - i, points + i);
}

void HOST(sturm_sign)(const struct bidiagonal *b, int64_t number, struct sturm_point *points)
{
	for (int64_t i = 0; i < number; i += SIGN_VECTORS * WIDTH)
		group(SIGN_VECTORS, false, b, number - i, points + i);
}
