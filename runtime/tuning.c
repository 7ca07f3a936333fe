/* The table in force. */
#include "runtime/tuning.h"

#include <pthread.h>
#include <stdio.h>

void tuning_load(struct tuning_state *state)
{
	char path[TUNING_NAME];
	bool asked_for;

	tuning_builtin(&state->table);
	snprintf(state->source, sizeof(state->source), TUNING_BUILTIN);
	state->message[0] = 0;
	if (!tuning_path(path, &asked_for))
		return;
	enum tuning_outcome outcome = tuning_read(&state->table, path, state->message);
	if (outcome == TUNING_READ)
		snprintf(state->source, sizeof(state->source), "%s", path);
	else if (outcome == TUNING_ABSENT && !asked_for)
		state->message[0] = 0;
}

static struct tuning_state in_force;
static struct tuning loaded; /* what it was at first, for heddle_tuning_try */

static void load(void)
{
	tuning_load(&in_force);
	loaded = in_force.table;
}

const struct tuning_state *tuning_in_force(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load);
	return &in_force;
}

void heddle_tuning_try(enum tuning_job job, heddle_type type, const struct tuning_choice *choice)
{
	int t = tuning_type(type);

	tuning_in_force();
	for (int step = 0; step < TUNING_STEPS; step++)
		in_force.table.choice[job][t][step] = choice ? *choice : loaded.choice[job][t][step];
}
