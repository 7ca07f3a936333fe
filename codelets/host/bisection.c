/* The search tree of codelets/host/bidiagonal.h.  An interval that holds several singular values is cut at points spread over
 * it; one that holds a single value is cut where the determinant, interpolated, vanishes, and the determinant's sign there tells
 * on which side the value is.  Where interpolation is not to be trusted, the interval is cut in the middle.  The values of a
 * call are searched in rounds, so that many points are evaluated together; what is done with an interval depends on nothing
 * outside it. */
#include <stdlib.h>
#include "codelets/host/bidiagonal.h"
#include "codelets/host/kernels.h"

enum {
	RUN = 1024,      /* values searched together */
	SECTIONS = 32,   /* cuts of an interval with many values, at most */
	STEEP = 512,     /* so many powers of 2 is the largest step towards zero, */
	STEEP_CUTS = 10, /* its logarithm, and one */
	PATIENCE = 4     /* interpolations in which an interval has to shrink as much as by bisection */
};

#define TOLERANCE (REAL_EPS > DBL_EPSILON ? 0x1p-27 : 2 * DBL_EPSILON)

struct interval {
	struct sturm_point lo, hi;    /* lo.below < hi.below */
	struct sturm_point old;       /* what was lo or hi before, outside the interval; mantissa 0: nothing yet */
	bool from_lo;                 /* lo is newer than hi */
	bool together;                /* cutting did not separate the values */
	int trials;
	double width;                 /* a few trials ago; 0: never */
	int cuts;                     /* points of this round */
	bool interpolate;
};

struct search {
	const struct bidiagonal *b;
	int64_t first, last;
	double *values;               /* from index first on */
	int64_t intervals, next_intervals;
	struct interval *now, *next;
	struct sturm_point *count, *trial; /* points of this round: to be counted, and for the determinant alone */
};

static int64_t held(const struct interval *v)
{
	return v->hi.below - v->lo.below;
}

static bool wide(const struct interval *v)
{
	return v->lo.x < v->hi.x / 4;
}

static void add(struct interval *v, struct sturm_point *points, double x)
{
	double last = v->cuts ? points[v->cuts - 1].x : v->lo.x;

	if (x > last && x < v->hi.x)
		points[v->cuts++].x = x;
}

/* Evenly spread points, and below the first of them, if lo is much smaller, points that come down to lo ever faster. */
static void section(struct interval *v, struct sturm_point *points)
{
	int64_t m = held(v), sections = m == 1 ? 0 : v->together ? 1 : m - 1 < SECTIONS ? m - 1 : SECTIONS;
	double lo = v->lo.x, width = v->hi.x - lo, first = lo + width / (double)(sections + 1);

	v->interpolate = false;
	v->cuts = 0;
	for (int e = STEEP; lo < first / 4 && e > 0; e /= 2)
		add(v, points, ldexp(first, -e));
	for (int64_t i = 1; i <= sections; i++)
		add(v, points, lo + width * ((double)i / (double)(sections + 1)));
}

/* A point's determinant in units of 2^exponent. */
static double relative(const struct sturm_point *p, double exponent)
{
	double e = p->exponent - exponent;

	return ldexp(p->mantissa, e < -1000 ? -1000 : (int)e);
}

/* Where between a (0) and b (1) the determinant may vanish: by inverse quadratic interpolation through a third point c if this
 * is known to stay inside and to be better than the middle (Chandrupatla's criterion).  ya, yb, yc are squares of the points. */
static double interpolated(const struct sturm_point *a, double ya, const struct sturm_point *b, double yb,
			   const struct sturm_point *c, double yc)
{
	if (a->mantissa == 0 || b->mantissa == 0 || c->mantissa == 0)
		return 0.5;
	double most = fmax(a->exponent, fmax(b->exponent, c->exponent));
	double fa = relative(a, most), fb = relative(b, most), fc = relative(c, most);
	double xi = (ya - yb) / (yc - yb), phi = (fa - fb) / (fc - fb);

	if (!(phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi))
		return 0.5;
	return fa / (fb - fa) * (fc / (fb - fc)) + (yc - ya) / (yb - ya) * (fa / (fc - fa)) * (fb / (fc - fb));
}

/* One point for an interval with one value. */
static void interpolate(struct interval *v, struct sturm_point *points)
{
	const struct sturm_point *a = v->from_lo ? &v->lo : &v->hi, *b = v->from_lo ? &v->hi : &v->lo;
	double unit = v->hi.x, xa = a->x / unit, xb = b->x / unit, xc = v->old.x / unit;
	double ya = xa * xa, yb = xb * xb, width = v->hi.x - v->lo.x;
	bool slow = false;

	v->interpolate = true;
	v->cuts = 0;
	if (v->trials++ % PATIENCE == 0) {
		slow = width > ldexp(v->width, -PATIENCE);
		v->width = width;
	}
	double t = slow ? 0.5 : interpolated(a, ya, b, yb, &v->old, xc * xc);
	/* far enough from both ends for the interval to be done if the value is on the near side of the point */
	double least = 1.2 * TOLERANCE / fabs(yb - ya);
	if (!(least < 0.5))
		least = 0.5;
	t = t > least ? t : least;
	t = t < 1 - least ? t : 1 - least;
	add(v, points, unit * sqrt(ya + t * (yb - ya)));
	if (v->cuts == 0)
		add(v, points, v->lo.x + width / 2);
}

