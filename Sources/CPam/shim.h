#pragma once
#include <security/pam_appl.h>
#include <sys/prctl.h>

/// Whether set-id programs gain nothing in this process and its children (prctl is variadic).
static inline int smile_has_no_new_privileges(void) { return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1; }
