#include "codelets/device/blas_handle.h"

#include <pthread.h>
#include <stdlib.h>

#if defined(HEDDLE_HIP)
#define DEVICE(name) hip##name
#define destroy_handle(h) rocblas_destroy_handle(h)
#define set_stream(h, s) rocblas_set_stream(h, s)

/* Without atomic operations, so that the same product gives the same bits. */
static int create_handle(blas_handle *h)
{
	int status = rocblas_create_handle(h);

	return status == 0 ? (int)rocblas_set_atomics_mode(*h, rocblas_atomics_not_allowed) : status;
}
#else
#include <dlfcn.h>
#include <string.h>
#define DEVICE(name) cuda##name
#define STRING_(x) #x
#define STRING(x) STRING_(x)

/* Names of functions are those that the header's macros stand for.  A library that takes the place of cuBLAS for others' sake has no
 * products. */
static const char *const libraries[] = { "libcublas.so." STRING(CUBLAS_VER_MAJOR), "libcublas.so.13", "libcublas.so.12" };
static pthread_once_t looked = PTHREAD_ONCE_INIT;
static void *library;
static __typeof__(&cublasCreate) create;
static __typeof__(&cublasDestroy) destroy_handle;
static __typeof__(&cublasSetStream) set_stream;

static void look_up(void)
{
	for (size_t i = 0; i < sizeof(libraries) / sizeof(libraries[0]) && !library; i++) {
		void *l = dlopen(libraries[i], RTLD_NOW | RTLD_LOCAL);
		if (l && dlsym(l, STRING(cublasDgemm)))
			library = l;
	}
	if (library) { /* dlsym gives a pointer to an object; that to a function has the same bits */
		void *found[] = { dlsym(library, STRING(cublasCreate)), dlsym(library, STRING(cublasDestroy)),
				  dlsym(library, STRING(cublasSetStream)) };
		memcpy(&create, &found[0], sizeof(create));
		memcpy(&destroy_handle, &found[1], sizeof(destroy_handle));
		memcpy(&set_stream, &found[2], sizeof(set_stream));
	}
}

void *blas_function(const char *name)
{
	(void)pthread_once(&looked, look_up);
	return library ? dlsym(library, name) : NULL;
}

static int create_handle(blas_handle *h)
{
	(void)pthread_once(&looked, look_up);
	return create && destroy_handle && set_stream ? (int)create(h) : -1;
}
#endif

enum { DEVICES = 64 };
struct handles {
	blas_handle of[DEVICES];
	int failed[DEVICES]; /* and is not tried again */
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int key_failed;

/* At the end of a thread. */
static void destroy(void *p)
{
	struct handles *handles = p;
	int before = 0;

	(void)DEVICE(GetDevice)(&before);
	for (int d = 0; d < DEVICES; d++)
		if (handles->of[d] && DEVICE(SetDevice)(d) == 0)
			(void)destroy_handle(handles->of[d]);
	(void)DEVICE(SetDevice)(before);
	free(handles);
}

static void make_key(void)
{
	key_failed = pthread_key_create(&key, destroy);
}

static struct handles *of_this_thread(void)
{
	(void)pthread_once(&once, make_key);
	if (key_failed)
		return NULL;
	struct handles *handles = pthread_getspecific(key);
	if (!handles) {
		handles = calloc(1, sizeof(*handles));
		if (handles && pthread_setspecific(key, handles) != 0) {
			free(handles);
			handles = NULL;
		}
	}
	return handles;
}

/* For this thread and its device; NULL, and *status, if there is none. */
static blas_handle here(int *status)
{
	struct handles *handles = of_this_thread();
	int device = -1;

	*status = -1;
	if (!handles || DEVICE(GetDevice)(&device) != 0 || device < 0 || device >= DEVICES)
		return NULL;
	*status = handles->of[device] ? 0 : handles->failed[device];
	if (!handles->of[device] && *status == 0) {
		*status = create_handle(&handles->of[device]);
		handles->failed[device] = *status;
		if (*status != 0)
			handles->of[device] = NULL;
	}
	return handles->of[device];
}

int blas_handle_there(void)
{
	int status;

	return here(&status) != NULL;
}

blas_handle blas_handle_for(native_stream stream)
{
	int status;
	blas_handle handle = here(&status);

	if (handle)
		status = (int)set_stream(handle, stream);
#if !defined(HEDDLE_HIP)
	else
		status = 0; /* our own product does without */
#endif
	blas_done(status);
	return status == 0 ? handle : NULL;
}

/* There is no call to set the last error; one that asks for what is not there does. */
void blas_done(int status)
{
	if (status != 0)
		(void)DEVICE(SetDevice)(-1);
}
