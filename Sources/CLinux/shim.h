// Linux calls that Swift's Glibc module leaves out.
#include <sys/prctl.h>
#include <sys/timerfd.h>

/* prctl(PR_SET_DUMPABLE, 0): no core, and no tracing by the same user. 0, or -1 with errno. */
static inline int smile_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
