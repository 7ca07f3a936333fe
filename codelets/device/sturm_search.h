/* The search for single values, a group of lanes each: what a thread searches is the value of one index, between two points whose counts
 * lie on either side of it.
 *
 * An interval that holds several values, or whose ends differ much, is cut at as many points as the group has lanes, in places that depend on
 * its ends alone: values of one interval see the same points until a count separates them, so they come out in order, with bits that depend on
 * the matrix and the size of a group only.  An interval that holds a single value is cut where the determinant, interpolated, vanishes, and, by
 * the other lanes, close by on both sides.  All values of a block take a round together. */
#ifndef CODELETS_DEVICE_STURM_SEARCH_H
#define CODELETS_DEVICE_STURM_SEARCH_H

#include "codelets/device/sturm_count.h"

enum {
	PATIENCE = 4,     /* interpolations in which an interval has to shrink as much as by bisection */
	STEEPEST = 4096,  /* more powers of 2 than there are */
	NEARER = 6,       /* powers of 2 by which further lanes are nearer to an interpolated point */
	ENOUGH_THREADS = 65536 /* more would not hide the latency of a step any better */
};

#define TOLERANCE (REAL_IS_SINGLE ? 0x1p-27 : 0x1p-51)

/* Threads that search one value together, where that many values are searched at most. */
static inline int lanes_for(int64_t values)
{
	return values <= ENOUGH_THREADS / 16 ? 16 : values <= ENOUGH_THREADS / 4 ? 4 : 1;
}

struct sturm_search {
	int index;                 /* of the value, counted from 1, of T or of -T; 0: nothing to search */
	bool mirrored;             /* of -T */
	bool from_lo;              /* lo is newer than hi */
	int trials;
	int steep;                 /* powers of 2 of the next step from hi towards 0, where lo is still as small as values can be; or 0 */
	double width;              /* a few trials ago; 0: never */
	device_point lo, hi;
	device_point old;          /* what was lo or hi before, outside the interval; mantissa 0: nothing yet */
};

/* A point's determinant in units of 2^exponent. */
static __device__ __forceinline__ double relative_to(const device_point *p, double exponent)
{
	double e = p->exponent - exponent;

	return ldexp(p->mantissa, e < -1000 ? -1000 : (int)e);
}

/* Where between a (0) and b (1) the determinant may vanish: as on the host. */
static __device__ __forceinline__ double interpolated(const device_point *a, double ya, const device_point *b, double yb, const device_point *c, double yc)
{
	if (a->mantissa == 0 || b->mantissa == 0 || c->mantissa == 0)
		return 0.5;
	double most = fmax(a->exponent, fmax(b->exponent, c->exponent));
	double fa = relative_to(a, most), fb = relative_to(b, most), fc = relative_to(c, most);
	double xi = (ya - yb) / (yc - yb), phi = (fa - fb) / (fc - fb);

	if (!(phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi))
		return 0.5;
	return fa / (fb - fa) * (fc / (fb - fc)) + (yc - ya) / (yb - ya) * (fa / (fc - fa)) * (fb / (fc - fb));
}

/* The point of a lane where the ends differ much: a growing number of powers of 2 below hi; or their logarithms evenly spread. */
static __device__ __forceinline__ double steep_point(const sturm_search *s, int lane, int lanes)
{
	double hi = s->hi.x, lo = s->lo.x;

	if (s->steep > 0) {
		int power = lanes - 1 - lane;
		return ldexp(hi, power > 12 || s->steep << power > STEEPEST ? -STEEPEST : -(s->steep << power));
	}
	double below = (double)((lo > 0 ? ilogb(lo) : -1075) - ilogb(hi)) * (lanes - lane) / (lanes + 1);
	int whole = (int)below;
	return ldexp(hi * (1 + (below - whole) / 2), whole);
}

static __device__ __forceinline__ double interpolated_point(const sturm_search *s, bool squares, int lane, int lanes)
{
	device_point a = s->from_lo ? s->lo : s->hi, b = s->from_lo ? s->hi : s->lo; /* values, not pointers: they stay in registers */
	double unit = s->hi.x, xa = a.x / unit, xb = b.x / unit, xc = s->old.x / unit;
	double ya = squares ? xa * xa : xa, yb = squares ? xb * xb : xb, yc = squares ? xc * xc : xc, width = s->hi.x - s->lo.x;
	double t = interpolated(&a, ya, &b, yb, &s->old, yc);
	/* far enough from both ends for the interval to be done if the value is on the near side of the point */
	double least = (squares ? 1.2 : 0.6) * TOLERANCE / fabs(yb - ya);

	if (!(least < 0.5))
		least = 0.5;
	t = t > least ? t : least;
	t = t < 1 - least ? t : 1 - least;
	double y = ya + t * (yb - ya), x = unit * (squares ? sqrt(y) : y);
	if (!(x > s->lo.x && x < s->hi.x))
		x = s->lo.x + width / 2;
	int aside = lane - lanes / 2;
	if (aside < 0)
		x -= ldexp(width, -NEARER * (lanes / 2 + 1 + aside));
	if (aside > 0)
		x += ldexp(width, -NEARER * (lanes / 2 + 1 - aside));
	return x;
}

