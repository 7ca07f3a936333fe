/* Writing a table: the file that Heddle reads, or rows of its source. */
#include "tools/heddle/tune.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "tools/heddle/interrupt.h"
#include "tools/heddle/message.h"

static const char types[] = "sdcz";

/* The processor's name. */
static void processor(char name[128])
{
	FILE *in = fopen("/proc/cpuinfo", "re");
	char line[256];

	snprintf(name, 128, "unknown processor");
	while (in && fgets(line, sizeof(line), in)) {
		const char *colon = strchr(line, ':');
		if (strncmp(line, "model name", 10) == 0 && colon) {
			snprintf(name, 128, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
			break;
		}
	}
	if (in)
		fclose(in);
}

static void write_origin(FILE *out, const struct tune *tune, const char *begin, const char *end)
{
	char name[128], date[16];
	time_t now = time(NULL);
	struct tm tm;

	processor(name);
	strftime(date, sizeof(date), "%Y-%m-%d", gmtime_r(&now, &tm));
	fprintf(out, "%sMeasured by heddle %s on %s: %s, %d core%s, %d CPU worker%s; BLAS: %s, kernels for %s.%s\n", begin, HEDDLE_VERSION, date,
		name, tune->info.cores, tune->info.cores == 1 ? "" : "s", tune->info.cpu_workers, tune->info.cpu_workers == 1 ? "" : "s",
		tune->info.blas, tune->info.blas_kernel, end);
}

static const char *route_name(int route)
{
	return route == HEDDLE_ROUTE_LAPACK ? "lapack" : "graph";
}

static void write_row(FILE *out, int job, int type, int step, struct tuning_choice choice)
{
	if (step == TUNING_STEPS - 1)
		fprintf(out, "%-8s %c    max  ", tuning_job_names[job], types[type]);
	else
		fprintf(out, "%-8s %c %6lld  ", tuning_job_names[job], types[type], (long long)tuning_order(step));
	for (int i = 0; i < TUNING_COLUMNS; i++) {
		const struct tuning_column *column = &tuning_columns[i];

		if (tuning_has(job, column) && column->min == column->max)
			fprintf(out, " %-6s", route_name(*tuning_value(&choice, column)));
		else if (tuning_has(job, column))
			fprintf(out, " %7d", *tuning_value(&choice, column));
	}
	fputc('\n', out);
}

static void write_c_row(FILE *out, int job, int type, int step, struct tuning_choice choice)
{
	static const char *const jobs[] = { "SVDVALS", "EIGVALS", "TRSM", "TRSM_FEW" };
	bool comma = false;

	fprintf(out, "\t{ TUNING_%s, HEDDLE_%c, ", jobs[job], types[type] - 'a' + 'A');
	if (step == TUNING_STEPS - 1)
		fprintf(out, "INT64_MAX");
	else
		fprintf(out, "%lld", (long long)tuning_order(step));
	fprintf(out, ", {");
	for (int i = 0; i < TUNING_COLUMNS; i++) {
		const struct tuning_column *column = &tuning_columns[i];
		int value = *tuning_value(&choice, column);

		if (!tuning_has(job, column) || (column->min != column->max && value == 0))
			continue;
		fprintf(out, "%s .%s = ", comma ? "," : "", column->name);
		if (column->min == column->max)
			fprintf(out, "%s", value == HEDDLE_ROUTE_LAPACK ? "LAPACK" : "GRAPH");
		else
			fprintf(out, "%d", value);
		comma = true;
	}
	fprintf(out, " } },\n");
}

/* Over the rows of a job. */
static void write_heading(FILE *out, int job)
{
	fprintf(out, "# job    t  order  ");
	for (int i = 0; i < TUNING_COLUMNS; i++)
		if (tuning_has(job, &tuning_columns[i]))
			fprintf(out, tuning_columns[i].min == tuning_columns[i].max ? " %-6s" : " %7s", tuning_columns[i].name);
	fputc('\n', out);
}

static void write_rows(FILE *out, const struct tune *tune, const struct tuning *table)
{
	for (int job = 0; job < TUNING_JOBS; job++) {
		bool named = false;

		for (int type = 0; type < TUNING_TYPES; type++)
			named = named || table->named[job][type];
		if (named && !tune->arguments.as_c)
			write_heading(out, job);
		for (int type = 0; type < TUNING_TYPES; type++)
			for (int step = 0; step < TUNING_STEPS && (tune->arguments.as_c || table->named[job][type]); step++) {
				const struct tuning_choice *choice = &table->choice[job][type][step];

				if (step < TUNING_STEPS - 1 && memcmp(choice, choice + 1, sizeof(*choice)) == 0)
					continue;
				(tune->arguments.as_c ? write_c_row : write_row)(out, job, type, step, *choice);
			}
	}
}

static void write_table(FILE *out, const struct tune *tune, const struct tuning *table)
{
	if (tune->arguments.as_c) {
		write_origin(out, tune, "/* ", " */");
	} else {
		fprintf(out, "heddle-tuning 1\n");
		write_origin(out, tune, "# ", "");
		fprintf(out, "# A row is for orders up to its own.  `heddle tune --help' says more.\n");
	}
	write_rows(out, tune, table);
}

/* The folder of a path, "." if it names none. */
static void folder_of(const char *path, char folder[TUNING_NAME])
{
	char *slash;

	snprintf(folder, TUNING_NAME, "%s", path);
	slash = strrchr(folder, '/');
	if (slash)
		slash[slash == folder] = 0;
	else
		snprintf(folder, TUNING_NAME, ".");
}

static int make_folder(char *folder)
{
	for (char *p = folder + 1;; p++) {
		char c = *p;

		if (c != '/' && c != 0)
			continue;
		*p = 0;
		if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
			complain("%s: %s", folder, strerror(errno));
			return -1;
		}
		*p = c;
		if (c == 0)
			return 0;
	}
}

