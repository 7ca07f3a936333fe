/* Heddle lives with an application that runs StarPU itself: it starts StarPU only if nobody has, and stops only what it
 * started.  A StarPU of its own is paused while nothing is in flight, so that an idle Heddle burns no CPU time. */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <starpu.h>
#include "runtime/error.h"
#include "runtime/runtime.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int starts;          /* heddle_start calls not yet stopped */
static bool started_starpu; /* by us */
static bool automatic;      /* one of the starts is runtime_ensure's */
static int active;          /* pieces of work in flight */
static bool may_pause;      /* nobody else submits to the StarPU we started */
static bool paused;

/* These are called with the lock held. */
static void set_paused(bool pause)
{
	if (pause && !paused)
		starpu_pause();
	else if (!pause && paused)
		starpu_resume();
	paused = pause;
}

static bool scheduler_exists(const char *name)
{
	for (struct starpu_sched_policy **p = starpu_sched_get_predefined_policies(); *p; p++)
		if (strcmp((*p)->policy_name, name) == 0)
			return true;
	return false;
}

static int start_starpu(const heddle_config *config)
{
	struct starpu_conf conf;

	if (starpu_is_initialized())
		return HEDDLE_OK;
	if (config && config->scheduler && !scheduler_exists(config->scheduler))
		return error_set(HEDDLE_ERUNTIME, "heddle_start: StarPU has no scheduler \"%s\"", config->scheduler);
	setenv("STARPU_SILENT", "1", 0); /* a library prints nothing unless asked to */
	starpu_conf_init(&conf);
	conf.catch_signals = 0; /* they are the application's */
	if (config && config->workers > 0) {
		conf.precedence_over_environment_variables = 1;
		conf.ncpus = config->workers;
	}
	if (config && config->scheduler)
		conf.sched_policy_name = config->scheduler;
	else if (!getenv("STARPU_SCHED"))
		conf.sched_policy_name = "lws";
	if (starpu_init(&conf) != 0)
		return error_set(HEDDLE_ERUNTIME, "heddle_start: StarPU could not be started (no worker)");
	started_starpu = true;
	may_pause = !(config && config->own_tasks);
	set_paused(may_pause);
	return HEDDLE_OK;
}

static int start(const heddle_config *config)
{
	int code = HEDDLE_OK;

	if (starts == 0)
		code = start_starpu(config);
	if (code == HEDDLE_OK)
		starts++;
	return code;
}

int heddle_start(const heddle_config *config)
{
	pthread_mutex_lock(&lock);
	int code = start(config);
	pthread_mutex_unlock(&lock);
	return code;
}

void heddle_stop(void)
{
	pthread_mutex_lock(&lock);
	if (starts > 0 && --starts == 0 && started_starpu) {
		set_paused(false);
		starpu_shutdown();
		started_starpu = false;
	}
	pthread_mutex_unlock(&lock);
}

static void stop_at_exit(void)
{
	pthread_mutex_lock(&lock);
	bool ours = automatic;
	automatic = false;
	pthread_mutex_unlock(&lock);
	if (ours)
		heddle_stop();
}

int runtime_ensure(void)
{
	static bool registered;
	int code = HEDDLE_OK;

	pthread_mutex_lock(&lock);
	if (starts == 0 || !starpu_is_initialized()) {
		starts = 0; /* the application may have stopped the StarPU we lived on */
		automatic = false;
		code = start(NULL);
		if (code == HEDDLE_OK) {
			automatic = true;
			if (!registered)
				registered = atexit(stop_at_exit) == 0;
		}
	}
	pthread_mutex_unlock(&lock);
	return code;
}

bool runtime_running(void)
{
	return starts > 0 && starpu_is_initialized();
}

void runtime_active(void)
{
	pthread_mutex_lock(&lock);
	if (active++ == 0) {
		blas_single_threaded();
		set_paused(false);
	}
	pthread_mutex_unlock(&lock);
}

void runtime_idle(void)
{
	pthread_mutex_lock(&lock);
	if (--active == 0) {
		set_paused(started_starpu && may_pause);
		blas_restore_threads();
	}
	pthread_mutex_unlock(&lock);
}

void runtime_fetch_begin(void)
{
	if (starpu_memory_nodes_get_count() > 1)
		runtime_active();
}

void runtime_fetch_end(void)
{
	if (starpu_memory_nodes_get_count() > 1)
		runtime_idle();
}

void runtime_share(void)
{
	pthread_mutex_lock(&lock);
	may_pause = false;
	set_paused(false);
	pthread_mutex_unlock(&lock);
}

int runtime_workers(void)
{
	int count = (int)starpu_cpu_worker_get_count();

	return count > 0 ? count : 1;
}

void runtime_info(heddle_info *info)
{
	static char version[32];
	int numbers[3];

	topology_fill(info);
	info->cpu_workers = (int)starpu_cpu_worker_get_count();
	info->gpu_workers = (int)(starpu_cuda_worker_get_count() + starpu_hip_worker_get_count());
	info->scheduler = starpu_sched_get_sched_policy()->policy_name;
	starpu_get_version(&numbers[0], &numbers[1], &numbers[2]);
	snprintf(version, sizeof(version), "%d.%d.%d", numbers[0], numbers[1], numbers[2]);
	info->starpu = version;
	info->starpu_started_here = started_starpu;
	info->blas = blas_name();
	info->blas_kernel = blas_kernel();
}
