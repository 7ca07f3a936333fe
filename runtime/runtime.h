/* Starting and stopping; what the process needs while tasks of Heddle are in flight. */
#ifndef RUNTIME_RUNTIME_H
#define RUNTIME_RUNTIME_H

#include <stdbool.h>
#include <heddle/types.h>

/* Around a blocking call: start Heddle unless it runs (it is then stopped when the program ends), and keep it from being stopped
 * until heddle_stop.  Returns 0 or HEDDLE_ERUNTIME, also inside a StarPU task, where a blocking call would wait for itself. */
int runtime_enter(void);

bool runtime_running(void);

/* From the first of these to the last matching runtime_idle, tasks are in flight: workers run, BLAS is single-threaded. */
void runtime_active(void);
void runtime_idle(void);

/* Around bringing data home, which needs running workers only where some have memory of their own. */
void runtime_fetch_begin(void);
void runtime_fetch_end(void);

/* From now on StarPU is not paused while Heddle is idle: the application submits tasks too. */
void runtime_share(void);

/* CPU workers of the running StarPU, at least 1; and whether there is one at all, where there are GPUs. */
int runtime_workers(void);
bool runtime_has_cpus(void);

/* Workers of the running StarPU that have a GPU. */
int runtime_gpus(void);

/* What heddle_get_info reports and the runtime knows. */
void runtime_info(heddle_info *info);

/* The machine (runtime/topology.c). */
void topology_fill(heddle_info *info);

#endif
