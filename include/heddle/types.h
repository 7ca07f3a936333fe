/* Errors, element types, options, and starting and stopping Heddle. */
#ifndef HEDDLE_TYPES_H
#define HEDDLE_TYPES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HEDDLE_VERSION "0.1.0"

#if defined(__GNUC__)
#define HEDDLE_API __attribute__((visibility("default")))
#else
#define HEDDLE_API
#endif

/* Complex elements are pairs of reals, real part first, in C and in C++. */
#ifdef __cplusplus
} /* extern "C" */
#include <complex>
typedef std::complex<float> heddle_complex_float;
typedef std::complex<double> heddle_complex_double;
extern "C" {
#else
#include <complex.h>
typedef float _Complex heddle_complex_float;
typedef double _Complex heddle_complex_double;
#endif

/* What functions return: 0; -i where argument i is illegal (nothing is touched); or one of these, for what the run met. */
enum {
	HEDDLE_OK = 0,
	HEDDLE_EINPUT = 1,     /* the input holds a NaN or an infinity */
	HEDDLE_ENOMEM = 2,     /* no memory */
	HEDDLE_ENOWORKER = 3,  /* no worker can run one of the tasks */
	HEDDLE_ERUNTIME = 4,   /* Heddle is not running, or StarPU could not be started or refused a task */
	HEDDLE_ECANCELLED = 5, /* heddle_sequence_cancel was called */
	HEDDLE_ENOCONV = 6     /* LAPACK's iteration did not converge */
};

/* The meaning of a return value of any Heddle function, as a constant English sentence. */
HEDDLE_API const char *heddle_strerror(int code);

/* The last failure of a Heddle function in the calling thread, in full: which function, which argument, what it was and
 * what was expected.  "" before the first one.  Valid until the next call of this thread. */
HEDDLE_API const char *heddle_error_message(void);

/* Element types, named as LAPACK does. */
typedef enum { HEDDLE_S = 's', HEDDLE_D = 'd', HEDDLE_C = 'c', HEDDLE_Z = 'z' } heddle_type;

/* The triangle of a symmetric, Hermitian or triangular matrix that is stored. */
typedef enum { HEDDLE_UPPER = 'U', HEDDLE_LOWER = 'L' } heddle_uplo;

/* The sides, operations and diagonals of triangular solves and products, with the values of the BLAS's letters. */
typedef enum { HEDDLE_LEFT = 'L', HEDDLE_RIGHT = 'R' } heddle_side;
typedef enum { HEDDLE_NO_TRANS = 'N', HEDDLE_TRANS = 'T', HEDDLE_CONJ_TRANS = 'C' } heddle_trans;
typedef enum { HEDDLE_NON_UNIT = 'N', HEDDLE_UNIT = 'U' } heddle_diag;

/* Which values are wanted: all (also where the pointer is NULL); those with index il..iu, 1 the first that would be
 * returned; or those in the half-open interval (vl, vu]. */
typedef enum { HEDDLE_ALL = 0, HEDDLE_INDEX = 1, HEDDLE_VALUE = 2 } heddle_select_kind;
typedef struct {
	heddle_select_kind kind;
	int64_t il, iu;
	double vl, vu;
} heddle_select;

/* Choices that change speed, not results beyond rounding.  0 (or a NULL pointer) leaves a choice to Heddle. */
typedef struct {
	int64_t band;   /* band width between the two reductions, 1 .. */
	int64_t tile;   /* of matrices, for heddle_matrix_create; matrices that exist keep theirs */
	int64_t leaf;   /* rows a leaf of a panel factorization has at least */
	int64_t group;  /* sweeps a task of the chase */
	int64_t steps;  /* steps of each sweep a task of the chase */
	int inverse;    /* of diagonal blocks in triangular solves: 1 never inverted, 2 inverted once and applied as products wherever the
	                 * estimated condition of a block says that this loses no digits */
	int priority;   /* added to the StarPU priority of every task */
	enum { HEDDLE_ROUTE_AUTO = 0, HEDDLE_ROUTE_GRAPH, HEDDLE_ROUTE_LAPACK } route; /* task graph, or LAPACK (eigenvalues: for the tridiagonal) */
} heddle_options;

/* What heddle_start is to start StarPU with, where it has to.  0 and NULL: as the machine and STARPU_* variables say. */
typedef struct {
	int workers;           /* CPU workers */
	const char *scheduler; /* StarPU scheduling policy */
	int own_tasks;         /* 1: the program submits tasks of its own too.  Otherwise a StarPU that Heddle started is paused
	                        * while nothing of Heddle's is in flight, so that idle workers burn no time. */
} heddle_config;

/* Start Heddle.  Starts StarPU if the application has not, and then heddle_stop stops it.  Calls nest: each needs its
 * heddle_stop; config counts in the first (own_tasks in any).  Blocking calls that need tasks start Heddle by themselves; matrices and sequences
 * need it started.  An application that calls starpu_init itself does so before the first call of Heddle.  A forked child can not go
 * on using a Heddle that its parent started.  Thread-safe.  Returns 0 or HEDDLE_ERUNTIME. */
HEDDLE_API int heddle_start(const heddle_config *config);

/* End what one heddle_start began; the last one waits for Heddle's tasks and stops StarPU if Heddle started it. */
HEDDLE_API void heddle_stop(void);

/* What runs, for people: filled from the running Heddle.  Strings live until heddle_stop.  Returns 0 or HEDDLE_ERUNTIME. */
typedef struct {
	int cpu_workers, gpu_workers;
	int cores;                     /* physical cores of the machine this process may use */
	int64_t l1, l2, l3;            /* bytes of data cache seen by one core */
	int64_t memory;                /* bytes of main memory */
	const char *scheduler;
	const char *starpu;            /* version */
	int starpu_started_here;       /* 1 if heddle_start started it */
	const char *blas;              /* library and, where it tells, version */
	const char *blas_kernel;       /* processor its kernels are for */
	const char *kernels;           /* instruction set Heddle's own kernels were picked for */
	const char *tuning;            /* where its choices are from: "built in" or the path of a table */
	const char *tuning_error;      /* what is wrong with a table that was refused, or NULL; the choices are then built in */
} heddle_info;
HEDDLE_API int heddle_get_info(heddle_info *info);

/* The choices Heddle makes for the singular values of an m by n matrix: band, tile and route are filled in where they are 0; with
 * the band also group and steps, if the table in force has any (otherwise the run finds them).
 *
 * The table is built in, or read from a file that `heddle tune` makes: once, by the first heddle_start or look-up of a process, from the
 * file that HEDDLE_TUNING names ("": none), else from $XDG_CONFIG_HOME/heddle/tuning (by default ~/.config/heddle/tuning) if it is there.
 * A file that is not as it should be counts for nothing: heddle_get_info says what is wrong with it. */
HEDDLE_API void heddle_svd_options(heddle_type type, int64_t m, int64_t n, heddle_options *options);

/* The same for the eigenvalues of a symmetric or Hermitian matrix of order n. */
HEDDLE_API void heddle_eig_options(heddle_type type, int64_t n, heddle_options *options);

/* The same for a triangular solve with a triangle of order k and `many` right-hand sides: tile (of the triangle), inverse and route, where
 * HEDDLE_ROUTE_LAPACK is a single call without tasks. */
HEDDLE_API void heddle_trsm_options(heddle_type type, int64_t k, int64_t many, heddle_options *options);

#ifdef __cplusplus
}
#endif
#endif
