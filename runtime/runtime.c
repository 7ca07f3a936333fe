/* Heddle lives with an application that runs StarPU itself: it starts StarPU only if nobody has, and stops only what it
 * started.  A StarPU of its own is paused while nothing is in flight, so that an idle Heddle burns no CPU time. */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <starpu.h>
#include "runtime/blas_threads.h"
#include "runtime/error.h"
#include "runtime/gpu.h"
#include "runtime/runtime.h"
#include "runtime/tuning.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t idle = PTHREAD_COND_INITIALIZER;
static int starts;          /* heddle_start calls not yet stopped, and blocking calls under way */
static pid_t process;       /* that StarPU's threads belong to: a forked child has none */
static bool started_starpu; /* by us */
static bool automatic;      /* one of the starts is runtime_enter's, until the program ends */
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

/* StarPU's tests have a scheduler that runs nothing until they tell it to. */
static bool runs_tasks(const char *scheduler)
{
	return strcmp(scheduler, "graph_test") != 0;
}

static struct starpu_sched_policy *find_scheduler(const char *name)
{
	for (struct starpu_sched_policy **p = starpu_sched_get_predefined_policies(); *p; p++)
		if (strcmp((*p)->policy_name, name) == 0 && runs_tasks(name))
			return *p;
	return NULL;
}

/* The modular ones, most of which are called as others with "modular-" in front, would make the list three times as long. */
static int no_scheduler(const char *name)
{
	char list[256] = "";

	for (struct starpu_sched_policy **p = starpu_sched_get_predefined_policies(); *p; p++) {
		const char *other = (*p)->policy_name;
		if (strncmp(other, "modular-", 8) != 0 && runs_tasks(other) && strlen(list) + strlen(other) + 3 < sizeof(list))
			strcat(strcat(list, other), ", ");
	}
	return error_set(HEDDLE_ERUNTIME, "heddle_start: StarPU has no scheduler \"%.64s\" that runs tasks; expected one of %sor a modular-* one",
			 name, list);
}

static int start_starpu(const heddle_config *config)
{
	struct starpu_conf conf;

	if (starpu_is_initialized())
		return HEDDLE_OK;
	const char *wanted = config ? config->scheduler : NULL, *environment = getenv("STARPU_SCHED");
	struct starpu_sched_policy *scheduler = wanted ? find_scheduler(wanted) : NULL;
	if (wanted ? !scheduler : environment && !runs_tasks(environment))
		return no_scheduler(wanted ? wanted : environment);
	gpu_forget(); /* what an earlier StarPU had */
	setenv("STARPU_SILENT", "1", 0); /* a library prints nothing unless asked to */
	starpu_conf_init(&conf);
	conf.catch_signals = 0; /* they are the application's */
	if (config && config->workers > 0) {
		conf.precedence_over_environment_variables = 1;
		conf.ncpus = config->workers;
	}
	if (scheduler)
		conf.sched_policy = scheduler; /* the name would give way to STARPU_SCHED */
	else if (!environment) /* one that looks at how fast each kind of worker is, where there is more than one */
		conf.sched_policy_name = gpu_devices() > 0 ? "dmdas" : "lws";
	if (starpu_init(&conf) != 0)
		return error_set(HEDDLE_ERUNTIME, "heddle_start: StarPU could not be started (no worker)");
	started_starpu = true;
	may_pause = !(config && config->own_tasks);
	return HEDDLE_OK;
}

static int start(const heddle_config *config)
{
	int code = HEDDLE_OK;

	if (starts > 0 && !starpu_is_initialized()) { /* the application has stopped the StarPU we lived on */
		starts = 0;
		automatic = started_starpu = paused = false;
		gpu_forget();
	}
	if (starts > 0 && process != getpid())
		return error_set(HEDDLE_ERUNTIME, "Heddle was started before this process was forked, and StarPU does not follow a fork");
	if (starts == 0) {
		process = getpid();
		code = start_starpu(config);
		if (code == HEDDLE_OK)
			gpu_start();
		set_paused(code == HEDDLE_OK && started_starpu && may_pause);
	} else if (config && config->own_tasks) {
		may_pause = false;
		set_paused(false);
	}
	if (code == HEDDLE_OK)
		starts++;
	return code;
}

int heddle_start(const heddle_config *config)
{
	tuning_in_force();
	pthread_mutex_lock(&lock);
	int code = start(config);
	pthread_mutex_unlock(&lock);
	return code;
}

/* Waiting gives the lock away, which the last tasks need to say that they are done; somebody may start again meanwhile. */
void heddle_stop(void)
{
	pthread_mutex_lock(&lock);
	if (starts > 0 && process == getpid() && --starts == 0 && started_starpu) {
		while (active > 0)
			pthread_cond_wait(&idle, &lock);
		if (starts == 0 && started_starpu) {
			set_paused(false);
			gpu_stop();
			starpu_shutdown();
			started_starpu = false;
		}
	} else if (starts == 0 && active == 0 && process == getpid() && starpu_is_initialized()) {
		gpu_stop(); /* the application's StarPU goes on without us */
	}
	pthread_mutex_unlock(&lock);
}

static void stop_at_exit(void)
{
	pthread_mutex_lock(&lock);
	bool ours = automatic && starts == 1; /* not while another thread is in a blocking call */
	automatic = false;
	pthread_mutex_unlock(&lock);
	if (ours)
		heddle_stop();
}

int runtime_enter(void)
{
	static bool registered;
	int code = HEDDLE_OK;

	if (starpu_is_initialized() && starpu_worker_get_id() >= 0)
		return error_set(HEDDLE_ERUNTIME, "a blocking call inside a StarPU task would wait for itself");
	pthread_mutex_lock(&lock);
	bool running = starts > 0 && starpu_is_initialized();
	code = start(NULL);
	if (code == HEDDLE_OK && !running) {
		starts++;
		automatic = true;
		if (!registered)
			registered = atexit(stop_at_exit) == 0;
	}
	pthread_mutex_unlock(&lock);
	return code;
}

bool runtime_running(void)
{
	pthread_mutex_lock(&lock);
	bool running = starts > 0 && process == getpid() && starpu_is_initialized();
	pthread_mutex_unlock(&lock);
	return running;
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
		pthread_cond_broadcast(&idle);
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

bool runtime_has_cpus(void)
{
	return starpu_cpu_worker_get_count() > 0;
}

int runtime_gpus(void)
{
	return starpu_is_initialized() ? (int)(starpu_cuda_worker_get_count() + starpu_hip_worker_get_count()) : 0;
}

void runtime_info(heddle_info *info)
{
	static char version[32];
	int numbers[3];

	topology_fill(info);
	info->cpu_workers = (int)starpu_cpu_worker_get_count();
	info->gpu_workers = runtime_gpus();
	info->scheduler = starpu_sched_get_sched_policy()->policy_name;
	starpu_get_version(&numbers[0], &numbers[1], &numbers[2]);
	snprintf(version, sizeof(version), "%d.%d.%d", numbers[0], numbers[1], numbers[2]);
	info->starpu = version;
	info->starpu_started_here = started_starpu;
	info->blas = blas_name();
	info->blas_kernel = blas_kernel();
	info->tuning = tuning_in_force()->source;
	info->tuning_error = tuning_in_force()->message[0] ? tuning_in_force()->message : NULL;
}
