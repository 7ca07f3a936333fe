#include "tools/gpu/vendor.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* The values that cuBLAS and cuSOLVER give these, in all their versions. */
enum { SIDE_LEFT = 0, SIDE_RIGHT = 1, LOWER = 0, UPPER = 1, OP_N = 0, OP_T = 1, OP_C = 2, NON_UNIT = 0, UNIT = 1, NO_VECTORS = 0 };
static const char letters[] = "sdcz";
static const int data_types[] = { 0, 1, 4, 5 }; /* of cudaDataType: real and complex, single and double */

typedef int (*create_function)(void **handle);
typedef int (*stream_function)(void *handle, gpu_stream stream);
typedef int (*batch_function)(void *handle, int side, int uplo, int trans, int diag, int m, int n, const void *alpha, void *const *a, int lda,
			      void *const *b, int ldb, int count);
typedef int (*gesvd_space)(void *handle, void *params, signed char u, signed char v, int64_t m, int64_t n, int type_a, const void *a, int64_t lda,
			   int type_s, const void *s, int type_u, const void *vectors, int64_t ldu, int type_v, const void *right, int64_t ldv,
			   int compute, size_t *device, size_t *host);
typedef int (*gesvd_function)(void *handle, void *params, signed char u, signed char v, int64_t m, int64_t n, int type_a, void *a, int64_t lda,
			      int type_s, void *s, int type_u, void *vectors, int64_t ldu, int type_v, void *right, int64_t ldv, int compute,
			      void *device, size_t device_bytes, void *host, size_t host_bytes, int *info);
typedef int (*gesvdp_space)(void *handle, void *params, int vectors_wanted, int thin, int64_t m, int64_t n, int type_a, const void *a, int64_t lda,
			    int type_s, const void *s, int type_u, const void *vectors, int64_t ldu, int type_v, const void *right, int64_t ldv,
			    int compute, size_t *device, size_t *host);
typedef int (*gesvdp_function)(void *handle, void *params, int vectors_wanted, int thin, int64_t m, int64_t n, int type_a, void *a, int64_t lda,
			       int type_s, void *s, int type_u, void *vectors, int64_t ldu, int type_v, void *right, int64_t ldv, int compute,
			       void *device, size_t device_bytes, void *host, size_t host_bytes, int *info, double *sigma);
typedef int (*syevd_space)(void *handle, void *params, int vectors_wanted, int uplo, int64_t n, int type_a, const void *a, int64_t lda, int type_w,
			   const void *w, int compute, size_t *device, size_t *host);
typedef int (*syevd_function)(void *handle, void *params, int vectors_wanted, int uplo, int64_t n, int type_a, void *a, int64_t lda, int type_w,
			      void *w, int compute, void *device, size_t device_bytes, void *host, size_t host_bytes, int *info);

static bool forbidden;

void vendor_forbid(void)
{
	forbidden = true;
}

/* The first library of these names that has the function. */
static void *library(const char *const *names, const char *function)
{
	for (int i = 0; names[i] && !forbidden; i++) {
		void *l = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
		if (l && dlsym(l, function))
			return l;
	}
	return NULL;
}

static void *blas(void)
{
	static const char *const names[] = { "libcublas.so.13", "libcublas.so.12", NULL };
	static void *found;

	if (!found)
		found = library(names, "cublasDtrsmBatched");
	return found;
}

static void *solver(void)
{
	static const char *const names[] = { "libcusolver.so.12", "libcusolver.so.11", NULL };
	static void *found;

	if (!found)
		found = library(names, "cusolverDnXsyevd");
	return found;
}

/* dlsym gives a pointer to an object; a function is the same bits. */
static void look_up(void *l, const char *name, void *function)
{
	void *symbol = l ? dlsym(l, name) : NULL;

	memcpy(function, &symbol, sizeof(symbol));
}

static batch_function batch_of(char type)
{
	static const char *const names[] = { "cublasStrsmBatched", "cublasDtrsmBatched", "cublasCtrsmBatched", "cublasZtrsmBatched" };
	batch_function f;

	look_up(blas(), names[strchr(letters, type) - letters], &f);
	return f;
}

static void *blas_handle(void)
{
	static void *handle;
	create_function create;

	look_up(blas(), "cublasCreate_v2", &create);
	if (!handle && create && create(&handle) != 0)
		handle = NULL;
	return handle;
}

bool vendor_has_batch(char type)
{
	return batch_of(type) && blas_handle();
}

void vendor_trsm_batch(char type, gpu_stream stream, struct solve_kind kind, int m, int n, void **a, int lda, void **b, int ldb, int count)
{
	static const double one_double[2] = { 1, 0 };
	static const float one_single[2] = { 1, 0 };
	stream_function set_stream;

	look_up(blas(), "cublasSetStream_v2", &set_stream);
	if (set_stream)
		(void)set_stream(blas_handle(), stream);
	(void)batch_of(type)(blas_handle(), kind.side == HEDDLE_LEFT ? SIDE_LEFT : SIDE_RIGHT, kind.uplo == HEDDLE_LOWER ? LOWER : UPPER,
			     kind.trans == HEDDLE_NO_TRANS ? OP_N : kind.trans == HEDDLE_TRANS ? OP_T : OP_C,
			     kind.diag == HEDDLE_UNIT ? UNIT : NON_UNIT, m, n,
			     type == 'd' || type == 'z' ? (const void *)one_double : (const void *)one_single, a, lda, b, ldb, count);
}

