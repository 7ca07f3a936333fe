/* The commands that read a matrix and compute with it, svdvals, eigvals and trsm: their command lines, and what they share. */
#ifndef HEDDLE_JOB_H
#define HEDDLE_JOB_H

#include <jansson.h>
#include "tools/heddle/arguments.h"
#include "tools/heddle/run.h"
#include "tools/io/io.h"

/* Eigenvalues come in ascending order, singular values largest first. */
enum job_kind { JOB_SVDVALS = 1, JOB_EIGVALS = 2, JOB_TRSM = 4 };

struct job {
	enum job_kind kind;
	const char *doc;      /* of --help, as argp takes it */
	const char *args_doc;
};

/* Which of the values. */
enum take { TAKE_ALL, TAKE_LARGEST, TAKE_SMALLEST, TAKE_INDEX, TAKE_RANGE };

struct job_arguments {
	const char *file;     /* NULL: a random matrix */
	const char *sides;    /* the file of the right-hand sides */
	struct size random;
	const char *spectrum;
	bool positive;        /* eigenvalues of a random matrix */
	double cond;
	uint64_t seed;
	heddle_type type;     /* 0: the file's own */
	bool symmetrize;
	heddle_uplo uplo;     /* of eigvals */
	struct form_options form; /* of trsm, as are: */
	double alpha[2];
	const char *format;   /* NULL: as the output's name says */
	enum take take;
	int64_t first, last;  /* TAKE_LARGEST and TAKE_SMALLEST: last is how many; TAKE_INDEX: counted from 1 in the order of output */
	double low, high;     /* TAKE_RANGE: (low, high] */
	heddle_options options;
	heddle_config config;
	bool check, stats, json;
	const char *output;   /* NULL: standard output */
};

/* Does not return if the command line is wrong. */
void job_parse(const struct job *job, int argc, char **argv, struct job_arguments *arguments);

/* What came out besides the numbers asked for. */
struct job_result {
	const struct kind *kind;
	int64_t m, n;
	struct run run;
	int threads;
	double gemm;         /* GFLOP/s; 0: not measured */
	double error, bound; /* in the units of the job; bound 0: not checked */
};

/* Add the result to the object, and print that on standard output.  Returns 0, or -1 having complained. */
int job_report_json(const struct job_result *result, json_t *object);

enum { ABOUT_SIZE = 300 }; /* bytes of what messages call a matrix */

/* Complains now of an output (NULL: standard output) that could not be written after a long computation. */
int output_possible(const char *file);

/* Read FILE, and put into about[ABOUT_SIZE] what to call it.  Returns 0, or -1 having complained. */
int input_read(const char *file, heddle_type type, char *about, struct dense *dense);

/* Start Heddle, have `work` compute with `data` while Ctrl-C is caught, and stop Heddle.  *threads receives the CPU workers.  work
 * returns a code of Heddle; `about` names the matrix at fault, or NULL.  Returns an exit code, having complained where it is not 0. */
int job_compute(const heddle_config *config, const char *about, int *threads, int (*work)(void *), void *data);

#endif
