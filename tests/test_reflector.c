/* The reflector H = I - tau v v^H of a vector x: unitary, and H^H x = (beta, 0, ..., 0)^T with beta real, wherever in the range of
 * numbers the elements of x lie. */
#include "tests/support.h"
#include "codelets/host/reflector.h"

enum { LONGEST = 70 };

/* |H^H x - beta e1| and |H^H H - I|, relative, computed in long double. */
static void check(int64_t n, const scalar *x, const scalar *v, scalar tau, real beta, const char *what)
{
	long double scale = 0, size = 0, error = 0, vv = 0;
	long double _Complex vx = 0, t = tau;

	for (int64_t i = 0; i < n; i++)
		scale = fmaxl(scale, cabsl((long double _Complex)x[i]));
	scale = scale > 0 ? scale : 1;
	for (int64_t i = 0; i < n; i++) {
		long double _Complex xi = x[i] / scale;
		size += cabsl(xi) * cabsl(xi);
		vx += conjl((long double _Complex)v[i]) * xi;
		vv += cabsl((long double _Complex)v[i]) * cabsl((long double _Complex)v[i]);
	}
	for (int64_t i = 0; i < n; i++) {
		long double _Complex y = x[i] / scale - conjl(t) * v[i] * vx;
		error = fmaxl(error, cabsl(i == 0 ? y - beta / scale : y));
	}
	/* elements that are subnormal themselves have errors of their own */
	long double allowed = 20 * REAL_EPS * sqrtl(size) + (long double)REAL_MIN * REAL_EPS / scale * 4;
	ck_assert_msg(error <= allowed, "%s, n %d: H^H x is off by %Lg, allowed %Lg", what, (int)n, error, allowed);
	ck_assert_msg(v[0] == (scalar)1, "%s: v[0] is not 1", what);
	/* H^H H - I = (|tau|^2 v^H v - 2 Re tau) v v^H */
	error = fabsl(cabsl(t) * cabsl(t) * vv - 2 * creall(t)) * vv;
	ck_assert_msg(error <= 100 * REAL_EPS, "%s, n %d: H is off from unitary by %Lg", what, (int)n, error);
}

static void try(int64_t n, const scalar *x, const char *what)
{
	scalar v[LONGEST], tau;

	memcpy(v, x, (size_t)n * sizeof(*v));
	real beta = reflector(n, v, &tau);
	check(n, x, v, tau, beta, what);
}

START_TEST(sizes)
{
	int largest = sizeof(real) == sizeof(float) ? 125 : 1020, smallest = sizeof(real) == sizeof(float) ? -140 : -1060;
	int exponents[] = { 0, largest, largest / 2 + 3, smallest / 2, -largest, smallest };
	int count = sizeof(exponents) / sizeof(exponents[0]);
	uint64_t state = (uint64_t)_i;
	scalar x[LONGEST];
	int64_t n = 1 + _i % LONGEST;

	for (int head = 0; head < count; head++)
		for (int tail = 0; tail < count; tail++) {
			for (int64_t i = 0; i < n; i++) {
				int e = i == 0 ? exponents[head] : exponents[tail];
				x[i] = random_scalar(&state) * (real)ldexp(1, e / 2) * (real)ldexp(1, e - e / 2) / (real)sqrt((double)n);
			}
			try(n, x, "random");
		}
}
END_TEST

START_TEST(nothing_to_do)
{
	scalar x[5] = { -3 }, zero[5] = { 0 }, tau;

	ck_assert(reflector(5, x, &tau) == -3 && tau == (scalar)0 && x[0] == (scalar)1);
	ck_assert(reflector(5, zero, &tau) == 0 && tau == (scalar)0);
	x[0] = 2;
	ck_assert(reflector(1, x, &tau) == 2 && tau == (scalar)0);
#if IS_COMPLEX
	scalar phase = __builtin_complex((real)3, (real)-4); /* length 1, and yet something to do */
	try(1, &phase, "phase");
	phase = __builtin_complex((real)0, (real)2);
	try(1, &phase, "imaginary");
#endif
}
END_TEST

START_TEST(not_a_number_ends)
{
	scalar x[5] = { 1, 2, (scalar)NAN, 4, 5 }, y[5] = { 1, 2, (scalar)INFINITY, 4, 5 }, tau;

	reflector(5, x, &tau);
	reflector(5, y, &tau);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("reflector");
	TCase *tests = tcase_create("reflector");

	tcase_add_loop_test(tests, sizes, 0, 3 * LONGEST);
	tcase_add_test(tests, nothing_to_do);
	tcase_add_test(tests, not_a_number_ends);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
