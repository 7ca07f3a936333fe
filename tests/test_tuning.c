/* The table of choices in force: which file is read, and what callers see of it. */
#include <pthread.h>
#include <sys/stat.h>
#include <heddle/heddle.h>
#include "runtime/tuning.h"
#include "tests/folder.h"
#include "tests/suite.h"

static const char text[] = "heddle-tuning 1\n"
			   "svdvals d 128 lapack 16 48 0 0\n"
			   "svdvals d 1024 graph 40 160 8 4\n"
			   "eigvals z max graph 24 72 0 0\n"
			   "trsm s 64 lapack 32 1\n"
			   "trsm-few s max 96 2\n"
			   "trsm s max graph 512 2\n"
			   "svdvals d max graph 64 640 0 0\n";

/* The environment, and what a loading makes of it.  NULL: not set. */
static struct tuning_state *loaded(const char *tuning, const char *config, const char *home)
{
	static struct tuning_state state;
	const struct { const char *name, *value; } set[] = { { "HEDDLE_TUNING", tuning }, { "XDG_CONFIG_HOME", config }, { "HOME", home } };

	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(set[i].value ? setenv(set[i].name, set[i].value, 1) : unsetenv(set[i].name), 0);
	tuning_load(&state);
	return &state;
}

static bool is_built_in(const struct tuning_state *state)
{
	struct tuning table;

	tuning_builtin(&table);
	return strcmp(state->source, "built in") == 0 && memcmp(&state->table, &table, sizeof(table)) == 0;
}

static void *look_up(void *argument)
{
	heddle_options *o = argument;

	heddle_svd_options(HEDDLE_D, 1000, 1000, o);
	return NULL;
}

