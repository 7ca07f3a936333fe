/* heddle svdvals and heddle eigvals: what differs, what the command line says, and what came out. */
#ifndef HEDDLE_VALUES_H
#define HEDDLE_VALUES_H

#include "tools/heddle/arguments.h"
#include "tools/heddle/run.h"

/* The two commands.  Eigenvalues come in ascending order, singular values largest first. */
struct values_job {
	bool hermitian;
	const char *doc;      /* of --help, as argp takes it */
	const char *args_doc;
};

/* Which of the values. */
enum take { TAKE_ALL, TAKE_LARGEST, TAKE_SMALLEST, TAKE_INDEX, TAKE_RANGE };

struct values_arguments {
	const char *file; /* NULL: a random matrix */
	struct size random;
	const char *spectrum;
	bool positive;    /* eigenvalues of a random matrix */
	double cond;
	uint64_t seed;
	heddle_type type; /* 0: the file's own */
	bool symmetrize;
	heddle_uplo uplo;
	enum take take;
	int64_t first, last; /* TAKE_LARGEST and TAKE_SMALLEST: last is how many; TAKE_INDEX: counted from 1 in the order of output */
	double low, high;    /* TAKE_RANGE: (low, high] */
	heddle_options options;
	heddle_config config;
	bool check, stats, json;
	const char *output;  /* NULL: standard output */
};

/* Does not return if the command line is wrong. */
void values_parse(const struct values_job *job, int argc, char **argv, struct values_arguments *arguments);

struct values_result {
	const struct kind *kind;
	int64_t m, n, found;
	void *values;
	struct run run;
	int threads;
	double gemm;         /* GFLOP/s; 0: not measured */
	double error, bound; /* units of eps * norm; bound 0: not checked */
};

/* The lines of --stats, on standard error. */
void values_report_stats(const struct values_result *result);

/* The object of --json, on standard output.  Returns 0 or -1 (no memory). */
int values_report_json(const struct values_result *result);

/* The whole command.  Returns an exit code. */
int values_command(const struct values_job *job, int argc, char **argv);

#endif
