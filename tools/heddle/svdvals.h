/* heddle svdvals: what its command line says, and what came out. */
#ifndef HEDDLE_SVDVALS_H
#define HEDDLE_SVDVALS_H

#include <stdbool.h>
#include "tools/heddle/arguments.h"
#include "tools/heddle/run.h"

struct svdvals_arguments {
	const char *file; /* NULL: a random matrix */
	struct size random;
	const char *spectrum;
	double cond;
	uint64_t seed;
	heddle_type type; /* 0: the file's own */
	heddle_select select;
	heddle_options options;
	heddle_config config;
	bool check, stats, json;
	const char *output; /* NULL: standard output */
};

/* Does not return if the command line is wrong. */
void svdvals_parse(int argc, char **argv, struct svdvals_arguments *arguments);

struct svdvals_result {
	const struct kind *kind;
	int64_t m, n, found;
	void *values;
	struct run run;
	int threads;
	double gemm;         /* GFLOP/s; 0: not measured */
	double error, bound; /* units of eps * norm; bound 0: not checked */
};

/* The lines of --stats, on standard error. */
void svdvals_report_stats(const struct svdvals_result *result);

/* The object of --json, on standard output.  Returns 0 or -1 (no memory). */
int svdvals_report_json(const struct svdvals_result *result);

#endif
