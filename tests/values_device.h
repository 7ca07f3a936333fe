/* Bidiagonals and tridiagonals to try on the device, the search for their values there, and a check of these by counts in quadruple precision. */
#ifndef TESTS_VALUES_DEVICE_H
#define TESTS_VALUES_DEVICE_H

#include "tests/device_support.h"
#include "codelets/device/sturm.h"

#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 quad;
#else
typedef long double quad;
#endif

#define DENORMAL (sizeof(real) == sizeof(float) ? 0x1p-149 : 0x1p-1074)
#define RANGE (sizeof(real) == sizeof(float) ? 37 : 290)

static inline double random_number(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15u);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

enum matrix { UNIFORM, CHI, ZERO_MATRIX, IDENTITY_MATRIX, STEEP_GRADED, ANY_EXPONENT, GLUED, WILKINSON, ZERO_DIAGONAL, SOME_ZEROS, DIAGONAL,
	      TINY_VALUES, HUGE_ENTRIES, TINY_ENTRIES, MATRICES };

static inline double entry(enum matrix kind, int64_t n, int64_t i, bool diagonal, uint64_t *state)
{
	double u = random_number(state), x = (double)i / (double)n;

	switch (kind) {
	case CHI: return sqrt(fabs((double)(n - i) + u * 2) / (double)n);
	case ZERO_MATRIX: return 0;
	case IDENTITY_MATRIX: return diagonal;
	case STEEP_GRADED: return pow(10, -RANGE * x) * (diagonal ? 1 : u / 3);
	case ANY_EXPONENT: return pow(10, RANGE * u);
	case GLUED: return diagonal ? fabs((double)(i % 21 - 10)) + 1e-3 : i % 21 == 20 ? 1e-9 : 1;
	case WILKINSON: return diagonal ? fabs((double)i - (double)(n - 1) / 2) : 1;
	case ZERO_DIAGONAL: return diagonal ? 0 : u;
	case SOME_ZEROS: return fabs(u) < 0.1 ? 0 : u;
	case DIAGONAL: return diagonal ? (double)(i * 7 % n) - (double)(n / 2) : 0;
	case TINY_VALUES: return diagonal ? 1 : 4;
	case HUGE_ENTRIES: return u * pow(10, RANGE);
	case TINY_ENTRIES: return u * pow(10, -RANGE);
	default: return u;
	}
}

struct problem {
	enum sturm_kind kind;
	int64_t n;
	real *d, *e;
};

static inline struct problem problem(enum sturm_kind kind, enum matrix matrix, int64_t n)
{
	uint64_t state = (uint64_t)(n + matrix);
	struct problem p = { kind, n, malloc((size_t)n * sizeof(real)), malloc((size_t)n * sizeof(real)) };

	for (int64_t i = 0; i < n; i++) {
		p.d[i] = (real)entry(matrix, n, i, true, &state);
		p.e[i] = (real)entry(matrix, n, i, false, &state);
	}
	p.e[n - 1] = NAN; /* not to be read */
	return p;
}

static inline void problem_free(struct problem *p)
{
	free(p->d);
	free(p->e);
}

/* Values below x: of a bidiagonal for x > 0, by the matrix of order 2n with zero diagonal. */
static inline int64_t count_below(const struct problem *p, quad x)
{
	int64_t negative = 0, n = p->n;
	quad pivot = 1;

	if (p->kind == BIDIAGONAL) {
		pivot = -x;
		negative = 1;
		for (int64_t i = 0; i < 2 * n - 1; i++) {
			quad b = i % 2 == 0 ? p->d[i / 2] : p->e[i / 2];
			pivot = -x - (pivot == 0 ? (b == 0 ? 0 : (quad)-1e4000L * b * b) : b * b / pivot);
			negative += pivot < 0;
		}
		return negative - n;
	}
	for (int64_t i = 0; i < n; i++) {
		quad b = i > 0 ? p->e[i - 1] : 0;
		pivot = (quad)p->d[i] - x - b / pivot * b;
		if (pivot == 0)
			pivot = (quad)1e-2000L;
		negative += pivot < 0;
	}
	return negative;
}

static inline double magnitude(double x) { return x < 0 ? -x : x; }

