/* Counts and determinants of codelets/host/sturm.h at many points at once, the lanes of a few vectors: enough of them in
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
	wide y[MOST], f[MOST], h[MOST]; /* y: x^2 or x */
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

/* One step.  A bidiagonal's new f and h take the places of the old ones; a tridiagonal's new f takes that of h, since the new h is the
 * old f. */
INLINE void step(const enum sturm_kind kind, const int vectors, const bool counting, const double *coefficients, const wide *y,
		 wide *f, wide *h, word *kept)
{
	wide e = coefficients[0] - (wide){ 0 }, d = coefficients[1] - (wide){ 0 };

	UNROLL
	for (int v = 0; v < vectors; v++) {
		wide before = f[v];
		if (kind == BIDIAGONAL) {
			h[v] = y[v] * before - e * h[v];
			f[v] = h[v] - d * before;
		} else {
			h[v] = (y[v] + d) * before - e * h[v]; /* d is the entry's negative */
		}
		if (counting)
			kept[v] += ((word)(kind == BIDIAGONAL ? f[v] : h[v]) ^ (word)before) >> 63;
	}
}

/* Steps begin .. end - 1.  A copy of the lanes, so that they stay in registers. */
INLINE void steps(const enum sturm_kind kind, const int vectors, const bool counting, struct lanes *l, const double *coefficients,
		  int64_t begin, int64_t end)
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
	if (kind == TRIDIAGONAL) /* f and h change roles: two steps at once spare the moves */
		for (; begin + 1 < end; begin += 2) {
			step(kind, vectors, counting, coefficients + 2 * begin, y, f, h, kept);
			step(kind, vectors, counting, coefficients + 2 * begin + 2, y, h, f, kept);
		}
	for (int64_t k = begin; k < end; k++) {
		step(kind, vectors, counting, coefficients + 2 * k, y, f, h, kept);
		UNROLL
		for (int v = 0; kind == TRIDIAGONAL && v < vectors; v++) {
			wide next = h[v];
			h[v] = f[v];
			f[v] = next;
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
INLINE void group(const enum sturm_kind kind, const int vectors, const bool counting, const struct sturm *m, int64_t number,
		  struct sturm_point *points)
{
	struct lanes l = { 0 };
	const struct sturm_part *part = sturm_parts(m);
	double factor = ldexp(1, -m->exponent);
	int64_t k = 0;

	for (int i = 0; i < vectors * WIDTH; i++) {
		double x = points[i < number ? i : number - 1].x * factor;
		l.y[i / WIDTH][i % WIDTH] = kind == BIDIAGONAL ? x * x : x;
		l.f[i / WIDTH][i % WIDTH] = 1;
	}
	for (int64_t i = 0; i < m->parts; i++) {
		steps(kind, vectors, counting, &l, sturm_coefficients(m), k, part[i].end);
		rescale(vectors, &l, part[i].split);
		k = part[i].end;
	}
	for (int i = 0; i < vectors * WIDTH && i < number; i++) {
		int v = i / WIDTH, j = i % WIDTH;
		points[i].mantissa = l.zero[v][j] ? 0 : l.f[v][j];
		points[i].exponent = (double)((int64_t)l.exponent[v][j] - BIAS * m->parts);
		if (counting)
			points[i].below = m->n - (int64_t)l.kept[v][j];
	}
}

/* Any number of points. */
INLINE void all(const enum sturm_kind kind, const int vectors, const bool counting, const struct sturm *m, int64_t number,
		struct sturm_point *points)
{
	for (int64_t i = 0; i < number; i += vectors * WIDTH)
		group(kind, vectors, counting, m, number - i, points + i);
}

void HOST(sturm_count)(const struct sturm *m, int64_t number, struct sturm_point *points)
{
	if (m->kind == BIDIAGONAL)
		all(BIDIAGONAL, COUNT_VECTORS, true, m, number, points);
	else
		all(TRIDIAGONAL, COUNT_VECTORS, true, m, number, points);
}

void HOST(sturm_sign)(const struct sturm *m, int64_t number, struct sturm_point *points)
{
	if (m->kind == BIDIAGONAL)
		all(BIDIAGONAL, SIGN_VECTORS, false, m, number, points);
	else
		all(TRIDIAGONAL, SIGN_VECTORS, false, m, number, points);
}