static const struct routine {
	const char *name, *space, *run;
} routines[VENDOR_ROUTINES] = {
	{ "cuSOLVER gesvd", "cusolverDnXgesvd_bufferSize", "cusolverDnXgesvd" },
	{ "cuSOLVER gesvdp", "cusolverDnXgesvdp_bufferSize", "cusolverDnXgesvdp" },
	{ "cuSOLVER syevd", "cusolverDnXsyevd_bufferSize", "cusolverDnXsyevd" },
};

const char *vendor_name(enum vendor_routine routine)
{
	return routines[routine].name;
}

bool vendor_has(enum vendor_routine routine)
{
	return solver() && dlsym(solver(), routines[routine].space) && dlsym(solver(), routines[routine].run);
}

struct vendor_job {
	enum vendor_routine routine;
	int64_t n;
	int type, real_type, *info; /* info: on the device */
	void *a, *values, *handle, *params, *device, *host;
	size_t device_bytes, host_bytes;
};

static bool open_solver(struct vendor_job *j, gpu_stream stream)
{
	create_function create, create_params;
	stream_function set_stream;

	look_up(solver(), "cusolverDnCreate", &create);
	look_up(solver(), "cusolverDnCreateParams", &create_params);
	look_up(solver(), "cusolverDnSetStream", &set_stream);
	return create && create_params && set_stream && create(&j->handle) == 0 && create_params(&j->params) == 0 &&
	       set_stream(j->handle, stream) == 0;
}

static void close_solver(struct vendor_job *j)
{
	int (*destroy)(void *), (*destroy_params)(void *);

	look_up(solver(), "cusolverDnDestroy", &destroy);
	look_up(solver(), "cusolverDnDestroyParams", &destroy_params);
	if (destroy_params && j->params)
		(void)destroy_params(j->params);
	if (destroy && j->handle)
		(void)destroy(j->handle);
}

static bool ask_space(struct vendor_job *j)
{
	int64_t n = j->n;
	int t = j->type, r = j->real_type;
	gesvd_space gesvd;
	gesvdp_space gesvdp;
	syevd_space syevd;

	switch (j->routine) {
	case VENDOR_GESVD:
		look_up(solver(), routines[j->routine].space, &gesvd);
		return gesvd(j->handle, j->params, 'N', 'N', n, n, t, j->a, n, r, j->values, t, NULL, n, t, NULL, n, t, &j->device_bytes,
			     &j->host_bytes) == 0;
	case VENDOR_GESVDP:
		look_up(solver(), routines[j->routine].space, &gesvdp);
		return gesvdp(j->handle, j->params, NO_VECTORS, 0, n, n, t, j->a, n, r, j->values, t, NULL, n, t, NULL, n, t, &j->device_bytes,
			      &j->host_bytes) == 0;
	default:
		look_up(solver(), routines[j->routine].space, &syevd);
		return syevd(j->handle, j->params, NO_VECTORS, LOWER, n, t, j->a, n, r, j->values, t, &j->device_bytes, &j->host_bytes) == 0;
	}
}

struct vendor_job *vendor_begin(enum vendor_routine routine, char type, gpu_stream stream, int64_t n, void *a, void *values)
{
	struct vendor_job *j = calloc(1, sizeof(*j));

	if (!j)
		return NULL;
	*j = (struct vendor_job){ .routine = routine, .n = n, .a = a, .values = values, .type = data_types[strchr(letters, type) - letters],
				  .real_type = type == 'd' || type == 'z' };
	if (open_solver(j, stream) && ask_space(j)) {
		j->info = device_new(sizeof(int));
		j->device = device_new(j->device_bytes);
		j->host = malloc(j->host_bytes + 1);
		if (j->info && j->device && j->host)
			return j;
	}
	(void)vendor_end(j);
	return NULL;
}

bool vendor_run(struct vendor_job *j)
{
	int64_t n = j->n;
	int t = j->type, r = j->real_type;
	double sigma;
	gesvd_function gesvd;
	gesvdp_function gesvdp;
	syevd_function syevd;

	switch (j->routine) {
	case VENDOR_GESVD:
		look_up(solver(), routines[j->routine].run, &gesvd);
		return gesvd(j->handle, j->params, 'N', 'N', n, n, t, j->a, n, r, j->values, t, NULL, n, t, NULL, n, t, j->device,
			     j->device_bytes, j->host, j->host_bytes, j->info) == 0;
	case VENDOR_GESVDP:
		look_up(solver(), routines[j->routine].run, &gesvdp);
		return gesvdp(j->handle, j->params, NO_VECTORS, 0, n, n, t, j->a, n, r, j->values, t, NULL, n, t, NULL, n, t, j->device,
			      j->device_bytes, j->host, j->host_bytes, j->info, &sigma) == 0;
	default:
		look_up(solver(), routines[j->routine].run, &syevd);
		return syevd(j->handle, j->params, NO_VECTORS, LOWER, n, t, j->a, n, r, j->values, t, j->device, j->device_bytes, j->host,
			     j->host_bytes, j->info) == 0;
	}
}

int vendor_end(struct vendor_job *j)
{
	int info = -1;

	if (j->info)
		device_from(&info, j->info, sizeof(info));
	close_solver(j);
	device_free(j->info);
	device_free(j->device);
	free(j->host);
	free(j);
	return info;
}
