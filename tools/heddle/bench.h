/* heddle bench: contestants do the same work in turns, and gemm is timed among them. */
#ifndef HEDDLE_BENCH_H
#define HEDDLE_BENCH_H

#include "tools/heddle/arguments.h"
#include "tools/heddle/run.h"

struct bench_job;

/* One piece of work and the data of one instance of it. */
struct bench_case {
	const struct bench_job *job;
	struct problem problem; /* its a: a copy of the input for each run anew, m by n or the band in LAPACK storage */
	int64_t kd;        /* 0: not given, or of no meaning */
	struct form form;  /* of a solve; m is the order of the triangle then, n the right-hand sides */
	int64_t batch;     /* how many solves in one call; 0: one, by the routine for one */
	void *triangle;    /* or triangles */
	double copying;    /* seconds that a copy of the input takes */
	void *input;       /* not changed */
	int64_t count;     /* elements of it */
	heddle_band *band;
	void *d, *e;       /* results: values in d, or a bidiagonal or tridiagonal */
	double norm;       /* of the input, Frobenius */
};

struct bench_job {
	const char *name;
	const char *limit;      /* the formula of flops, for people */
	bool hermitian;
	bool banded, dense;     /* works on or makes a band; starts from a dense matrix */
	bool solves;
	/* Allocate and fill the data.  Return 0, or -1 having complained. */
	int (*open)(struct bench_case *);
	double (*flops)(const struct bench_case *);
	/* Restore the data, then work and take the time.  Return 0, or -1 having complained (not of a Ctrl-C). */
	int (*heddle)(struct bench_case *, double *seconds);
	int (*peer)(struct bench_case *, double *seconds); /* NULL: LAPACK has none */
	const char *peer_name;  /* "lapack" or "openblas" */
	bool peer_sequential;   /* its routine runs on one thread */
	double (*norm)(const struct bench_case *); /* Frobenius norm of the last result, which is that of the input; or, if NULL: */
	double (*error)(const struct bench_case *); /* of the last result, over what it may be */
};

/* The parts of the job trsm. */
int trsm_case_open(struct bench_case *c);
int trsm_case_heddle(struct bench_case *c, double *seconds);
int trsm_case_blas(struct bench_case *c, double *seconds);
double trsm_case_flops(const struct bench_case *c);
double trsm_case_error(const struct bench_case *c);

/* All of them; the last one has no name. */
enum { MOST_JOBS = 16 };
extern const struct bench_job bench_jobs[MOST_JOBS + 1];

/* Allocate and fill the data of a case whose job, problem (but for a), kd and, for trsm, form are set.  Returns 0, or -1 having
 * complained. */
int bench_case_open(struct bench_case *c);
void bench_case_close(struct bench_case *c);

/* Copy the input to where it is overwritten. */
void bench_restore(struct bench_case *c);

/* 0; or -1 having said what is wrong, but for a Ctrl-C. */
int bench_said(const struct bench_case *c, int code);

/* Whether the result of a run is right.  Returns 0, or -1 having complained of the contestant. */
int bench_check(const struct bench_case *c, const char *contestant);

struct bench_arguments {
	const struct bench_job *job;
	struct size *sizes;
	heddle_type *types;
	int64_t *widths;
	int size_count, type_count, width_count; /* width_count 0: Heddle's choice */
	struct form_options form;
	int64_t batch;
	bool peer;
	int repeat;
	heddle_options options;
	heddle_config config;
	bool json;
	const char *plot;
};

/* Does not return if the command line is wrong.  bench_arguments_free frees the lists. */
void bench_parse(int argc, char **argv, struct bench_arguments *arguments);
void bench_arguments_free(struct bench_arguments *arguments);

/* What is known of one contestant's runs of one case. */
struct bench_row {
	const char *job, *contestant;
	heddle_type type;
	int64_t m, n, kd; /* kd 0: none */
	struct form form; /* side 0: no solve */
	int64_t batch;    /* 0: none */
	int threads, runs;
	double seconds_min, seconds_median, gflops, gemm_gflops, limit_seconds, ratio_to_limit;
	double speedup;   /* the peer's seconds_min over ours; 0: none */
};

/* The text report, line by line, and the JSON array.  bench_report_json returns 0 or -1. */
void bench_report_header(const struct bench_arguments *arguments, const heddle_info *info);
void bench_report_row(const struct bench_row *row);
int bench_report_json(const struct bench_row *rows, int count);

/* Whether a plot can be made in FILE; complains if not.  Returns 0 or -1. */
int plot_possible(const char *file);

/* The share of gemm's rate over the size, a line a contestant, as FILE.  Returns 0, or -1 having complained. */
int plot_rows(const char *file, const struct bench_row *rows, int count, const heddle_info *info);

#endif