/* The table of this process: read by whoever comes first, here by eight threads at once. */
START_TEST(callers_see_the_table)
{
	enum { THREADS = 8 };
	pthread_t threads[THREADS];
	heddle_options found[THREADS] = { { 0 } }, o;
	heddle_info info;
	const char *path = file_of("table", text, sizeof(text) - 1);

	ck_assert_int_eq(setenv("HEDDLE_TUNING", path, 1), 0);
	for (int i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, look_up, &found[i]), 0);
	for (int i = 0; i < THREADS; i++) {
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
		ck_assert_int_eq(found[i].band, 40);
		ck_assert_int_eq(found[i].tile, 160);
		ck_assert_int_eq(found[i].group, 8);
		ck_assert_int_eq(found[i].steps, 4);
		ck_assert_int_eq(found[i].route, HEDDLE_ROUTE_GRAPH);
	}
	ck_assert_int_eq(heddle_start(NULL), 0);
	ck_assert_int_eq(heddle_get_info(&info), 0);
	ck_assert_str_eq(info.tuning, path);
	ck_assert_ptr_null(info.tuning_error);
	heddle_stop();

	/* as much work as a square matrix of order 128 has, in another shape */
	o = (heddle_options){ 0 };
	heddle_svd_options(HEDDLE_D, 512, 64, &o);
	ck_assert_int_eq(o.route, HEDDLE_ROUTE_LAPACK);
	o = (heddle_options){ 0 };
	heddle_svd_options(HEDDLE_D, 64, 600, &o);
	ck_assert_int_eq(o.route, HEDDLE_ROUTE_GRAPH);
	ck_assert_int_eq(o.band, 16);

	/* what the caller says stays, and what belongs to the table's band comes with that alone */
	o = (heddle_options){ .band = 40 };
	heddle_svd_options(HEDDLE_D, 1000, 1000, &o);
	ck_assert_int_eq(o.band, 40);
	ck_assert_int_eq(o.tile, 160);
	ck_assert_int_eq(o.group, 0);
	o = (heddle_options){ .tile = 99, .group = 3, .route = HEDDLE_ROUTE_LAPACK };
	heddle_svd_options(HEDDLE_D, 1000, 1000, &o);
	ck_assert_int_eq(o.band, 40);
	ck_assert_int_eq(o.tile, 99);
	ck_assert_int_eq(o.group, 3);
	ck_assert_int_eq(o.steps, 4);
	ck_assert_int_eq(o.route, HEDDLE_ROUTE_LAPACK);

	/* other jobs and types are as ever, and eigenvalues have rows of their own */
	o = (heddle_options){ 0 };
	heddle_eig_options(HEDDLE_Z, 5, &o);
	ck_assert_int_eq(o.band, 24);
	ck_assert_int_eq(o.route, HEDDLE_ROUTE_GRAPH);
	struct tuning built_in;
	tuning_builtin(&built_in);
	o = (heddle_options){ 0 };
	heddle_eig_options(HEDDLE_D, 1000, &o);
	ck_assert_int_eq(o.band, built_in.choice[TUNING_EIGVALS][tuning_type(HEDDLE_D)][tuning_step(1000)].band);

	/* few right-hand sides have rows of their own, but for the route, which goes by the work */
	static const struct { int64_t k, many; int tile; int route; } solves[] = {
		{ 64, 64, 32, HEDDLE_ROUTE_LAPACK }, { 64, 63, 96, HEDDLE_ROUTE_LAPACK }, { 65, 65, 512, HEDDLE_ROUTE_GRAPH },
		{ 1000, 1000, 512, HEDDLE_ROUTE_GRAPH }, { 1000, 512, 512, HEDDLE_ROUTE_GRAPH }, { 1000, 511, 96, HEDDLE_ROUTE_GRAPH },
		{ 64, 500, 32, HEDDLE_ROUTE_GRAPH }, { 400, 1, 96, HEDDLE_ROUTE_LAPACK }, { 400, 400, 512, HEDDLE_ROUTE_GRAPH },
	};
	for (unsigned i = 0; i < sizeof(solves) / sizeof(solves[0]); i++) {
		o = (heddle_options){ 0 };
		heddle_trsm_options(HEDDLE_S, solves[i].k, solves[i].many, &o);
		ck_assert_msg(o.tile == solves[i].tile && (int)o.route == solves[i].route, "solve %u: tile %d, route %d", i, (int)o.tile, (int)o.route);
	}
	o = (heddle_options){ .tile = 7, .inverse = 1 };
	heddle_trsm_options(HEDDLE_S, 1000, 1000, &o);
	ck_assert_int_eq(o.tile, 7);
	ck_assert_int_eq(o.inverse, 1);

	/* once read, it stays; what is tried passes */
	struct tuning_choice tried = { .route = HEDDLE_ROUTE_LAPACK, .band = 5, .tile = 50 };
	heddle_tuning_try(TUNING_SVDVALS, HEDDLE_D, &tried);
	o = (heddle_options){ 0 };
	heddle_svd_options(HEDDLE_D, 1000, 1000, &o);
	ck_assert_int_eq(o.band, 5);
	heddle_tuning_try(TUNING_SVDVALS, HEDDLE_D, NULL);
	ck_assert_int_eq(setenv("HEDDLE_TUNING", "", 1), 0);
	o = (heddle_options){ 0 };
	heddle_svd_options(HEDDLE_D, 1000, 1000, &o);
	ck_assert_int_eq(o.band, 40);
}
END_TEST