int tune_output(const struct tune *tune, char path[TUNING_NAME])
{
	const struct tune_arguments *a = &tune->arguments;
	char folder[TUNING_NAME], real[PATH_MAX];
	struct stat about;

	path[0] = 0;
	if (a->as_c && !a->output)
		return 0;
	if (a->output) {
		snprintf(path, TUNING_NAME, "%s", a->output);
	} else if (!tuning_home(path)) {
		complain("there is no place for a table: neither XDG_CONFIG_HOME nor HOME names a folder; use -o FILE");
		return -1;
	}
	if (realpath(path, real)) /* what a link points to */
		snprintf(path, TUNING_NAME, "%s", real);
	if (a->dry_run)
		return 0;
	folder_of(path, folder);
	if (!a->output && make_folder(folder) != 0)
		return -1;
	if (stat(path, &about) == 0 && !S_ISREG(about.st_mode)) {
		complain("%s: not a regular file", path);
		return -1;
	}
	if (access(folder, W_OK | X_OK) != 0) {
		complain("%s: %s", folder, strerror(errno));
		return -1;
	}
	return 0;
}

/* Rows that are there already for what was not measured. */
static void keep_rows(const char *path, struct tuning *table)
{
	struct tuning *old = calloc(1, sizeof(*old));
	char message[TUNING_MESSAGE];
	enum tuning_outcome outcome = old ? tuning_read(old, path, message) : TUNING_ABSENT;

	if (outcome == TUNING_REFUSED)
		complain("%s; it is replaced as a whole", message);
	for (int job = 0; job < TUNING_JOBS && outcome == TUNING_READ; job++)
		for (int type = 0; type < TUNING_TYPES; type++)
			if (old->named[job][type] && !table->named[job][type]) {
				memcpy(table->choice[job][type], old->choice[job][type], sizeof(table->choice[job][type]));
				table->named[job][type] = true;
			}
	free(old);
}

/* Into a new file beside it, which then takes its place. */
static int replace(const struct tune *tune, const char *path, const struct tuning *table)
{
	char name[TUNING_NAME + 8];
	mode_t mask = umask(0);

	umask(mask);
	snprintf(name, sizeof(name), "%s.XXXXXX", path);
	int file = mkstemp(name);
	FILE *out = file >= 0 ? fdopen(file, "w") : NULL;
	if (!out) {
		complain("%s: %s", name, strerror(errno));
		if (file >= 0)
			close(file);
		if (file >= 0)
			unlink(name);
		return -1;
	}
	write_table(out, tune, table);
	bool good = fflush(out) == 0 && !ferror(out) && fchmod(file, 0666 & ~mask) == 0 && fsync(file) == 0;
	good = fclose(out) == 0 && good;
	if (good && !interrupted())
		good = rename(name, path) == 0;
	if (!good)
		complain("%s: %s", path, strerror(errno));
	if (!good || interrupted())
		unlink(name);
	return good ? 0 : -1;
}

int tune_write(const struct tune *tune, const char *path, struct tuning *table)
{
	if (!path[0]) {
		write_table(stdout, tune, table);
		return 0;
	}
	if (!tune->arguments.as_c)
		keep_rows(path, table);
	return replace(tune, path, table);
}
