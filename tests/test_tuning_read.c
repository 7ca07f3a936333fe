/* Tables of choices: orders and their steps, the built-in rows, reading a file, and refusing a broken one with its line. */
#include <sys/stat.h>
#include <unistd.h>
#include "runtime/tuning.h"
#include "tests/folder.h"
#include "tests/suite.h"

START_TEST(steps_are_four_to_an_octave)
{
	static const int64_t orders[] = { 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56, 64, 80 };

	for (int i = 0; i < (int)(sizeof(orders) / sizeof(orders[0])); i++) {
		ck_assert_int_eq(tuning_order(i), orders[i]);
		ck_assert_int_eq(tuning_step(orders[i]), i);
	}
	ck_assert_int_eq(tuning_step(INT64_MIN), 0);
	ck_assert_int_eq(tuning_step(0), 0);
	for (int step = 1; step < TUNING_STEPS; step++) {
		ck_assert_int_eq(tuning_step(tuning_order(step)), step);
		ck_assert_int_eq(tuning_step(tuning_order(step) - 1), tuning_order(step - 1) == tuning_order(step) - 1 ? step - 1 : step);
		ck_assert_int_eq(tuning_step(tuning_order(step - 1) + 1), step);
	}
	ck_assert_int_eq(tuning_step(INT32_MAX), TUNING_STEPS - 1);
	ck_assert_int_eq(tuning_step(INT64_MAX), TUNING_STEPS - 1);
}
END_TEST

START_TEST(built_in_choices_are_whole)
{
	struct tuning table;

	tuning_builtin(&table);
	for (int job = 0; job < TUNING_JOBS; job++)
		for (int type = 0; type < TUNING_TYPES; type++) {
			ck_assert(!table.named[job][type]);
			for (int step = 0; step < TUNING_STEPS; step++)
				for (int i = 0; i < TUNING_COLUMNS; i++) {
					const struct tuning_column *c = &tuning_columns[i];
					int value = *tuning_value(&table.choice[job][type][step], c);

					if (tuning_has(job, c) && c->min == c->max)
						ck_assert(value == HEDDLE_ROUTE_GRAPH || value == HEDDLE_ROUTE_LAPACK);
					else if (tuning_has(job, c))
						ck_assert_msg(value >= c->min && value <= c->max, "job %d type %d step %d: %s is %d", job,
							      type, step, c->name, value);
				}
		}
}
END_TEST

static const char good[] = "# a table\n"
			   "\n"
			   "heddle-tuning 1 # the version\r\n"
			   "svdvals d 128 lapack 16 48 0 0\n"
			   "\tsvdvals  d\t1024 graph 40 160 8 4 # \xc3\xa9\n"
			   "eigvals z max graph 24 72 0 0\n"
			   "trsm s 64 lapack 32 1\n"
			   "trsm-few s max 96 2\n"
			   "trsm s max graph 512 2\n"
			   "svdvals d max graph 64 640 0 0"; /* no line end */