/* Values are right by a table's choices, and by the caller's against it. */
START_TEST(a_table_does_not_change_values)
{
	enum { N = 200 };
	double *a = malloc(2 * N * N * sizeof(*a)), *copy = a + N * N, s[N], t[N];

	for (int i = 0; i < N * N; i++)
		copy[i] = (double)((i * 7919) % 1009) / 1009 - 0.5;
	memcpy(a, copy, N * N * sizeof(*a));
	ck_assert_int_eq(heddle_dgesvd_vals(N, N, a, N, s), 0);
	ck_assert_int_eq(heddle_start(NULL), 0);
	heddle_sequence *sequence;
	heddle_matrix *matrix, *values;
	heddle_options options = { .band = 8, .tile = 24, .route = HEDDLE_ROUTE_GRAPH };
	memcpy(a, copy, N * N * sizeof(*a));
	ck_assert_int_eq(heddle_sequence_create(&sequence), 0);
	ck_assert_int_eq(heddle_matrix_create(&matrix, HEDDLE_D, N, N, a, N, 24), 0);
	ck_assert_int_eq(heddle_matrix_create(&values, HEDDLE_D, N, 1, t, N, 0), 0);
	ck_assert_int_eq(heddle_dgesvd_vals_async(sequence, matrix, NULL, values, NULL, &options), 0);
	ck_assert_int_eq(heddle_sequence_wait(sequence), 0);
	heddle_matrix_destroy(matrix);
	heddle_matrix_destroy(values);
	heddle_sequence_destroy(sequence);
	heddle_stop();
	for (int i = 0; i < N; i++)
		ck_assert_double_eq_tol(s[i], t[i], 1e-12 * s[0]);
	free(a);
}
END_TEST

START_TEST(which_file_is_read)
{
	char here[256], config[128], home[128], named[256];
	const struct tuning_state *state;

	snprintf(config, sizeof(config), "%s/config", folder);
	snprintf(home, sizeof(home), "%s/home", folder);
	ck_assert(is_built_in(loaded(NULL, config, home)));
	ck_assert_str_eq(loaded(NULL, config, home)->message, "");
	mkdir(home, 0700);
	mkdir(path_of("home/.config"), 0700);
	mkdir(path_of("home/.config/heddle"), 0700);
	snprintf(here, sizeof(here), "%s", file_of("home/.config/heddle/tuning", text, sizeof(text) - 1));
	ck_assert(is_built_in(loaded(NULL, config, home)));
	ck_assert_str_eq(loaded(NULL, NULL, home)->source, here);
	ck_assert_str_eq(loaded(NULL, "", home)->source, here);
	ck_assert_str_eq(loaded(NULL, "relative", home)->source, here);
	ck_assert(is_built_in(loaded(NULL, NULL, NULL)));
	mkdir(config, 0700);
	mkdir(path_of("config/heddle"), 0700);
	snprintf(here, sizeof(here), "%s", file_of("config/heddle/tuning", text, sizeof(text) - 1));
	ck_assert_str_eq(loaded(NULL, config, home)->source, here);
	snprintf(named, sizeof(named), "%s", file_of("named", text, sizeof(text) - 1));
	state = loaded(named, config, home);
	ck_assert_str_eq(state->source, named);
	ck_assert_str_eq(state->message, "");
	ck_assert(is_built_in(loaded("", config, home)));
	ck_assert_str_eq(loaded("", config, home)->message, "");

	/* one that was named and is not there is missed; the user's own does not stand in for it */
	state = loaded(path_of("nowhere"), config, home);
	ck_assert(is_built_in(state));
	ck_assert_ptr_nonnull(strstr(state->message, "nowhere: No such file or directory"));
	file_of("config/heddle/tuning", "rubbish", 7);
	state = loaded(NULL, config, home);
	ck_assert(is_built_in(state));
	ck_assert_ptr_nonnull(strstr(state->message, "config/heddle/tuning:1: \"rubbish\" is no table"));
	file_of("plain", "", 0); /* a folder that is none */
	state = loaded(NULL, path_of("plain"), home);
	ck_assert(is_built_in(state));
	ck_assert_str_eq(state->message, "");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("tuning");
	TCase *c = tcase_create("in force");

	tcase_add_checked_fixture(c, folder_make, folder_remove);
	tcase_set_timeout(c, 240);
	tcase_add_test(c, callers_see_the_table);
	tcase_add_test(c, a_table_does_not_change_values);
	tcase_add_test(c, which_file_is_read);
	suite_add_tcase(suite, c);
	return run_here(suite);
}
