/* The choices for the values of a matrix, from measurements.  Tables, so that a tuner can replace them. */
#include <stdbool.h>
#include <stddef.h>
#include <heddle/types.h>

struct choice {
	int64_t n; /* for orders up to this */
	int64_t band, tile;
};

/* Singular values; the order is min(m, n). */
static const struct choice svd_choices[] = {
	{ 384, 24, 96 },
	{ 768, 32, 128 },
	{ 1536, 48, 192 },
	{ 3072, 56, 384 },
	{ INT64_MAX, 64, 512 },
};

/* Eigenvalues. */
static const struct choice eig_choices[] = {
	{ 768, 32, 128 },
	{ 1536, 40, 192 },
	{ 3072, 48, 256 },
	{ INT64_MAX, 64, 384 },
};

/* Up to these orders, and for as little work in any shape, one LAPACK call is faster than a graph. */
enum { SVD_BY_LAPACK = 192, EIG_BY_LAPACK = 352 };

/* Triangular solves, by the order of the triangle: tiles of it.  In single precision the BLAS's solve is fast enough to be given large ones. */
static const struct choice trsm_choices[] = {
	{ INT64_MAX, 0, 512 },
};
static const struct choice trsm_single_choices[] = {
	{ INT64_MAX, 0, 2048 },
};

/* With fewer right-hand sides than MANY_SIDES the workers have to share the updates. */
enum { MANY_SIDES = 512 };
static const struct choice trsm_narrow_choices[] = {
	{ INT64_MAX, 0, 256 },
};

/* Up to as much work as these orders have with as many right-hand sides, a single call is faster than tasks. */
enum { TRSM_BY_CALL = 192, TRSM_SINGLE_BY_CALL = 640 };

static void fill_in(heddle_options *options, const struct choice *c, int64_t n, double work, double lapack_up_to)
{
	while (n > c->n)
		c++;
	if (options->band == 0)
		options->band = c->band;
	if (options->tile == 0)
		options->tile = c->tile;
	if (options->route == HEDDLE_ROUTE_AUTO)
		options->route = work <= lapack_up_to * lapack_up_to * lapack_up_to ? HEDDLE_ROUTE_LAPACK : HEDDLE_ROUTE_GRAPH;
}

void heddle_svd_options(heddle_type type, int64_t m, int64_t n, heddle_options *options)
{
	int64_t k = m < n ? m : n;

	(void)type;
	fill_in(options, svd_choices, k, (double)m * (double)n * (double)k, SVD_BY_LAPACK);
}

void heddle_eig_options(heddle_type type, int64_t n, heddle_options *options)
{
	(void)type;
	fill_in(options, eig_choices, n, (double)n * (double)n * (double)n, EIG_BY_LAPACK);
}

void heddle_trsm_options(heddle_type type, int64_t k, int64_t many, heddle_options *options)
{
	bool single = type == HEDDLE_S;
	const struct choice *choices = many < MANY_SIDES ? trsm_narrow_choices : single ? trsm_single_choices : trsm_choices;

	fill_in(options, choices, k, (double)k * (double)k * (double)many, single ? TRSM_SINGLE_BY_CALL : TRSM_BY_CALL);
	if (options->inverse == 0)
		options->inverse = 1; /* on processors, substitution is as fast as products */
}
