/* The choices for one matrix: what the caller leaves open is looked up in the table in force. */
#include <math.h>
#include <string.h>
#include "runtime/runtime.h"
#include "runtime/tuning.h"

/* With fewer right-hand sides than this, and than unknowns, the updates are to be shared among workers too. */
enum { MANY_SIDES = 512 };

/* The order of a square matrix with as much work as k * l * m. */
static int64_t order_of(int64_t k, int64_t l, int64_t m)
{
	return k == l && l == m ? k : (int64_t)llround(cbrt((double)k * (double)l * (double)m));
}

static int route_of(int route, enum tuning_job job, heddle_type type, int64_t order)
{
	return route != HEDDLE_ROUTE_AUTO ? route : tuning_choice(job, type, order)->route;
}

/* A GPU wants larger tiles than the processors that the built-in table is for; a table of the user's knows. */
static int64_t tile_of(const struct tuning_choice *c, int64_t n)
{
	int64_t least = n >= 8192 ? 1024 : n >= 2048 ? 512 : 0;

	return runtime_gpus() > 0 && strcmp(tuning_in_force()->source, TUNING_BUILTIN) == 0 && c->tile < least ? least : c->tile;
}

/* The sizes by the order of the band, the way by the work. */
static void fill_in(heddle_options *options, enum tuning_job job, heddle_type type, int64_t n, int64_t order)
{
	const struct tuning_choice *c = tuning_choice(job, type, n);

	if (options->band == 0) { /* what suits another band is the model's to find */
		options->band = c->band;
		options->group = options->group == 0 ? c->group : options->group;
		options->steps = options->steps == 0 ? c->steps : options->steps;
	}
	if (options->tile == 0)
		options->tile = tile_of(c, n);
	options->route = route_of((int)options->route, job, type, order);
}

void heddle_svd_options(heddle_type type, int64_t m, int64_t n, heddle_options *options)
{
	int64_t k = m < n ? m : n;

	fill_in(options, TUNING_SVDVALS, type, k, order_of(m, n, k));
}

void heddle_eig_options(heddle_type type, int64_t n, heddle_options *options)
{
	fill_in(options, TUNING_EIGVALS, type, n, n);
}

void heddle_trsm_options(heddle_type type, int64_t k, int64_t many, heddle_options *options)
{
	bool few = many < MANY_SIDES && many < k;
	const struct tuning_choice *c = tuning_choice(few ? TUNING_TRSM_FEW : TUNING_TRSM, type, k);

	if (options->tile == 0)
		options->tile = tile_of(c, k);
	if (options->inverse == 0)
		options->inverse = c->inverse;
	options->route = route_of((int)options->route, TUNING_TRSM, type, order_of(k, k, many));
}
