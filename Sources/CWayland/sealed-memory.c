// memfd_create and seals are no part of what Swift's own headers ask for.
#define _GNU_SOURCE
#include "wayland.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

int smile_sealed_memory(size_t size) {
    int descriptor = memfd_create("smileauth-prompt", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0) return -1;
    if (ftruncate(descriptor, (off_t)size) < 0 ||
        fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}
