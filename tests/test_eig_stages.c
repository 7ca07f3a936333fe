/* The stages on their own follow each other through their data: dense -> band -> tridiagonal -> values of two matrices through one band, submitted
 * without a wait while no worker may run. */
#include <starpu.h>
#include "runtime/sequence.h"
#include "tests/hermitian.h"

enum { N = 90, KD = 8, TILE = 24 };

struct problem {
	scalar *a;
	real d[N], e[N], w[N];
	heddle_matrix *matrix, *md, *me, *mw;
};

static void create(struct problem *p, heddle_uplo uplo, enum kind kind)
{
	p->a = calloc(N * N, sizeof(scalar));
	fill_hermitian(kind, uplo, N, p->a, N, 3);
	ck_assert_int_eq(heddle_matrix_create(&p->matrix, TYPE, N, N, p->a, N, TILE), 0);
	ck_assert_int_eq(heddle_matrix_create(&p->md, REAL_TYPE, N, 1, p->d, N, 0), 0);
	ck_assert_int_eq(heddle_matrix_create(&p->me, REAL_TYPE, N, 1, p->e, N, 0), 0);
	ck_assert_int_eq(heddle_matrix_create(&p->mw, REAL_TYPE, N, 1, p->w, N, 0), 0);
}

static void submit(struct problem *p, heddle_sequence *sequence, heddle_uplo uplo, heddle_band *band)
{
	ck_assert_int_eq(API(BY_FIELD(sy2sb_async, he2hb_async))(sequence, uplo, p->matrix, band, NULL), 0);
	ck_assert_int_eq(API(BY_FIELD(sb2st_async, hb2st_async))(sequence, band, p->md, p->me, NULL), 0);
	ck_assert_int_eq(REAL_API(st_vals_async)(sequence, p->md, p->me, NULL, p->mw, NULL, NULL), 0);
}

static void check(struct problem *p, heddle_uplo uplo, enum kind kind)
{
	scalar *a = malloc(N * N * sizeof(scalar));
	real w[N];

	heddle_matrix_destroy(p->matrix);
	heddle_matrix_destroy(p->md);
	heddle_matrix_destroy(p->me);
	heddle_matrix_destroy(p->mw);
	fill_hermitian(kind, uplo, N, a, N, 3);
	eigenvalues(uplo, N, a, N, w);
	ck_assert_double_le(eigen_error(N, p->w, w), bound_in_eps(N, N));
	free(a);
	free(p->a);
}

START_TEST(stages_follow_each_other)
{
	static const enum kind kinds[] = { RANDOM, GRADED };
	struct problem problems[2];
	heddle_sequence *sequence;
	heddle_band *band;
	heddle_stage stages[16];

	for (int i = 0; i < 2; i++)
		create(&problems[i], both[i], kinds[i]);
	ck_assert_int_eq(heddle_sequence_create(&sequence), 0);
	ck_assert_int_eq(heddle_band_create_hermitian(&band, TYPE, HEDDLE_LOWER, N, KD), 0);
	starpu_pause();
	for (int i = 0; i < 2; i++)
		submit(&problems[i], sequence, both[i], band);
	heddle_sequence_stages(sequence, stages, 16);
	int64_t done = 0;
	for (int k = 0; k < STAGE_COUNT; k++)
		done += stages[k].done;
	starpu_resume();
	ck_assert_int_eq(heddle_sequence_wait(sequence), 0);
	ck_assert_msg(done == 0, "a call waited");
	heddle_band_destroy(band);
	for (int i = 0; i < 2; i++)
		check(&problems[i], both[i], kinds[i]);
	heddle_sequence_destroy(sequence);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("eig_stages");
	TCase *tests = tcase_create("eig_stages");

	tcase_set_timeout(tests, 0);
	tcase_add_test(tests, stages_follow_each_other);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
