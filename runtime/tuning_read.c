/* Files of choices: where they are, and reading them.
 *
 *   heddle-tuning 1
 *   # job    type  order  route   band  tile  group  steps
 *   svdvals  d     192    lapack  24    96    0      0
 *   svdvals  d     max    graph   48    192   0      0
 *
 * A triangular solve has other columns: route, tile and inverse, with few right-hand sides (trsm-few) tile and inverse.
 * A row is for the orders up to its own; those of a job and type ascend, and the last is for "max".  # begins a comment. */
#include "runtime/tuning.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LARGEST_FILE = 1 << 20, MOST_WORDS = 16, FIXED_WORDS = 3 };

/* Which jobs have a column. */
enum {
	VALUES = 1 << TUNING_SVDVALS | 1 << TUNING_EIGVALS,
	SOLVES = 1 << TUNING_TRSM | 1 << TUNING_TRSM_FEW,
	ROUTED = VALUES | 1 << TUNING_TRSM,
	ANY = VALUES | SOLVES
};

static const char blanks[] = " \t\r";
static const char types[] = "sdcz"; /* as tuning_type counts them */

const char *const tuning_job_names[TUNING_JOBS] = { "svdvals", "eigvals", "trsm", "trsm-few" };

const struct tuning_column tuning_columns[TUNING_COLUMNS] = {
	{ "route", offsetof(struct tuning_choice, route), 0, 0, ROUTED },
	{ "band", offsetof(struct tuning_choice, band), 1, 4096, VALUES },
	{ "tile", offsetof(struct tuning_choice, tile), 1, 65536, ANY },
	{ "group", offsetof(struct tuning_choice, group), 0, 4096, VALUES },
	{ "steps", offsetof(struct tuning_choice, steps), 0, 4096, VALUES },
	{ "inverse", offsetof(struct tuning_choice, inverse), 1, 2, SOLVES },
};

struct reader {
	const char *path;
	char *message;
	int line;                             /* 0: none yet */
	bool begun;                           /* the version line was there */
	struct tuning table;
	int next[TUNING_JOBS][TUNING_TYPES];  /* the first step that no row is for yet */
	int row[TUNING_JOBS][TUNING_TYPES];   /* line of the last row */
};

bool tuning_home(char path[TUNING_NAME])
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	int length = 0;

	if (config && config[0] == '/') /* relative ones are to be ignored */
		length = snprintf(path, TUNING_NAME, "%s/heddle/tuning", config);
	else if (home && home[0] == '/')
		length = snprintf(path, TUNING_NAME, "%s/.config/heddle/tuning", home);
	return length > 0 && length < TUNING_NAME;
}

bool tuning_path(char path[TUNING_NAME], bool *asked_for)
{
	const char *named = getenv("HEDDLE_TUNING");

	*asked_for = named != NULL;
	if (!named)
		return tuning_home(path);
	snprintf(path, TUNING_NAME, "%s", named); /* one too long is absent by its shortened name, too */
	return named[0] != 0;
}

static enum tuning_outcome __attribute__((format(printf, 2, 3))) refuse(const struct reader *r, const char *format, ...)
{
	enum { PATH = TUNING_NAME }; /* of a longer one the beginning */
	int length = r->line > 0 ? snprintf(r->message, PATH + 16, "%.*s:%d: ", PATH, r->path, r->line) :
				   snprintf(r->message, PATH + 16, "%.*s: ", PATH, r->path);
	va_list list;

	va_start(list, format);
	vsnprintf(r->message + length, TUNING_MESSAGE - (size_t)length, format, list);
	va_end(list);
	return TUNING_REFUSED;
}

/* A whole number from min to max, and nothing else. */
static bool number(const char *word, int64_t min, int64_t max, int64_t *value)
{
	if (!word[0] || word[strspn(word, "0123456789")])
		return false;
	errno = 0;
	*value = strtoll(word, NULL, 10);
	return errno == 0 && *value >= min && *value <= max;
}

