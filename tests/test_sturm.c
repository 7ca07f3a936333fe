/* The counting kernels of codelets/host/bidiagonal.h: on every instruction set that this processor has, all three tell the right
 * number of singular values below points between them and close to them, and agree about the determinant. */
#include "tests/support.h"
#include "codelets/host/bidiagonal.h"
#include "codelets/host/kernels.h"
#include "codelets/host/level.h"

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

enum { LEVELS = 3, KINDS_OF_MATRIX = 5, N = 150, POINTS = 61 };

/* Relative distance from a value that bisection found. */
#define BESIDE (sizeof(real) == sizeof(float) ? 0x1p-25 : 0x1p-42)

/* 0: entries about 1; 1: graded; 2: some zeros on both diagonals; 3: diagonal; 4: norm 2^-900. */
static struct bidiagonal *matrix(int kind)
{
	struct bidiagonal *b = malloc(bidiagonal_bytes(N));
	uint64_t state = 9;

	b->n = N;
	for (int i = 0; i < 2 * N; i++) {
		double u = (double)random_real(&state);
		if (kind == 1)
			u *= pow(10, -0.1 * i);
		else if (kind == 2 && fabs(u) < 0.1)
			u = 0;
		else if (kind == 3 && i % 2 == 0)
			u = 0;
		else if (kind == 4)
			u *= 0x1p-900;
		bidiagonal_entries(b)[i] = u;
	}
	ck_assert(NAME(sturm_prepare)(b));
	return b;
}

/* Points between the values, and just below and above some of them. */
static void fill_points(const struct bidiagonal *b, const double *values, struct sturm_point *points, int64_t *below)
{
	for (int i = 0; i < POINTS; i++) {
		int64_t k = b->zeros + 1 + i * (N - b->zeros - 1) / POINTS; /* values[k] is the next larger one */
		double lo = values[k - 1] > 0 ? values[k - 1] : values[k] / 1024, hi = values[k];
		points[i].x = i % 3 == 0 ? lo + (hi - lo) / 2 : i % 3 == 1 ? lo * (1 + BESIDE) : hi * (1 - BESIDE);
		below[i] = k;
	}
}

/* log2 of the determinant's size. */
static double size(const struct sturm_point *p)
{
	return p->exponent + log2(fabs(p->mantissa));
}

START_TEST(kernels_agree)
{
	int level = _i % LEVELS;
	struct bidiagonal *b = matrix(_i / LEVELS);
	double values[N];
	struct sturm_point p[3][POINTS];
	int64_t below[POINTS];

	if (level > (int)host_level()) {
		free(b);
		return; /* this processor could not run them */
	}
	ck_assert_int_eq(NAME(bisection)(b, 1, N, values), 0);
	fill_points(b, values, p[0], below);
	memcpy(p[1], p[0], sizeof(p[0]));
	memcpy(p[2], p[0], sizeof(p[0]));
	kernels_of(level)->sturm_count(b, POINTS, p[0]);
	kernels_of(level)->sturm_careful(b, POINTS, p[1]);
	kernels_of(level)->sturm_sign(b, POINTS, p[2]);
	for (int i = 0; i < POINTS; i++) {
		bool positive = (N - below[i]) % 2 == 0;
		ck_assert_msg(p[0][i].below == below[i] && p[1][i].below == below[i], "point %d: %d and %d values below, not %d", i,
			      (int)p[0][i].below, (int)p[1][i].below, (int)below[i]);
		for (int k = 0; k < 3; k++) {
			ck_assert((p[k][i].mantissa > 0) == positive && p[k][i].mantissa != 0);
			ck_assert_double_le(fabs(size(&p[k][i]) - size(&p[0][i])), 0.01);
		}
	}
	free(b);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create(TRACE_NAME("sturm"));
	TCase *t = tcase_create("kernels");

	tcase_add_loop_test(t, kernels_agree, 0, LEVELS * KINDS_OF_MATRIX);
	suite_add_tcase(suite, t);
	return run_suite(suite);
}
