/* heddle tune: the order of events, and what is said about them. */
#include "tools/heddle/tune.h"

#include <stdlib.h>
#include <string.h>
#include "runtime/clock.h"
#include "tools/heddle/commands.h"
#include "tools/heddle/interrupt.h"
#include "tools/heddle/message.h"

static void describe(char text[64], const struct tune_study *study, bool by_call, const struct tuning_choice *c)
{
	if (by_call)
		snprintf(text, 64, study->job == TUNING_TRSM ? "direct" : "lapack");
	else if (study->job == TUNING_TRSM || study->job == TUNING_TRSM_FEW)
		snprintf(text, 64, "tile %d%s", c->tile, c->inverse == 2 ? ", inverse" : "");
	else if (c->group > 0 || c->steps > 0)
		snprintf(text, 64, "band %d, tile %d, chase %dx%d", c->band, c->tile, c->group, c->steps);
	else
		snprintf(text, 64, "band %d, tile %d", c->band, c->tile);
}

static void report_begin(const struct tune *tune)
{
	FILE *out = tune->report;

	fprintf(out, "heddle tune: %d thread%s, at most %.0f s; the table in force is %s\n", tune->info.cpu_workers,
		tune->info.cpu_workers == 1 ? "" : "s", tune->arguments.seconds, tune->info.tuning);
	fprintf(out, "StarPU %s, scheduler %s; BLAS: %s, kernels for %s\n\n", tune->info.starpu, tune->info.scheduler, tune->info.blas,
		tune->info.blas_kernel);
}

static void report_header(const struct tune *tune)
{
	fprintf(tune->report, "%-8s type %7s  %-32s %10s  %-32s %10s %8s\n", "job", "order", "in force", "seconds", "new", "seconds", "faster");
	fflush(tune->report);
}

static void report_study(const struct tune *tune, const struct tune_study *study)
{
	char before[64], after[64];

	status_clear();
	for (int s = 0; s < study->sizes; s++) {
		double seconds = tune_seconds_before(study, s), least = tune_seconds_after(study, s);

		describe(before, study, tune_by_call(study, s), &study->candidate[study->in_force[s]]);
		describe(after, study, s < study->by_call, &study->candidate[study->chosen[s]]);
		fprintf(tune->report, "%-8s %-4c %7lld  %-32s %10.4g  %-32s %10.4g %8.3f\n", tuning_job_names[study->job],
			(char)study->kind->type, (long long)study->size[s], before, seconds, after, least, seconds / least);
	}
	fflush(tune->report);
}

/* How much faster the new table is than the one in force. */
static void report_gain(const struct tune *tune)
{
	const struct tune_study *most_study = NULL;
	double logs = 0, most = 0;
	int count = 0, most_size = 0;

	for (int i = 0; i < tune->count; i++)
		for (int s = 0; s < tune->studies[i].sizes; s++) {
			double gain = tune_seconds_before(&tune->studies[i], s) / tune_seconds_after(&tune->studies[i], s);

			if (!isfinite(gain))
				continue;
			logs += log(gain);
			count++;
			if (gain > most) {
				most = gain;
				most_study = &tune->studies[i];
				most_size = s;
			}
		}
	if (count > 0)
		fprintf(tune->report, "\nThe new table is %.1f%% faster than the one in force over these %d cases (geometric mean), %.1f%% at most "
			"(%s %c %lld).\n", 100 * (exp(logs / count) - 1), count, 100 * (most - 1), tuning_job_names[most_study->job],
			(char)most_study->kind->type, (long long)most_study->size[most_size]);
}

static void report_left_out(const struct tune *tune)
{
	const struct tune_arguments *a = &tune->arguments;

	for (int i = 0; i < tune->count && a->sizes_given; i++) {
		const struct tune_study *study = &tune->studies[i];

		if (study->sizes < a->size_count)
			complain("%s %c: %lld and larger are left out; they need more --time than %.3g s", tuning_job_names[study->job],
				 (char)study->kind->type, (long long)a->sizes[study->sizes], a->seconds);
	}
}