static enum tuning_outcome read_version(struct reader *r, char *const words[], int count)
{
	if (strcmp(words[0], "heddle-tuning") != 0)
		return refuse(r, "\"%.32s\" is no table of Heddle's choices; expected \"heddle-tuning 1\" first", words[0]);
	if (count != 2 || strcmp(words[1], "1") != 0)
		return refuse(r, "version \"%.32s\" is unknown; expected \"heddle-tuning 1\"", count > 1 ? words[1] : "");
	r->begun = true;
	return TUNING_READ;
}

static enum tuning_outcome read_choice(const struct reader *r, enum tuning_job job, char *const *words, struct tuning_choice *choice)
{
	for (int i = 0; i < TUNING_COLUMNS; i++) {
		const struct tuning_column *c = &tuning_columns[i];
		int64_t value = 0;

		if (!tuning_has(job, c))
			continue;
		if (c->min == c->max) {
			value = strcmp(*words, "graph") == 0 ? HEDDLE_ROUTE_GRAPH : strcmp(*words, "lapack") == 0 ? HEDDLE_ROUTE_LAPACK : 0;
			if (value == 0)
				return refuse(r, "%s is \"%.32s\"; expected graph or lapack", c->name, *words);
		} else if (!number(*words, c->min, c->max, &value)) {
			return refuse(r, "%s is \"%.32s\"; expected %d .. %d", c->name, *words, c->min, c->max);
		}
		*tuning_value(choice, c) = (int)value;
		words++;
	}
	return TUNING_READ;
}

/* The step that the row's order names. */
static enum tuning_outcome read_order(const struct reader *r, const char *word, int *step)
{
	int64_t order, last = tuning_order(TUNING_STEPS - 2); /* the last step is max */

	*step = TUNING_STEPS - 1;
	if (strcmp(word, "max") == 0)
		return TUNING_READ;
	if (!number(word, 1, last, &order))
		return refuse(r, "order is \"%.32s\"; expected 1 .. %lld or max", word, (long long)last);
	*step = tuning_step(order);
	if (tuning_order(*step) != order)
		return refuse(r, "order %lld is between two steps; expected %lld or %lld", (long long)order,
			      (long long)tuning_order(*step - 1), (long long)tuning_order(*step));
	return TUNING_READ;
}

/* A row has as many words as its job has columns. */
static enum tuning_outcome check_count(const struct reader *r, enum tuning_job job, int count)
{
	char names[128] = "job type order";
	int expected = FIXED_WORDS;

	for (int i = 0; i < TUNING_COLUMNS; i++)
		if (tuning_has(job, &tuning_columns[i])) {
			strcat(strcat(names, " "), tuning_columns[i].name);
			expected++;
		}
	if (count == expected)
		return TUNING_READ;
	return refuse(r, "%d column%s; expected %d: %s", count, count == 1 ? "" : "s", expected, names);
}

static enum tuning_outcome read_row(struct reader *r, char *const words[], int count)
{
	int step;
	enum tuning_job job = 0;
	struct tuning_choice choice = { 0 };

	while (job < TUNING_JOBS && strcmp(words[0], tuning_job_names[job]) != 0)
		job++;
	if (job == TUNING_JOBS)
		return refuse(r, "job \"%.32s\" is unknown; expected svdvals, eigvals, trsm or trsm-few", words[0]);
	enum tuning_outcome outcome = check_count(r, job, count);
	if (outcome != TUNING_READ)
		return outcome;
	const char *letter = strchr(types, words[1][0]);
	if (!letter || words[1][1])
		return refuse(r, "type \"%.32s\" is unknown; expected s, d, c or z", words[1]);
	int type = (int)(letter - types);
	outcome = read_order(r, words[2], &step);
	if (outcome == TUNING_READ)
		outcome = read_choice(r, job, words + FIXED_WORDS, &choice);
	if (outcome != TUNING_READ)
		return outcome;
	int *next = &r->next[job][type];
	if (step < *next)
		return refuse(r, "order %s does not ascend; expected more than line %d has", words[2], r->row[job][type]);
	while (*next <= step)
		r->table.choice[job][type][(*next)++] = choice;
	r->row[job][type] = r->line;
	return TUNING_READ;
}