START_TEST(reads_a_table)
{
	struct tuning table, before;
	char message[TUNING_MESSAGE];
	const char *path = file_of("good", good, sizeof(good) - 1);

	tuning_builtin(&table);
	before = table;
	ck_assert_msg(tuning_read(&table, path, message) == TUNING_READ, "%s", message);
	ck_assert_str_eq(message, "");
	const struct { int64_t order; struct tuning_choice choice; } expected[] = {
		{ 1, { HEDDLE_ROUTE_LAPACK, 16, 48, 0, 0, 0 } }, { 128, { HEDDLE_ROUTE_LAPACK, 16, 48, 0, 0, 0 } },
		{ 129, { HEDDLE_ROUTE_GRAPH, 40, 160, 8, 4, 0 } }, { 1024, { HEDDLE_ROUTE_GRAPH, 40, 160, 8, 4, 0 } },
		{ 1025, { HEDDLE_ROUTE_GRAPH, 64, 640, 0, 0, 0 } }, { INT32_MAX, { HEDDLE_ROUTE_GRAPH, 64, 640, 0, 0, 0 } },
	};
	for (unsigned i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
		ck_assert_mem_eq(&table.choice[TUNING_SVDVALS][tuning_type(HEDDLE_D)][tuning_step(expected[i].order)], &expected[i].choice,
				 sizeof(struct tuning_choice));
	ck_assert_int_eq(table.choice[TUNING_EIGVALS][tuning_type(HEDDLE_Z)][0].band, 24);
	static const heddle_type types[TUNING_JOBS] = { HEDDLE_D, HEDDLE_Z, HEDDLE_S, HEDDLE_S };
	for (int job = 0; job < TUNING_JOBS; job++)
		for (int type = 0; type < TUNING_TYPES; type++) {
			bool named = type == tuning_type(types[job]);

			ck_assert(table.named[job][type] == named);
			ck_assert((memcmp(table.choice[job][type], before.choice[job][type], sizeof(before.choice[job][type])) != 0) == named);
		}
}
END_TEST

#define V "heddle-tuning 1\n"
#define END "svdvals d max graph 64 512 0 0\n"

static const struct {
	const char *text, *words; /* the file, and what comes after its name in the message */
} broken[] = {
	{ "", ":1: the file holds nothing; expected \"heddle-tuning 1\" first" },
	{ "# only\n# comments\n", ":2: the file holds nothing" },
	{ END, ":1: \"svdvals\" is no table of Heddle's choices; expected \"heddle-tuning 1\"" },
	{ "heddle-tuning 2\n" END, ":1: version \"2\" is unknown; expected \"heddle-tuning 1\"" },
	{ "heddle-tuning\n", ":1: version \"\" is unknown" },
	{ "heddle-tuning 1 1\n", ":1: version \"1\" is unknown" },
	{ V "\n" V, ":3: job \"heddle-tuning\" is unknown" },
	{ V "svd d max graph 64 512 0 0\n", ":2: job \"svd\" is unknown; expected svdvals" },
	{ V END "svdvals x max graph 64 512 0 0\n", ":3: type \"x\" is unknown; expected s, d, c or z" },
	{ V "svdvals dd max graph 64 512 0 0\n", ":2: type \"dd\" is unknown" },
	{ V "svdvals d max graph 64 512 0\n", ":2: 7 columns; expected 8: job type order route band tile group steps" },
	{ V "svdvals d max graph 64 512 0 0 0\n", ":2: 9 columns; expected 8" },
	{ V "svdvals\n", ":2: 1 column; expected 8" },
	{ V "svdvals d max graph 64 512 0 0 1 2 3 4 5 6 7 8 9 10 11 12 13\n", ":2: 21 columns; expected 8" },
	{ V "trsm d max graph 256 1 0\n", ":2: 7 columns; expected 6: job type order route tile inverse" },
	{ V "trsm-few d max graph 256 1\n", ":2: 6 columns; expected 5: job type order tile inverse" },
	{ V "trsm d max graph 256 0\n", ":2: inverse is \"0\"; expected 1 .. 2" },
	{ V "trsm-few d max 256 3\n", ":2: inverse is \"3\"; expected 1 .. 2" },
	{ V "trsm z max other 256 1\n", ":2: route is \"other\"; expected graph or lapack" },
	{ V "svdvals d 0 graph 64 512 0 0\n" END, ":2: order is \"0\"; expected 1 .. " },
	{ V "svdvals d -5 graph 64 512 0 0\n" END, ":2: order is \"-5\"" },
	{ V "svdvals d 1e3 graph 64 512 0 0\n" END, ":2: order is \"1e3\"" },
	{ V "svdvals d 99999999999999999999999 graph 64 512 0 0\n" END, ":2: order is \"99999999999999999999999\"" },
	{ V "svdvals d 1000 graph 64 512 0 0\n" END, ":2: order 1000 is between two steps; expected 896 or 1024" },
	{ V "svdvals d 512 graph 64 512 0 0\nsvdvals d 512 graph 64 512 0 0\n" END, ":3: order 512 does not ascend; expected more than line 2 has" },
	{ V "svdvals d 512 graph 64 512 0 0\nsvdvals s max graph 64 512 0 0\nsvdvals d 256 graph 64 512 0 0\n" END, ":4: order 256 does not ascend" },
	{ V END END, ":3: order max does not ascend; expected more than line 2 has" },
	{ V "svdvals d 512 graph 64 512 0 0\n\n# end\n", ":2: the rows of svdvals d end with order 512; expected a last one for max" },
	{ V END "eigvals c 64 graph 64 512 0 0\n" "eigvals c 128 graph 64 512 0 0\n", ":4: the rows of eigvals c end with order 128" },
	{ V "svdvals d max fast 64 512 0 0\n", ":2: route is \"fast\"; expected graph or lapack" },
	{ V "svdvals d max graph 0 512 0 0\n", ":2: band is \"0\"; expected 1 .. 4096" },
	{ V "svdvals d max graph 4097 512 0 0\n", ":2: band is \"4097\"" },
	{ V "svdvals d max graph 64.5 512 0 0\n", ":2: band is \"64.5\"" },
	{ V "svdvals d max graph 64 0 0 0\n", ":2: tile is \"0\"; expected 1 .. 65536" },
	{ V "svdvals d max graph 64 0x20 0 0\n", ":2: tile is \"0x20\"" },
	{ V "svdvals d max graph 64 512 4097 0\n", ":2: group is \"4097\"; expected 0 .. 4096" },
	{ V "svdvals d max graph 64 512 0 +1\n", ":2: steps is \"+1\"; expected 0 .. 4096" },
	{ V "svdvals d max graph 64 512 0 \x01\n", ":2: byte 30 of the line is 1; expected plain text" },
	{ V "svdvals d max graph \xc3\xa9 512 0 0\n", ":2: byte 21 of the line is 195; expected plain text" },
};

START_TEST(a_broken_table_is_refused_with_its_line)
{
	struct tuning table, before;
	char message[TUNING_MESSAGE];
	const char *path = file_of("broken", broken[_i].text, strlen(broken[_i].text));

	tuning_builtin(&table);
	before = table;
	ck_assert_int_eq(tuning_read(&table, path, message), TUNING_REFUSED);
	ck_assert_mem_eq(message, path, strlen(path));
	ck_assert_msg(strncmp(message + strlen(path), broken[_i].words, strlen(broken[_i].words)) == 0, "\"%s\" is not \"%s\"", message + strlen(path),
		      broken[_i].words);
	ck_assert_mem_eq(&table, &before, sizeof(table));
}
END_TEST

START_TEST(what_is_no_text_file_is_refused)
{
	enum { HUGE_FILE = 2 << 20 };
	struct tuning table;
	char message[TUNING_MESSAGE], *huge = calloc(1, HUGE_FILE);

	tuning_builtin(&table);
	memset(huge, '\n', HUGE_FILE);
	ck_assert_int_eq(tuning_read(&table, file_of("huge", huge, HUGE_FILE), message), TUNING_REFUSED);
	ck_assert_ptr_nonnull(strstr(message, "huge: 2097152 bytes are too many"));
	free(huge);
	ck_assert_int_eq(tuning_read(&table, file_of("binary", V "\0\0\0" END, sizeof(V "\0\0\0" END) - 1), message), TUNING_REFUSED);
	ck_assert_ptr_nonnull(strstr(message, "binary:2: byte 1 of the line is 0; expected plain text"));
	ck_assert_int_eq(tuning_read(&table, folder, message), TUNING_REFUSED);
	ck_assert_ptr_nonnull(strstr(message, ": not a regular file"));
	ck_assert_int_eq(mkfifo(path_of("pipe"), 0600), 0); /* which nobody writes to: no waiting */
	ck_assert_int_eq(tuning_read(&table, path_of("pipe"), message), TUNING_REFUSED);
	ck_assert_ptr_nonnull(strstr(message, ": not a regular file"));
	const char *locked = file_of("locked", good, sizeof(good) - 1);
	ck_assert_int_eq(chmod(locked, 0), 0);
	if (access(locked, R_OK) != 0) { /* root may */
		ck_assert_int_eq(tuning_read(&table, locked, message), TUNING_REFUSED);
		ck_assert_ptr_nonnull(strstr(message, "locked: Permission denied"));
	}
	char *long_name = malloc(3 * TUNING_NAME);
	memset(long_name, 'x', 3 * TUNING_NAME);
	long_name[3 * TUNING_NAME - 1] = 0;
	ck_assert_int_eq(tuning_read(&table, long_name, message), TUNING_REFUSED);
	ck_assert_ptr_nonnull(strstr(message, "File name too long"));
	free(long_name);
}
END_TEST

int main(void)
{
	enum { BROKEN = sizeof(broken) / sizeof(broken[0]) };
	Suite *suite = suite_create("tuning_read");
	TCase *c = tcase_create("tables");

	tcase_add_checked_fixture(c, folder_make, folder_remove);
	tcase_set_timeout(c, 240);
	tcase_add_test(c, steps_are_four_to_an_octave);
	tcase_add_test(c, built_in_choices_are_whole);
	tcase_add_test(c, reads_a_table);
	tcase_add_loop_test(c, a_broken_table_is_refused_with_its_line, 0, BROKEN);
	tcase_add_test(c, what_is_no_text_file_is_refused);
	suite_add_tcase(suite, c);
	return run_here(suite);
}
