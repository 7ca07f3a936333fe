/* The chase kernel of every instruction set this processor has, on the whole chase at once: singular values are kept, and nothing
 * is left outside the two diagonals. */
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
	for (int64_t j = 0; j < band->n; j++) {
		const scalar *column = (scalar *)band->data + j * band->ld + band->above;
		for (int64_t k = 1 - 2 * band->kd; k < band->kd; k++)
			ck_assert_msg(k == 0 || k == -1 || column[k] == (scalar)0, "left an element %d below the diagonal", (int)k);
		d[j] = (real)hypot((double)__real__ column[0], (double)__imag__ column[0]);
		if (j > 0)
			e[j - 1] = (real)hypot((double)__real__ column[-1], (double)__imag__ column[-1]);
	}
}

START_TEST(instruction_sets)
{
	struct problem p = problem(_i % 2 ? RANDOM : GRADED, shapes[_i], (uint64_t)_i);
	int64_t n = p.shape.n, kd = p.shape.kd;
	void *work;

	ck_assert_int_eq(posix_memalign(&work, 64, (size_t)chase_work(kd) * sizeof(scalar)), 0);
	for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]) && kd > 1; i++) {
		if (sets[i].level > host_level())
			continue;
		heddle_band *band = band_new(TYPE, n, kd, 0);
		struct chase_part all = { .n = n, .b = kd, .above = band->above, .ld = band->ld, .s1 = n - 2, .steps = 4 * n };

		ck_assert_int_eq(heddle_band_set(band, p.ab, kd + 1 + p.shape.pad), 0);
		sets[i].kernels->chase(&all, band->data, work);
		take_diagonals(band, p.d, p.e);
		check_values(&p, sets[i].name);
		heddle_band_destroy(band);
	}
	free(work);
	problem_free(&p);
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
