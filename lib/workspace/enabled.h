#ifndef WORKSPACE_ENABLED_H
#define WORKSPACE_ENABLED_H
/* enabled - may code be run here at all? It is off until somebody says so. */

struct err;
struct settings;

/* Read the settings; ERR_CONFIG, and how it is switched on, if it is off. */
int enabled_open(struct settings *s, struct err *e);

#endif
