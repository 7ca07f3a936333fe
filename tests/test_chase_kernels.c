/* The chase kernels of every instruction set this processor has, on the whole chase at once and in parts: singular values or
 * eigenvalues are kept, nothing is left outside the two diagonals, and the parts make no difference. */
#include "tests/band_problem.h"
#include "codelets/host/kernels.h"
#include "codelets/host/level.h"
#include "runtime/band.h"

static const struct {
	enum host_level level;
	const char *name;
	const struct NAME(host_kernels) *kernels;
} sets[] = {
	{ ISA_LEVEL_BASE, "base", &PREC_CAT(NAME(host_kernels), _base) },
#ifdef HAVE_ISA_v3
	{ ISA_LEVEL_V3, "v3", &PREC_CAT(NAME(host_kernels), _v3) },
#endif
#ifdef HAVE_ISA_v4
	{ ISA_LEVEL_V4, "v4", &PREC_CAT(NAME(host_kernels), _v4) },
#endif
};

/* The two diagonals; everything else must be zero. */
static void take_diagonals(const heddle_band *band, real *d, real *e)
{
	int64_t beside = band->hermitian ? 1 : -1; /* where the second one is */

	for (int64_t j = 0; j < band->n; j++) {
		const scalar *column = (scalar *)band->data + j * band->ld + band->above;
		for (int64_t k = -band->above; k < band->ld - band->above; k++)
			ck_assert_msg(k == 0 || k == beside || column[k] == (scalar)0, "left an element %d below the diagonal", (int)k);
		d[j] = band->hermitian ? real_part(column[0]) : (real)hypot((double)__real__ column[0], (double)__imag__ column[0]);
		ck_assert(!band->hermitian || column[0] == (scalar)d[j]);
		if (j + beside >= 0 && j + beside < band->n)
			e[band->hermitian ? j : j - 1] = (real)hypot((double)__real__ column[beside], (double)__imag__ column[beside]);
	}
}

/* Groups of `group` sweeps, each in parts of `steps` steps. */
static void chase(const struct NAME(host_kernels) *kernels, heddle_band *band, const scalar *ab, int64_t ldab, int64_t group,
		  int64_t steps)
{
	struct chase_part part = { .n = band->n, .b = band->kd, .above = band->above, .ld = band->ld, .hermitian = band->hermitian,
				   .steps = steps };
	void *work;

	ck_assert_int_eq(heddle_band_set(band, ab, ldab), 0);
	ck_assert_int_eq(posix_memalign(&work, 64, (size_t)chase_work(band->kd) * sizeof(scalar)), 0);
	for (; part.s0 < band->n - 2; part.s0 += group) {
		part.s1 = least(part.s0 + group, band->n - 2);
		int64_t end = chase_steps(&part, part.s0) + CHASE_SKEW * (part.s1 - 1 - part.s0);
		for (part.first = 0; part.first < end; part.first += steps)
			(band->hermitian ? kernels->chase_hermitian : kernels->chase)(&part, band->data, work);
	}
	free(work);
}

static void check_kernel(int set, heddle_band *band, struct problem *p)
{
	int64_t n = p->shape.n, ldab = p->shape.kd + 1 + p->shape.pad;
	real *d = malloc((size_t)n * sizeof(*d)), *e = malloc((size_t)n * sizeof(*e));
	static const int64_t cuts[][2] = { { 1, 1 }, { 3, 2 }, { 4, 4 }, { 1000, 1 } };

	chase(sets[set].kernels, band, p->ab, ldab, n, 4 * n);
	take_diagonals(band, p->d, p->e);
	check_values(p, sets[set].name);
	for (size_t i = 0; i < sizeof(cuts) / sizeof(cuts[0]); i++) {
		chase(sets[set].kernels, band, p->ab, ldab, cuts[i][0], cuts[i][1]);
		take_diagonals(band, d, e);
		ck_assert(memcmp(d, p->d, (size_t)n * sizeof(*d)) == 0 && memcmp(e, p->e, (size_t)(n - 1) * sizeof(*e)) == 0);
	}
	free(d);
	free(e);
}

START_TEST(instruction_sets)
{
	enum kind kind = _i % 2 ? RANDOM : GRADED;
	int64_t n = shapes[_i].n, kd = shapes[_i].kd;
	struct problem p = problem(kind, shapes[_i], (uint64_t)_i), h = hermitian_problem(kind, shapes[_i], HEDDLE_LOWER, (uint64_t)_i);

	for (int i = 0; i < (int)(sizeof(sets) / sizeof(sets[0])) && kd > 1; i++) {
		if (sets[i].level > host_level())
			continue;
		heddle_band *band = band_new(TYPE, n, kd, 0), *hermitian = band_new_hermitian(TYPE, HEDDLE_LOWER, n, kd, 0);
		check_kernel(i, band, &p);
		check_kernel(i, hermitian, &h);
		heddle_band_destroy(band);
		heddle_band_destroy(hermitian);
	}
	problem_free(&p);
	problem_free(&h);
}
END_TEST

START_TEST(the_right_set_is_picked)
{
	const struct NAME(host_kernels) *picked = NAME(host)();

	for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++)
		ck_assert((picked == sets[i].kernels) == (sets[i].level == host_level()));
	ck_assert_str_eq(host_isa(), sets[host_level()].name);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("chase_kernels");
	TCase *tests = tcase_create("chase_kernels");

	tcase_set_timeout(tests, 0);
	tcase_add_loop_test(tests, instruction_sets, 0, SHAPES);
	tcase_add_test(tests, the_right_set_is_picked);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
