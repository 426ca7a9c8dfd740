/*
 * runner - what a container of the sandbox starts: it takes files and code from
 * the host and runs the code. See guest/guest.
 * stdin, stdout: frames
 */
#include "core/start.h"
#include "guest/guest.h"

int
main(void)
{
	start();
	return guest_run();
}
