#include "store/retract_files.h"

#include <string.h>

#include "core/err.h"
#include "store/base.h"

#define DERIVED "(SELECT n FROM call WHERE task = ?1 AND round >= ?2)"

/*
 * ?1 task, ?2 round, ?3 the id that is gone. A file that a derived call
 * imported goes, too: its path is the model's. Numbers of versions that were
 * given stay taken.
 */
#define ALL(source)                                                                  \
	{                                                                            \
		"INSERT OR REPLACE INTO artifact_last (id, task, version)"           \
		" SELECT a.id, a.task, max(max(a.version), ifnull((SELECT l.version" \
		"  FROM artifact_last l WHERE l.id = a.id), 0)) FROM artifact a"     \
		" WHERE a.task = ?1 AND a.id IN (SELECT id FROM artifact"            \
		"  WHERE task = ?1 AND call IN " DERIVED ") GROUP BY a.id",          \
		    "DELETE FROM artifact WHERE task = ?1 AND call IN " DERIVED,     \
		    "DELETE FROM preview WHERE task = ?1 AND call IN " DERIVED,      \
		    "DELETE FROM file WHERE task = ?1 AND (call IN " DERIVED         \
		    " OR " source " = ?3)",                                          \
		    "DELETE FROM file_input WHERE task = ?1 AND (call IN " DERIVED   \
		    " OR made_by IN " DERIVED " OR " source " = ?3)"                 \
	}

enum { STEPS = 5 };

static const char *const steps[GRAVE_KINDS][STEPS] = {
    [GRAVE_MESSAGE] = ALL("message"),
    [GRAVE_CHANNEL] = ALL("channel"),
};

int
retract_files(struct store *tasks, const char *task, int64_t round,
    enum grave_kind kind, const char *id, struct err *e)
{
	struct stmt q = {0};
	int rc = 0;

	for (size_t i = 0; i < STEPS && rc == 0; i++) {
		stmt_start(&q, &tasks->db, steps[kind][i]);
		stmt_text(&q, 1, task);
		stmt_int(&q, 2, round);
		if (strstr(steps[kind][i], "?3"))
			stmt_text(&q, 3, id);
		rc = stmt_run(&q, e);
	}
	stmt_end(&q);
	return rc;
}
