/*
 * peak FILE COMMAND... - run a command, and write to FILE how much memory it
 * had at most, in KiB, with the children that it waited for. Exits as it does.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	struct rusage used;
	FILE *out;
	pid_t pid;
	int status;

	if (argc < 3)
		return 2;
	pid = fork();
	if (pid == 0) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &used) != pid)
		return 1;
	out = fopen(argv[1], "we");
	if (!out)
		return 1;
	fprintf(out, "%ld\n", used.ru_maxrss);
	fclose(out);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