static void report_plan(const struct tune *tune, const char *path)
{
	FILE *out = tune->report;

	fprintf(out, "%-8s type  %s\n", "job", "orders (seconds of a run with the choice in force)");
	for (int i = 0; i < tune->count; i++) {
		const struct tune_study *study = &tune->studies[i];

		fprintf(out, "%-8s %-4c ", tuning_job_names[study->job], (char)study->kind->type);
		for (int s = 0; s < study->sizes; s++)
			fprintf(out, " %lld (%.2g)", (long long)study->size[s], study->look[s]);
		fputc('\n', out);
	}
	fprintf(out, "\nA table would go to %s.\n", path[0] ? path : "standard output");
}

static int tune_open(struct tune *tune)
{
	const struct tune_arguments *a = &tune->arguments;

	tune->report = a->as_c && !a->output ? stderr : stdout;
	tune->studies = calloc((size_t)(TUNING_JOBS * a->type_count), sizeof(*tune->studies));
	if (!tune->studies) {
		complain("no memory");
		return -1;
	}
	for (int job = 0; job < TUNING_JOBS; job++)
		for (int t = 0; t < a->type_count && a->jobs[job]; t++) {
			struct tune_study *study = &tune->studies[tune->count++];

			study->job = job;
			study->kind = kind_of(a->types[t]);
			study->sizes = a->size_count;
			memcpy(study->size, a->sizes, (size_t)a->size_count * sizeof(*a->sizes));
			for (int s = 0; s < TUNE_SIZES; s++) {
				study->direct[s] = INFINITY;
				for (int c = 0; c < TUNE_CANDIDATES; c++)
					study->seconds[s][c] = INFINITY;
			}
		}
	int code = heddle_start(&a->config);
	if (code == HEDDLE_OK)
		code = heddle_get_info(&tune->info);
	if (code != HEDDLE_OK)
		complain_code(NULL, code);
	else
		warn_of_tuning(&tune->info);
	return code == HEDDLE_OK ? 0 : -1;
}

/* Returns 0 or -1; a Ctrl-C is told by interrupted(). */
static int tune_all(struct tune *tune, const char *path)
{
	int code = tune_look(tune);

	status_clear();
	if (code != 0 || interrupted())
		return code;
	report_left_out(tune);
	if (tune->arguments.dry_run) {
		report_plan(tune, path);
		return 0;
	}
	report_header(tune);
	for (int i = 0; i < tune->count && code == 0 && !interrupted(); i++) {
		code = tune_measure(tune, &tune->studies[i]);
		if (code == 0 && !interrupted())
			report_study(tune, &tune->studies[i]);
	}
	status_clear();
	return code;
}

static int tune_finish(struct tune *tune, const char *path)
{
	struct tuning *table = malloc(sizeof(*table));
	int code = table ? 0 : -1;

	if (!table)
		complain("no memory");
	if (code == 0) {
		report_gain(tune);
		tune_table(tune, table);
		code = tune_write(tune, path, table);
	}
	if (code == 0 && path[0] && !interrupted())
		fprintf(tune->report, "Written to %s.\n", path);
	free(table);
	return code;
}

int tune_command(int argc, char **argv)
{
	struct tune tune = { 0 };
	char path[TUNING_NAME];

	tune_parse(argc, argv, &tune.arguments);
	int code = tune_output(&tune, path);
	if (code == 0)
		code = tune_open(&tune);
	if (code == 0) {
		tune.begin = seconds_now();
		tune.end = tune.begin + tune.arguments.seconds;
		report_begin(&tune);
		interrupt_begin();
		code = tune_all(&tune, path);
		if (code == 0 && !tune.arguments.dry_run && !interrupted())
			code = tune_finish(&tune, path);
		interrupt_end();
	}
	if (interrupted())
		complain("interrupted: no table was written");
	if (tune.info.starpu)
		heddle_stop();
	free(tune.studies);
	tune_arguments_free(&tune.arguments);
	return interrupted() ? EXIT_INTERRUPTED : code == 0 ? EXIT_DONE : EXIT_FAILED;
}