/* The value of an interval that needs no more search, for all indices in it that are wanted. */
static void settle(struct search *s, const struct sturm_point *lo, const struct sturm_point *hi)
{
	int64_t begin = lo->below + 1 > s->first ? lo->below + 1 : s->first, end = hi->below < s->last ? hi->below : s->last;

	for (int64_t i = begin; i <= end; i++)
		s->values[i - s->first] = lo->x + (hi->x - lo->x) / 2;
}

/* Keep what lies between two points if something in it is wanted. */
static struct interval *keep(struct search *s, const struct sturm_point *lo, const struct sturm_point *hi)
{
	if (hi->below <= lo->below || hi->below < s->first || lo->below >= s->last)
		return NULL;
	double middle = lo->x + (hi->x - lo->x) / 2;
	if (hi->x - lo->x <= TOLERANCE * hi->x || middle <= lo->x || middle >= hi->x) {
		settle(s, lo, hi);
		return NULL;
	}
	struct interval *v = &s->next[s->next_intervals++];
	*v = (struct interval){ .lo = *lo, .hi = *hi };
	return v;
}

/* Cut an interval at points that were counted. */
static void cut(struct search *s, const struct interval *v, struct sturm_point *points)
{
	struct sturm_point lo = v->lo;

	for (int i = 0; i <= v->cuts; i++) {
		struct sturm_point hi = i < v->cuts ? points[i] : v->hi;
		if (hi.below < lo.below) /* points may be closer than counts are exact */
			hi.below = lo.below;
		if (hi.below > v->hi.below)
			hi.below = v->hi.below;
		struct interval *part = keep(s, &lo, &hi);
		if (part)
			part->together = held(part) > 1 && held(part) == held(v);
		lo = hi;
	}
}

/* Cut an interval with one value, the i-th, at a point whose determinant is known: its sign above the value is (-1)^(n - i). */
static void cut_one(struct search *s, const struct interval *v, struct sturm_point *p)
{
	bool above = (p->mantissa > 0) == ((s->b->n - v->hi.below) % 2 == 0);

	if (p->mantissa == 0) {
		s->values[v->hi.below - s->first] = p->x;
		return;
	}
	p->below = above ? v->hi.below : v->lo.below;
	struct interval *part = above ? keep(s, &v->lo, p) : keep(s, p, &v->hi);
	if (part) {
		part->old = above ? v->hi : v->lo;
		part->from_lo = !above;
		part->trials = v->trials;
		part->width = v->width;
	}
}

/* Evaluate points; the careful way those where squares are too small. */
static void evaluate(const struct bidiagonal *b, int64_t number, struct sturm_point *points,
		     void (*kernel)(const struct bidiagonal *, int64_t, struct sturm_point *))
{
	for (int64_t i = 0, end; i < number; i = end) {
		bool careful = points[i].x < b->floor;
		for (end = i + 1; end < number && (points[end].x < b->floor) == careful; end++)
			;
		(careful ? NAME(host)()->sturm_careful : kernel)(b, end - i, points + i);
	}
}

/* What was kept is what is searched next. */
static void turn(struct search *s)
{
	struct interval *done = s->now;

	s->now = s->next;
	s->next = done;
	s->intervals = s->next_intervals;
	s->next_intervals = 0;
}

static void one_round(struct search *s)
{
	struct sturm_point *count = s->count, *trial = s->trial;

	for (int64_t i = 0; i < s->intervals; i++) {
		struct interval *v = &s->now[i];
		if (held(v) > 1 || wide(v)) {
			section(v, count);
			count += v->cuts;
		} else {
			interpolate(v, trial);
			trial += v->cuts;
		}
	}
	evaluate(s->b, count - s->count, s->count, NAME(host)()->sturm_count);
	evaluate(s->b, trial - s->trial, s->trial, NAME(host)()->sturm_sign);
	count = s->count;
	trial = s->trial;
	for (int64_t i = 0; i < s->intervals; i++) {
		const struct interval *v = &s->now[i];
		if (v->interpolate) {
			cut_one(s, v, trial);
			trial += v->cuts;
		} else {
			cut(s, v, count);
			count += v->cuts;
		}
	}
	turn(s);
}

static int search(struct search *s)
{
	int64_t size = s->last - s->first + 1, cuts = size + 2 * SECTIONS + STEEP_CUTS * (size + 2);
	struct interval *intervals = malloc((size_t)(2 * size) * sizeof(*intervals));
	struct sturm_point *points = malloc((size_t)(cuts + size) * sizeof(*points));
	struct sturm_point zero = { .x = 0, .below = s->b->zeros }, top = { .x = s->b->bound };

	if (intervals && points) {
		s->now = intervals;
		s->next = intervals + size;
		s->count = points;
		s->trial = points + cuts;
		evaluate(s->b, 1, &top, NAME(host)()->sturm_count);
		top.below = s->b->n;
		keep(s, &zero, &top);
		turn(s);
		while (s->intervals > 0)
			one_round(s);
	}
	free(intervals);
	free(points);
	return intervals && points ? HEDDLE_OK : HEDDLE_ENOMEM;
}

int NAME(bisection)(const struct bidiagonal *b, int64_t first, int64_t last, double *values)
{
	int code = HEDDLE_OK;
	int64_t i = first;

	for (; i <= last && i <= b->zeros; i++)
		values[i - first] = 0;
	for (; i <= last && code == HEDDLE_OK; i += RUN) {
		struct search s = { .b = b, .first = i, .last = i + RUN - 1 < last ? i + RUN - 1 : last, .values = values + (i - first) };
		code = search(&s);
	}
	return code;
}
