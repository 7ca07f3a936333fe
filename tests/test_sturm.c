/* The counting kernels of codelets/host/sturm.h: on every instruction set that this processor has, for bidiagonals and tridiagonals,
 * all three tell the right number of values below points between them and close to them, and agree about the determinant. */
#include "tests/support.h"
#include "codelets/host/kernels.h"
#include "codelets/host/level.h"
#include "codelets/host/sturm.h"

static const struct NAME(host_kernels) *kernels_of(int level)
{
	switch (level) {
#ifdef HAVE_ISA_v3
	case ISA_LEVEL_V3: return &PREC_CAT(NAME(host_kernels), _v3);
#endif
#ifdef HAVE_ISA_v4
	case ISA_LEVEL_V4: return &PREC_CAT(NAME(host_kernels), _v4);
#endif
	default: return &PREC_CAT(NAME(host_kernels), _base);
	}
}

enum entries { ABOUT_ONE, GRADED_ENTRIES, SOME_ZEROS, DIAGONAL, TINY_ENTRIES, KINDS_OF_ENTRIES };
enum { LEVELS = 3, N = 150, POINTS = 61 };

/* Distance from a value that bisection found, relative, or beside the norm where a tridiagonal does not define its values better. */
#define BESIDE (sizeof(real) == sizeof(float) ? 0x1p-25 : 0x1p-42)

static struct sturm *matrix(enum sturm_kind kind, enum entries entries)
{
	struct sturm *m = malloc(sturm_bytes(N));
	uint64_t state = 9;

	m->kind = kind;
	m->n = N;
	for (int i = 0; i < 2 * N; i++) {
		double u = (double)random_real(&state);
		if (entries == GRADED_ENTRIES)
			u = (kind == TRIDIAGONAL && i % 2 == 1 ? copysign(3 + u, u) : u) * pow(10, -0.1 * i);
		else if (entries == SOME_ZEROS && fabs(u) < 0.1)
			u = 0;
		else if (entries == DIAGONAL && i % 2 == 0)
			u = 0;
		else if (entries == TINY_ENTRIES)
			u *= 0x1p-900;
		sturm_entries(m)[i] = u;
	}
	ck_assert(NAME(sturm_prepare)(m));
	return m;
}

/* Points between values that are not zero, and just above and below some of them. */
static int fill_points(const struct sturm *m, bool relative, const double *values, struct sturm_point *points, int64_t *below)
{
	double norm = fmax(fabs(values[0]), values[N - 1]);
	int count = 0;

	for (int i = 0; i < POINTS; i++) {
		int64_t k = 1 + i * (N - 1) / POINTS; /* values[k] is the next larger one */
		double lo = values[k - 1], hi = values[k];
		if (m->kind == BIDIAGONAL && lo == 0)
			lo = hi / 1024;
		double beside = BESIDE * (relative ? fmin(fabs(lo), fabs(hi)) : norm);
		if (hi - lo < 4 * beside || fabs(lo) < m->floor || fabs(hi) < m->floor || (lo < 0 && hi > 0))
			continue;
		points[count].x = i % 3 == 0 ? lo + (hi - lo) / 2 : i % 3 == 1 ? lo + beside : hi - beside;
		below[count++] = k;
	}
	return count;
}

/* log2 of the determinant's size. */
static double size(const struct sturm_point *p)
{
	return p->exponent + log2(fabs(p->mantissa));
}

START_TEST(kernels_agree)
{
	int level = _i % LEVELS;
	enum sturm_kind kind = _i / LEVELS / KINDS_OF_ENTRIES ? TRIDIAGONAL : BIDIAGONAL;
	enum entries entries = (enum entries)(_i / LEVELS % KINDS_OF_ENTRIES);
	struct sturm *m = matrix(kind, entries);
	double values[N];
	struct sturm_point p[3][POINTS];
	int64_t below[POINTS];

	if (level > (int)host_level()) {
		free(m);
		return; /* this processor could not run them */
	}
	ck_assert_int_eq(NAME(bisection)(m, 1, N, values), 0);
	int count = fill_points(m, kind == BIDIAGONAL || entries == GRADED_ENTRIES, values, p[0], below);
	ck_assert_int_ge(count, POINTS / 2);
	memcpy(p[1], p[0], sizeof(p[0]));
	memcpy(p[2], p[0], sizeof(p[0]));
	kernels_of(level)->sturm_count(m, count, p[0]);
	kernels_of(level)->sturm_careful(m, count, p[1]);
	kernels_of(level)->sturm_sign(m, count, p[2]);
	for (int i = 0; i < count; i++) {
		bool positive = (N - below[i]) % 2 == 0;
		ck_assert_msg(p[0][i].below == below[i] && p[1][i].below == below[i], "point %d: %d and %d values below, not %d", i,
			      (int)p[0][i].below, (int)p[1][i].below, (int)below[i]);
		for (int k = 0; k < 3; k++) {
			ck_assert((p[k][i].mantissa > 0) == positive && p[k][i].mantissa != 0);
			ck_assert_double_le(fabs(size(&p[k][i]) - size(&p[0][i])), 0.01);
		}
	}
	free(m);
}
END_TEST

/* Blocks {1} and {1, 0, coupled by 2^-23} have values 1, and 1 + 2^-46 and about -2^-46.  The zero pivots at the point 1 must not be
 * taken for anything larger. */
START_TEST(point_on_the_value_of_two_blocks)
{
	static const double entries[] = { 0, 1, 0, 1, 0x1p-23, 0 };
	struct sturm *m = malloc(sturm_bytes(3));
	struct sturm_point p[2] = { { .x = 1 }, { .x = 1 + 0x1p-47 } };

	m->kind = TRIDIAGONAL;
	m->n = 3;
	memcpy(sturm_entries(m), entries, sizeof(entries));
	ck_assert(NAME(sturm_prepare)(m));
	ck_assert(m->negative == 1 && m->zeros == 0);
	for (int level = 0; level <= (int)host_level(); level++)
		for (int careful = 0; careful < 2; careful++) {
			(careful ? kernels_of(level)->sturm_careful : kernels_of(level)->sturm_count)(m, 2, p);
			ck_assert(p[0].below >= 1 && p[0].below <= 2);
			ck_assert_int_eq(p[1].below, 2);
		}
	free(m);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create(TRACE_NAME("sturm"));
	TCase *t = tcase_create("kernels");

	tcase_add_loop_test(t, kernels_agree, 0, 2 * LEVELS * KINDS_OF_ENTRIES);
	tcase_add_test(t, point_on_the_value_of_two_blocks);
	suite_add_tcase(suite, t);
	return run_suite(suite);
}
