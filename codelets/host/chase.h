/* What one task of the bulge chase does; the mathematics is in codelets/host/chase.c and chase_hermitian.c. */
#ifndef CODELETS_HOST_CHASE_H
#define CODELETS_HOST_CHASE_H

#include <stdbool.h>
#include <stdint.h>

/* Within a group each sweep is this many steps behind the one before: step t + 1 of sweep s - 1 is done before step t of sweep s. */
enum { CHASE_SKEW = 1 };

struct chase_part {
	int64_t n, b, above, ld; /* the band: runtime/band.h */
	bool hermitian;
	int64_t column;          /* of the band, where the memory handed over begins */
	int64_t s0, s1;          /* sweeps s0 .. s1-1 */
	int64_t first, steps;    /* sweep s0 + i does steps first - CHASE_SKEW i .. + steps - 1, those that exist */
};

/* Steps that sweep s has. */
static inline int64_t chase_steps(const struct chase_part *p, int64_t s)
{
	return (p->n - 2 - s) / p->b + 1;
}

/* The steps of sweep s that the part does: chase_first .. chase_end - 1, none if that is empty. */
static inline int64_t chase_first(const struct chase_part *p, int64_t s)
{
	int64_t first = p->first - CHASE_SKEW * (s - p->s0);

	return first > 0 ? first : 0;
}

static inline int64_t chase_end(const struct chase_part *p, int64_t s)
{
	int64_t end = p->first - CHASE_SKEW * (s - p->s0) + p->steps, steps = chase_steps(p, s);

	return end < steps ? end : steps;
}

/* The band's columns that the part touches, *from .. *to.  Returns whether it has any step at all. */
static inline bool chase_columns(const struct chase_part *p, int64_t *from, int64_t *to)
{
	*from = p->n;
	*to = -1;
	for (int64_t s = p->s0; s < p->s1; s++) {
		int64_t t0 = chase_first(p, s), t1 = chase_end(p, s);
		if (t0 >= t1)
			continue;
		int64_t j0 = t0 > 0 ? s + 1 + (t0 - 1) * p->b : s + !p->hermitian, j1 = s + t1 * p->b;
		*from = j0 < *from ? j0 : *from;
		*to = j1 > *to ? j1 : *to;
	}
	*to = *to < p->n ? *to : p->n - 1;
	return *to >= *from;
}

/* Length of a vector along a block, padded for whole hardware vectors wherever in memory the block begins. */
static inline int64_t chase_vector(int64_t b)
{
	return (b + 47) / 16 * 16;
}

/* Scalars of work space a part needs, aligned to 64 bytes. */
static inline int64_t chase_work(int64_t b)
{
	return 8 * chase_vector(b);
}

#endif
