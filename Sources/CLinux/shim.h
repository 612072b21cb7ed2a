// Linux calls that Swift's Glibc module leaves out.
#include <errno.h>
#include <libintl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

/* prctl(PR_SET_DUMPABLE, 0): no core, and no tracing by the same user. 0, or -1 with errno. */
static inline int smile_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

/* Has the kernel note when each datagram is sent to this socket (SO_TIMESTAMPNS). */
static inline int smile_date_datagrams(int socket) {
    int on = 1;
    return setsockopt(socket, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
}

/*
 * recv of one datagram that never waits, and how long it has waited itself, in microseconds; 0 where nobody noted it. A
 * datagram larger than the buffer has its true length.
 */
static inline ssize_t smile_receive_dated(int socket, void *bytes, size_t count, long long *age) {
    struct iovec part = {bytes, count};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(struct timespec))];
    } control;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    *age = 0;
    ssize_t length = recvmsg(socket, &message, MSG_DONTWAIT | MSG_TRUNC | MSG_CMSG_CLOEXEC);
    if (length < 0) return -1;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SO_TIMESTAMPNS) continue;
        struct timespec sent, now;
        memcpy(&sent, CMSG_DATA(header), sizeof sent);
        if (clock_gettime(CLOCK_REALTIME, &now) != 0) continue;
        *age = (now.tv_sec - sent.tv_sec) * 1000000LL + (now.tv_nsec - sent.tv_nsec) / 1000;
    }
    return length;
}

/* sendmsg with one descriptor as SCM_RIGHTS (none where it is negative); never raises SIGPIPE. */
static inline ssize_t smile_send_descriptor(int socket, const void *bytes, size_t count, int descriptor) {
    struct iovec part = {(void *)bytes, count};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    memset(&control, 0, sizeof control);
    if (descriptor >= 0) {
        message.msg_control = &control;
        message.msg_controllen = sizeof control;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL);
}

/*
 * recvmsg that takes one descriptor (close-on-exec), -1 where none came. More than one, and a datagram larger than the
 * buffer, is EMSGSIZE; whatever came with it is closed.
 */
static inline ssize_t smile_receive_descriptor(int socket, void *bytes, size_t count, int *descriptor) {
    struct iovec part = {bytes, count};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(8 * sizeof(int))];
    } control;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    *descriptor = -1;
    ssize_t length = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (length < 0) return -1;
    int tooMany = (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        size_t received = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t index = 0; index < received; index++) {
            int one;
            memcpy(&one, CMSG_DATA(header) + index * sizeof one, sizeof one);
            if (*descriptor < 0) {
                *descriptor = one;
            } else {
                close(one);
                tooMany = 1;
            }
        }
    }
    if (tooMany) {
        if (*descriptor >= 0) close(*descriptor);
        *descriptor = -1;
        errno = EMSGSIZE;
        return -1;
    }
    return length;
}