/* All values, smallest first from `values` in their order: in order, and every `step`-th right. */
static inline void check_values(const struct problem *p, const char *what, const real *values, int64_t step)
{
	int64_t n = p->n;
	bool down = p->kind == BIDIAGONAL;
	double norm = fmax(magnitude((double)values[0]), magnitude((double)values[n - 1]));
	double eps = (sizeof(real) == sizeof(float) ? 0.7 : down ? 10 : 4) * REAL_EPS;

	for (int64_t i = 1; i <= n; i++) {
		real value = values[down ? n - i : i - 1];
		ck_assert_msg(i == 1 || value >= values[down ? n - i + 1 : i - 2], "%s, n = %d: value %d is out of order", what, (int)n, (int)i);
		if (i % step != 0 && i != 1 && i != n)
			continue;
		quad x = value, slack = (quad)(eps * (down ? magnitude((double)value) : norm)) + 2 * (quad)DENORMAL;
		bool low = (down && x <= slack) || count_below(p, x - slack) < i, high = count_below(p, x + slack) >= i;
		ck_assert_msg((!down || (value >= 0 && !signbit(value))) && low && high, "%s, kind %d, n = %d: value %d = %.17g is wrong (%d%d)",
			      what, (int)p->kind, (int)n, (int)i, (double)value, low, high);
	}
}

/* A search on the device, in pieces: d and e in tiles of so many rows. */
struct search {
	struct sturm *m; /* on the device */
	int64_t n;
	int64_t *found;
	int *verdict;
};

static inline real **to_tiles(const real *x, int64_t n, int64_t rows, int64_t *count)
{
	*count = (n + rows - 1) / rows;
	real **tiles = malloc((size_t)(*count + 1) * sizeof(*tiles));

	for (int64_t t = 0; t < *count; t++) {
		int64_t here = n - t * rows < rows ? n - t * rows : rows;
		tiles[t] = device_copy(x + t * rows, (size_t)here * sizeof(real), "tile");
	}
	return tiles;
}

static inline void tiles_free(real **tiles, int64_t count)
{
	for (int64_t t = 0; t < count; t++)
		device_free(tiles[t]);
	free(tiles);
}

static inline struct search prepare_on_device(const struct problem *p, int64_t rows, const real *scale, const heddle_select *select)
{
	int64_t d_tiles, e_tiles, minus = -1;
	int zero = 0;
	struct search s = { device_new(sturm_bytes(p->n), "sturm"), p->n, device_copy(&minus, sizeof(minus), "found"),
			    device_copy(&zero, sizeof(zero), "verdict") };
	real **d = to_tiles(p->d, p->n, rows, &d_tiles), **e = to_tiles(p->e, p->n - 1, rows + 1, &e_tiles);
	real *scale_there = scale ? device_copy(scale, 2 * sizeof(real), "scale") : NULL;

	NAME(gpu_values_init)(NULL, p->kind, p->n, s.m, d, rows, e, rows + 1, scale_there, select, s.found, s.verdict);
	device_finish();
	tiles_free(d, d_tiles);
	tiles_free(e, e_tiles);
	if (scale)
		device_free(scale_there);
	return s;
}

static inline int64_t number_found(const struct search *s)
{
	int64_t found;

	device_from(&found, s->found, sizeof(found));
	return found;
}

static inline int verdict_of(const struct search *s)
{
	int verdict;

	device_from(&verdict, s->verdict, sizeof(verdict));
	return verdict;
}

static inline void search_free(struct search *s)
{
	device_free(s->m);
	device_free(s->found);
	device_free(s->verdict);
}

/* The values, at most room, by so many parts and into tiles of so many rows. */
static inline void find_on_device(const struct search *s, int64_t parts, int64_t room, int64_t rows, real *values)
{
	int64_t piece = (room + parts - 1) / parts, tiles;
	real **pieces = malloc((size_t)parts * sizeof(*pieces)), **to;

	for (int64_t p = 0; p < parts; p++) {
		pieces[p] = device_new((size_t)piece * sizeof(real), "piece");
		NAME(gpu_values_find)(NULL, s->m, p, parts, room, pieces[p]);
	}
	to = to_tiles(values, room, rows, &tiles);
	NAME(gpu_values_collect)(NULL, s->m, parts, pieces, room, to, rows);
	device_finish();
	for (int64_t t = 0; t < tiles; t++)
		device_from(values + t * rows, to[t], (size_t)(room - t * rows < rows ? room - t * rows : rows) * sizeof(real));
	tiles_free(to, tiles);
	tiles_free(pieces, parts);
}

static const heddle_select everything __attribute__((unused)) = { .kind = HEDDLE_ALL };

static inline void all_on_device(const struct problem *p, int64_t rows, int64_t parts, real *values)
{
	struct search s = prepare_on_device(p, rows, NULL, &everything);

	ck_assert_int_eq(verdict_of(&s), 0);
	ck_assert_int_eq(number_found(&s), p->n);
	find_on_device(&s, parts, p->n, rows, values);
	search_free(&s);
}

#endif
