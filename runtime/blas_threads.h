/* The BLAS that the process uses, and its threads. */
#ifndef RUNTIME_BLAS_THREADS_H
#define RUNTIME_BLAS_THREADS_H

/* Threads of the BLAS, where it has a call for that; else get returns 1 and set does nothing. */
int blas_threads_get(void);
void blas_threads_set(int count);

/* One thread from now on; and back to the number there was. */
void blas_single_threaded(void);
void blas_restore_threads(void);

/* "unknown" where the BLAS does not tell. */
const char *blas_name(void);
const char *blas_kernel(void);

#endif
