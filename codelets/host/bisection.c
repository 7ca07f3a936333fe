/* The search tree of codelets/host/sturm.h.  An interval that holds several values is cut at points spread over
 * it; one that holds a single value is cut where the determinant, interpolated, vanishes, and the determinant's sign there tells
 * on which side the value is.  Where interpolation is not to be trusted, the interval is cut in the middle.  The values of a
 * call are searched in rounds, so that many points are evaluated together; what is done with an interval depends on nothing
 * outside it. */
#include <stdlib.h>
#include "codelets/host/kernels.h"
#include "codelets/host/sturm.h"

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
	const struct sturm *m;
	bool mirrored;                /* the matrix is -T */
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
 * is known to stay inside and to be better than the middle (Chandrupatla's criterion).  The determinant is a polynomial in y. */
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
static void interpolate(enum sturm_kind kind, struct interval *v, struct sturm_point *points)
{
	bool squares = kind == BIDIAGONAL;
	const struct sturm_point *a = v->from_lo ? &v->lo : &v->hi, *b = v->from_lo ? &v->hi : &v->lo;
	double unit = v->hi.x, xa = a->x / unit, xb = b->x / unit, xc = v->old.x / unit;
	double ya = squares ? xa * xa : xa, yb = squares ? xb * xb : xb, yc = squares ? xc * xc : xc, width = v->hi.x - v->lo.x;
	bool slow = false;

	v->interpolate = true;
	v->cuts = 0;
	if (v->trials++ % PATIENCE == 0) {
		slow = width > ldexp(v->width, -PATIENCE);
		v->width = width;
	}
	double t = slow ? 0.5 : interpolated(a, ya, b, yb, &v->old, yc);
	/* far enough from both ends for the interval to be done if the value is on the near side of the point */
	double least = (squares ? 1.2 : 0.6) * TOLERANCE / fabs(yb - ya);
	if (!(least < 0.5))
		least = 0.5;
	t = t > least ? t : least;
	t = t < 1 - least ? t : 1 - least;
	double y = ya + t * (yb - ya);
	add(v, points, unit * (squares ? sqrt(y) : y));
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
	bool above = (p->mantissa > 0) == ((s->m->n - v->hi.below) % 2 == 0);

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

void NAME(sturm_evaluate)(const struct sturm *m, bool counting, int64_t number, struct sturm_point *points)
{
	const struct NAME(host_kernels) *kernels = NAME(host)();

	for (int64_t i = 0, end; i < number; i = end) {
		bool careful = fabs(points[i].x) < m->floor;
		for (end = i + 1; end < number && (fabs(points[end].x) < m->floor) == careful; end++)
			;
		(careful ? kernels->sturm_careful : counting ? kernels->sturm_count : kernels->sturm_sign)(m, end - i, points + i);
	}
}

/* Of -T, det(x + T) is (-1)^n det(-x - T), and the values below x are those of T above -x. */
static void evaluate(const struct search *s, bool counting, int64_t number, struct sturm_point *points)
{
	double sign = s->m->n % 2 == 0 ? 1 : -1;

	for (int64_t i = 0; s->mirrored && i < number; i++)
		points[i].x = -points[i].x;
	NAME(sturm_evaluate)(s->m, counting, number, points);
	for (int64_t i = 0; s->mirrored && i < number; i++) {
		points[i].x = -points[i].x;
		points[i].mantissa *= sign;
		if (counting)
			points[i].below = s->m->n - points[i].below;
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
			interpolate(s->m->kind, v, trial);
			trial += v->cuts;
		}
	}
	evaluate(s, true, count - s->count, s->count);
	evaluate(s, false, trial - s->trial, s->trial);
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
	struct sturm_point low = { .x = s->m->lowest }, top = { .x = s->m->bound };

	if (intervals && points) {
		s->now = intervals;
		s->next = intervals + size;
		s->count = points;
		s->trial = points + cuts;
		low.below = s->mirrored ? s->m->n - s->m->negative : s->m->negative + s->m->zeros;
		evaluate(s, true, 1, &top);
		top.below = s->m->n;
		keep(s, &low, &top);
		turn(s);
		while (s->intervals > 0)
			one_round(s);
	}
	free(intervals);
	free(points);
	return intervals && points ? HEDDLE_OK : HEDDLE_ENOMEM;
}

/* Values first .. last, which are negative: from those of -T. */
static int search_mirrored(const struct sturm *m, int64_t first, int64_t last, double *values)
{
	struct search s = { .m = m, .mirrored = true, .first = m->n + 1 - last, .last = m->n + 1 - first, .values = values };
	int code = search(&s);

	for (int64_t i = 0, j = last - first; code == HEDDLE_OK && i <= j; i++, j--) {
		double x = values[i];
		values[i] = -values[j];
		values[j] = -x;
	}
	return code;
}

int NAME(bisection)(const struct sturm *m, int64_t first, int64_t last, double *values)
{
	int64_t positive = m->negative + m->zeros + 1; /* the first of them */
	int code = HEDDLE_OK;

	for (int64_t i = first, end; i <= last && code == HEDDLE_OK; i = end + 1) {
		double *to = values + (i - first);
		end = i + RUN - 1 < last ? i + RUN - 1 : last;
		if (i <= m->negative) {
			end = end < m->negative ? end : m->negative;
			code = search_mirrored(m, i, end, to);
		} else if (i < positive) {
			end = i;
			*to = 0;
		} else {
			struct search s = { .m = m, .first = i, .last = end, .values = to };
			code = search(&s);
		}
	}
	return code;
}