/* This lane's point in the next round; they ascend with the lanes.  Some may lie outside. */
static __device__ __forceinline__ double next_point(sturm_search *s, bool squares, int lane, int lanes)
{
	double lo = s->lo.x, hi = s->hi.x, width = hi - lo;
	bool wide = lo < hi / 4, slow = false;

	if (wide) {
		if (s->steep > 0 && ldexp(hi, -s->steep) <= lo)
			s->steep = 0;
		return steep_point(s, lane, lanes);
	}
	s->steep = 0;
	if (s->hi.below - s->lo.below > 1)
		return lo + width * ((double)(lane + 1) / (lanes + 1));
	if (s->trials++ % PATIENCE == 0) {
		slow = width > ldexp(s->width, -PATIENCE);
		s->width = width;
	}
	return slow ? lo + width * ((double)(lane + 1) / (lanes + 1)) : interpolated_point(s, squares, lane, lanes);
}

/* The lowest or, below `end`, the highest bit that is set; -1: none. */
static __device__ __forceinline__ int lowest_bit(unsigned bits, int lanes)
{
	for (int k = 0; k < lanes; k++)
		if (bits >> k & 1)
			return k;
	return -1;
}

static __device__ __forceinline__ int highest_bit(unsigned bits, int end)
{
	for (int k = end - 1; k >= 0; k--)
		if (bits >> k & 1)
			return k;
	return -1;
}

/* The point of a lane of this group; reached by whole warps. */
static __device__ __forceinline__ device_point point_of(const device_point *p, int lane)
{
	return { gpu_shuffle(p->x, lane), gpu_shuffle(p->mantissa, lane), gpu_shuffle(p->exponent, lane), gpu_shuffle(p->below, lane) };
}

/* Take what the lanes of a group found: the value lies between two adjacent points of theirs.  Reached by whole warps. */
static __device__ __forceinline__ void take_points(sturm_search *s, bool active, device_point *p, int lane, int lanes)
{
	int base = (int)threadIdx.x % GPU_WARP - lane, least = s->lo.below, most = s->hi.below;
	unsigned all = (1u << lanes) - 1, valid = gpu_ballot(active) >> base & all;

	p->below = p->below < least ? least : p->below > most ? most : p->below; /* points may be closer than counts are exact */
	unsigned not_below = gpu_ballot(active && p->below >= s->index) >> base & all;
	unsigned zero = gpu_ballot(active && most - least == 1 && p->mantissa == 0) >> base & all;
	int upper = lowest_bit(not_below, lanes), lower = highest_bit(valid, upper < 0 ? lanes : upper);
	int further = lower < 0 ? -1 : highest_bit(valid, lower), exact = lowest_bit(zero, lanes);
	device_point hi = point_of(p, base + (upper < 0 ? 0 : upper)), lo = point_of(p, base + (lower < 0 ? 0 : lower));
	device_point other = point_of(p, base + (exact >= 0 ? exact : further >= 0 ? further : 0));

	s->steep = lower >= 0 || s->steep == 0 ? 0 : lanes > 12 || s->steep << lanes > STEEPEST ? (int)STEEPEST : s->steep << lanes;
	if (exact >= 0 && (upper < 0 || exact <= upper)) {
		s->lo = s->hi = other;
		return;
	}
	if (upper >= 0) {
		s->old = s->hi;
		s->hi = hi;
		s->from_lo = false;
	} else if (lower >= 0) {
		s->old = further >= 0 ? other : s->lo;
		s->from_lo = true;
	}
	if (lower >= 0)
		s->lo = lo;
}

static __device__ __forceinline__ bool settled(const sturm_search *s)
{
	double lo = s->lo.x, hi = s->hi.x, middle = lo + (hi - lo) / 2;

	return hi - lo <= TOLERANCE * hi || middle <= lo || middle >= hi;
}

/* Value i of m, smallest first and counted from 1, in units of points; i is one of a group of `lanes` threads' (a power of 2, at most a
 * warp), or 0.  Reached by all threads of the block; tiles as evaluate_point's. */
static __device__ __forceinline__ double search_value(const struct sturm *m, double *tiles, int i, int lanes)
{
	int n = (int)m->n, negative = (int)m->negative, zeros = (int)m->zeros, lane = (int)threadIdx.x % lanes;
	bool squares = m->kind == BIDIAGONAL, mirrored = i > 0 && i <= negative;
	bool todo = i > 0 && !m->known && (mirrored || i > negative + zeros);
	sturm_search s = {};

	s.index = mirrored ? n + 1 - i : i;
	s.steep = 1;
	s.lo.x = m->lowest;
	s.lo.below = mirrored ? n - negative : negative + zeros;
	s.hi.x = m->bound;
	s.hi.below = n;
	while (__syncthreads_or(todo)) {
		device_point p = { todo ? next_point(&s, squares, lane, lanes) : 0, 0, 0, 0 };
		bool active = todo && p.x > s.lo.x && p.x < s.hi.x;
		p.x = mirrored ? -p.x : p.x;
		evaluate_point(m, tiles, active, &p);
		if (mirrored) {
			p.x = -p.x;
			p.below = n - p.below;
		}
		take_points(&s, active, &p, lane, lanes);
		todo = todo && !settled(&s);
	}
	if (m->known)
		return i > 0 ? coefficients_of(m)[i - 1] : 0;
	if (i > negative && i <= negative + zeros)
		return 0;
	double x = s.lo.x + (s.hi.x - s.lo.x) / 2;
	return mirrored ? -x : x;
}

GPU_FUNCTION real result_of(const struct sturm *m, double x)
{
	return (real)(ldexp(x, m->shift) * m->scale);
}

#endif
