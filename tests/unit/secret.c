#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/secret.h"
#include "tap.h"

static char path[] = "/tmp/secret.XXXXXX";

/* Put the text into the file, and ask for the name's secret. */
static const char *
get(const char *text, mode_t mode, const char *name)
{
	static char said[600];
	struct buf b = {0};
	struct err e = {0};
	FILE *f = fopen(path, "w");
	int rc;

	fputs(text, f);
	fclose(f);
	chmod(path, mode);
	rc = secret_get(&b, name, &e);
	snprintf(said, sizeof(said), "%d %s", rc,
	    rc < 0 ? e.text + strlen(path) : buf_text(&b));
	buf_release(&b);
	return said;
}

int
main(void)
{
	close(mkstemp(path));
	unsetenv("T");
	unsetenv("SOPHIA_SECRETS");
	same(get("T=x\n", 0600, "T"), "0 ", "without a file there is none");
	setenv("SOPHIA_SECRETS", path, 1);
	same(get("# c\n\nA=1\n T = x y \r\nB=2", 0600, "T"), "1 x y",
	    "a line gives it, without the space around");
	same(get("A=1\nT=x=y", 0600, "T"), "1 x=y",
	    "only the first equals sign counts, and the last line needs no end");
	same(get("TT=1\nXT=2\n", 0600, "T"), "0 ", "names are whole names");
	same(get("T=\n", 0600, "T"), "0 ", "an empty one is none");
	same(get("hunter2\nT=x\n", 0600, "T"), "-1 : line 1 is not NAME=VALUE",
	    "a bad line is named, not quoted");
	same(get("T=x\n", 0640, "T"), "-1 : is open to others: chmod 600 it",
	    "a file open to the group is refused");
	setenv("CREDENTIALS_DIRECTORY", "/tmp", 1);
	same(get("T=x\n", 0440, "T"), "1 x",
	    "but for one that systemd hands to us");
	same(get("T=x\n", 0644, "T"), "-1 : is open to others: chmod 600 it",
	    "which is never open to all");
	setenv("CREDENTIALS_DIRECTORY", "/tm", 1);
	same(get("T=x\n", 0640, "T"), "-1 : is open to others: chmod 600 it",
	    "and in its folder");
	unsetenv("CREDENTIALS_DIRECTORY");
	setenv("T", "env", 1);
	same(get("T=x\n", 0644, "T"), "1 env",
	    "the environment goes before the file");
	ok(prctl(PR_GET_DUMPABLE) == 0, "who holds a secret is not dumpable");
	unlink(path);
	return tap_done();
}