static enum tuning_outcome read_line(struct reader *r, char *line, size_t length)
{
	char *words[MOST_WORDS], *rest = NULL, *comment = memchr(line, '#', length);
	int count = 0;

	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)line[i];
		if ((c < ' ' && c != '\t' && c != '\r') || c == 127 || (c > 127 && !(comment && line + i > comment)))
			return refuse(r, "byte %zu of the line is %u; expected plain text", i + 1, c);
	}
	if (comment)
		*comment = 0;
	for (char *word = strtok_r(line, blanks, &rest); word; word = strtok_r(NULL, blanks, &rest)) {
		if (count < MOST_WORDS)
			words[count] = word;
		count++;
	}
	if (count == 0)
		return TUNING_READ;
	return r->begun ? read_row(r, words, count) : read_version(r, words, count);
}

/* The rows as a whole. */
static enum tuning_outcome check(struct reader *r)
{
	if (!r->begun) {
		r->line = r->line > 0 ? r->line : 1;
		return refuse(r, "the file holds nothing; expected \"heddle-tuning 1\" first");
	}
	for (int job = 0; job < TUNING_JOBS; job++)
		for (int type = 0; type < TUNING_TYPES; type++) {
			int next = r->next[job][type];

			r->line = r->row[job][type];
			if (next > 0 && next < TUNING_STEPS)
				return refuse(r, "the rows of %s %c end with order %lld; expected a last one for max",
					      tuning_job_names[job], types[type], (long long)tuning_order(next - 1));
		}
	return TUNING_READ;
}

/* The bytes of a file, and a null byte behind them. */
static enum tuning_outcome load(const struct reader *r, int file, char **text, size_t *length)
{
	struct stat about;
	ssize_t got;

	if (fstat(file, &about) != 0)
		return refuse(r, "%s", strerror(errno));
	if (!S_ISREG(about.st_mode))
		return refuse(r, "not a regular file");
	if (about.st_size > LARGEST_FILE)
		return refuse(r, "%lld bytes are too many for a table; expected at most %d", (long long)about.st_size, LARGEST_FILE);
	*text = malloc((size_t)about.st_size + 1);
	if (!*text)
		return refuse(r, "no memory");
	while (*length < (size_t)about.st_size && (got = read(file, *text + *length, (size_t)about.st_size - *length)) != 0) {
		if (got < 0 && errno != EINTR)
			return refuse(r, "%s", strerror(errno));
		*length += got > 0 ? (size_t)got : 0;
	}
	(*text)[*length] = 0;
	return TUNING_READ;
}

static enum tuning_outcome read_file(struct reader *r, int file)
{
	char *text = NULL;
	size_t length = 0;
	enum tuning_outcome outcome = load(r, file, &text, &length);

	for (char *line = text, *end = text + length; outcome == TUNING_READ && line < end;) {
		char *stop = memchr(line, '\n', (size_t)(end - line));
		size_t size = (size_t)((stop ? stop : end) - line);

		r->line++;
		line[size] = 0;
		outcome = read_line(r, line, size);
		line += size + 1;
	}
	free(text);
	return outcome == TUNING_READ ? check(r) : outcome;
}

enum tuning_outcome tuning_read(struct tuning *table, const char *path, char message[TUNING_MESSAGE])
{
	struct reader *r = calloc(1, sizeof(*r));
	const struct reader none = { .path = path, .message = message };

	message[0] = 0;
	if (!r)
		return refuse(&none, "no memory");
	*r = none;
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), error = errno;
	enum tuning_outcome outcome = file >= 0 ? read_file(r, file) : refuse(r, "%s", strerror(error));
	for (int job = 0; job < TUNING_JOBS && outcome == TUNING_READ; job++)
		for (int type = 0; type < TUNING_TYPES; type++)
			if (r->next[job][type] > 0) {
				memcpy(table->choice[job][type], r->table.choice[job][type], sizeof(table->choice[job][type]));
				table->named[job][type] = true;
			}
	free(r);
	if (file >= 0)
		close(file);
	return file < 0 && (error == ENOENT || error == ENOTDIR) ? TUNING_ABSENT : outcome;
}
