/* Draws a benchmark's rows through gnuplot. */
#include "tools/heddle/bench.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tools/heddle/message.h"

extern char **environ;

/* Start gnuplot with its standard input from `input` and, if quiet, its output to nowhere.  Returns 0 or an errno. */
static int gnuplot_start(pid_t *child, char *const argv[], int input, bool quiet)
{
	posix_spawn_file_actions_t actions;

	posix_spawn_file_actions_init(&actions);
	if (input >= 0)
		posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
	if (quiet)
		posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	int code = posix_spawnp(child, "gnuplot", &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return code;
}

/* Whether the child ended with exit code 0. */
static bool gnuplot_finished(pid_t child)
{
	int status;
	pid_t ended;

	do
		ended = waitpid(child, &status, 0);
	while (ended < 0 && errno == EINTR);
	return ended == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int plot_possible(const char *file)
{
	char *argv[] = { "gnuplot", "--version", NULL };
	char *copy = strdup(file);
	pid_t child;

	if (!copy || access(dirname(copy), W_OK) != 0) {
		complain("%s: %s", file, strerror(errno));
		free(copy);
		return -1;
	}
	free(copy);
	if (gnuplot_start(&child, argv, -1, true) == 0 && gnuplot_finished(child))
		return 0;
	complain("--plot needs the program gnuplot, and it cannot be run; install it (Debian: gnuplot-nox) or leave --plot out");
	return -1;
}

/* A line of the plot: a contestant with a type and, if any, a band width or a side. */
static bool same_series(const struct bench_row *a, const struct bench_row *b)
{
	return a->type == b->type && a->kd == b->kd && a->form.side == b->form.side && strcmp(a->contestant, b->contestant) == 0;
}

/* The first row of the series that row number i belongs to. */
static int series_first(const struct bench_row *rows, int i)
{
	int first = 0;

	while (!same_series(&rows[first], &rows[i]))
		first++;
	return first;
}

static double abscissa(const struct bench_row *row)
{
	return sqrt((double)row->m * (double)row->n);
}

static void write_name(FILE *out, const char *name)
{
	fputc('\'', out);
	for (; *name; name++) {
		if (*name == '\'')
			fputc('\'', out);
		fputc(*name, out);
	}
	fputc('\'', out);
}

static void write_settings(FILE *out, const char *file, const struct bench_row *rows, int count, const heddle_info *info)
{
	double low = abscissa(&rows[0]), high = low;
	bool square = true;

	for (int i = 0; i < count; i++) {
		square = square && rows[i].m == rows[i].n;
		low = fmin(low, abscissa(&rows[i]));
		high = fmax(high, abscissa(&rows[i]));
	}
	fputs("set terminal svg size 900,600 noenhanced background 'white' font 'sans,14'\nset output ", out);
	write_name(out, file);
	fprintf(out, "\nset title 'heddle bench %s, %d thread%s, BLAS kernels for %s'\n", rows[0].job, info->cpu_workers,
		info->cpu_workers == 1 ? "" : "s", info->blas_kernel);
	fprintf(out, "set xlabel '%s'\nset xrange [%.6g:%.6g]\n", square ? "n" : "square root of m n", low / 1.1, high * 1.1);
	fputs("set ylabel \"share of gemm's rate (%)\"\n"
	      "set logscale x 2\nset yrange [0:*]\nset grid\nset key outside bottom center horizontal\nset xtics (", out);
	for (int i = 0; i < count; i++)
		fprintf(out, "%s%.6g", i ? ", " : "", round(abscissa(&rows[i])));
	fputs(")\n", out);
}

static void write_script(FILE *out, const char *file, const struct bench_row *rows, int count, const heddle_info *info)
{
	write_settings(out, file, rows, count, info);
	for (int i = 0; i < count; i++) {
		if (series_first(rows, i) != i)
			continue;
		fprintf(out, "$series%d << END\n", i);
		for (int j = i; j < count; j++)
			if (same_series(&rows[i], &rows[j]))
				fprintf(out, "%.17g %.6g\n", abscissa(&rows[j]), 100 / rows[j].ratio_to_limit);
		fputs("END\n", out);
	}
	fputs("plot ", out);
	for (int i = 0; i < count; i++) {
		if (series_first(rows, i) != i)
			continue;
		fprintf(out, "%s$series%d with linespoints linewidth 2 pointtype 7 dashtype %d title '%s %c", i ? ", " : "", i,
			strcmp(rows[i].contestant, "heddle") == 0 ? 1 : 2, rows[i].contestant, (char)rows[i].type);
		if (rows[i].kd > 0)
			fprintf(out, " kd=%lld", (long long)rows[i].kd);
		if (rows[i].form.side)
			fprintf(out, " side=%c", (char)rows[i].form.side);
		fputc('\'', out);
	}
	fputs("\n", out);
}

/* Have gnuplot make `file`.  Returns 0 or -1. */
static int draw(const char *file, const struct bench_row *rows, int count, const heddle_info *info)
{
	char *argv[] = { "gnuplot", NULL };
	pid_t child;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0)
		return -1;
	int code = gnuplot_start(&child, argv, ends[0], true);
	close(ends[0]);
	FILE *script = code == 0 ? fdopen(ends[1], "w") : NULL;
	if (!script) {
		close(ends[1]);
		if (code == 0)
			gnuplot_finished(child);
		return -1;
	}
	void (*before)(int) = signal(SIGPIPE, SIG_IGN); /* should gnuplot end early, its exit code tells */
	write_script(script, file, rows, count, info);
	fclose(script);
	signal(SIGPIPE, before);
	return gnuplot_finished(child) ? 0 : -1;
}

int plot_rows(const char *file, const struct bench_row *rows, int count, const heddle_info *info)
{
	size_t size = strlen(file) + 32;
	char *part = malloc(size);

	if (!part) {
		complain("%s: no memory", file);
		return -1;
	}
	snprintf(part, size, "%s.%ld.part", file, (long)getpid());
	int code = draw(part, rows, count, info);
	if (code != 0)
		complain("%s: gnuplot failed", file);
	else if ((code = rename(part, file)) != 0)
		complain("%s: %s", file, strerror(errno));
	if (code != 0)
		unlink(part);
	free(part);
	return code;
}
