/* The choices for the singular values of a matrix, from measurements.  One table, so that a tuner can replace it. */
#include <stddef.h>
#include <heddle/types.h>

struct choice {
	int64_t n;    /* for min(m, n) up to this */
	int64_t band, tile;
};

static const struct choice choices[] = {
	{ 384, 24, 96 },
	{ 768, 32, 128 },
	{ 1536, 48, 192 },
	{ 3072, 56, 384 },
	{ INT64_MAX, 64, 512 },
};

/* Up to this order, and for as little work in any shape, one LAPACK call is faster than a graph. */
enum { LAPACK_UP_TO = 192 };

void heddle_svd_options(heddle_type type, int64_t m, int64_t n, heddle_options *options)
{
	int64_t k = m < n ? m : n;
	double work = (double)m * (double)n * (double)k, limit = (double)LAPACK_UP_TO * LAPACK_UP_TO * LAPACK_UP_TO;
	const struct choice *c = choices;

	(void)type;
	while (k > c->n)
		c++;
	if (options->band == 0)
		options->band = c->band;
	if (options->tile == 0)
		options->tile = c->tile;
	if (options->route == HEDDLE_ROUTE_AUTO)
		options->route = work <= limit ? HEDDLE_ROUTE_LAPACK : HEDDLE_ROUTE_GRAPH;
}
