#pragma once
// By its path below /usr/include: libfprint's own pkg-config module brings -pthread, which SwiftPM warns about on every
// build.
#include <libfprint-2/fprint.h>
