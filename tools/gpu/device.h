/* What the benchmark needs of a device: CUDA, HIP, or, in a build for neither, the emulation. */
#ifndef TOOLS_GPU_DEVICE_H
#define TOOLS_GPU_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gpu_stream_s *gpu_stream;

struct device_facts {
	char name[128], kind[16]; /* kind: "CUDA", "HIP" or "emulation" */
	int devices, processors, runtime, driver;
	double memory; /* bytes */
	double clock;  /* Hz, 0: not known */
};

/* Use a device from now on.  Returns false, with *why set, where that cannot be. */
bool device_open(int device, struct device_facts *facts, const char **why);

/* NULL if there is no such memory.  Copies and fills wait until they are done, except device_copy, which goes on the stream. */
void *device_new(size_t bytes);
void device_free(void *p);
void device_to(void *device, const void *host, size_t bytes);
void device_from(void *host, const void *device, size_t bytes);
void device_copy(gpu_stream stream, void *to, const void *from, size_t bytes);

/* The stream the benchmark uses, and the time on it between two marks. */
gpu_stream device_stream(void);
void device_mark(int which);
double device_seconds(void); /* from mark 0 to mark 1; waits for the latter */

/* What has gone wrong since the last call, or NULL.  Waits for all that is under way. */
const char *device_error(void);

#endif
