#include "core/confine.h"

#include <sys/resource.h>

#include "core/err.h"

/*
 * AddressSanitizer reserves terabytes of addresses, so there the limit of
 * memory can't be had.
 */
#ifdef __SANITIZE_ADDRESS__
enum { LIMIT_MEMORY = 0 };
#else
enum { LIMIT_MEMORY = 1 };
#endif

int
confine(unsigned cpu_s, size_t memory_bytes, struct err *e)
{
	const struct rlimit none = {0, 0};
	const struct rlimit open = {3, 3}; /* stdin, stdout and stderr */
	const struct rlimit cpu = {cpu_s, cpu_s};
	const struct rlimit memory = {memory_bytes, memory_bytes};

	if (setrlimit(RLIMIT_CORE, &none) < 0 ||
	    setrlimit(RLIMIT_NOFILE, &open) < 0 ||
	    setrlimit(RLIMIT_CPU, &cpu) < 0 ||
	    (LIMIT_MEMORY && setrlimit(RLIMIT_AS, &memory) < 0))
		return err_sys(e, ERR_INTERNAL, "confining a calculation");
	return 0;
}
