#ifndef CLI_MANUAL_H
#define CLI_MANUAL_H
/* manual - where the page on a subject is, in a checkout or installed. */

#include <limits.h>
#include <stdbool.h>

/* The page of sophia-TOPIC, or of TOPIC itself, in section 1, 5 or 7. */
bool manual_find(char path[PATH_MAX], const char *topic);

#endif
