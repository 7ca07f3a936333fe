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
#define DEVICE(name) cuda##name
#define destroy_handle(h) cublasDestroy(h)
#define set_stream(h, s) cublasSetStream(h, s)
#define create_handle(h) cublasCreate(h)
#endif

enum { DEVICES = 64 };
struct handles {
	blas_handle of[DEVICES];
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

blas_handle blas_handle_for(native_stream stream)
{
	struct handles *handles = of_this_thread();
	int device = -1, status = -1;

	if (handles && DEVICE(GetDevice)(&device) == 0 && device >= 0 && device < DEVICES) {
		status = handles->of[device] ? 0 : (int)create_handle(&handles->of[device]);
		if (status == 0)
			status = (int)set_stream(handles->of[device], stream);
		else
			handles->of[device] = NULL;
	}
	blas_done(status);
	return status == 0 ? handles->of[device] : NULL;
}

/* There is no call to set the last error; one that asks for what is not there does. */
void blas_done(int status)
{
	if (status != 0)
		(void)DEVICE(SetDevice)(-1);
}
