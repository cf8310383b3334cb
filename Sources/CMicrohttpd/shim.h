#pragma once
#include <microhttpd.h>
#include <stdint.h>

/// What libmicrohttpd is started with; its own start function is variadic, which Swift cannot call.
struct WaygateDaemonSettings {
    int listen_socket;
    unsigned int connection_limit;
    unsigned int timeout_seconds;
    size_t connection_memory;
    MHD_AccessHandlerCallback respond;
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection_changed;
    size_t (*unescape)(void *, struct MHD_Connection *, char *);
    void *context;
};

/// Starts a daemon that serves a bound, listening socket on one thread of its own.
static inline struct MHD_Daemon *waygate_start_daemon(const struct WaygateDaemonSettings *s) {
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, s->respond, s->context,
        MHD_OPTION_LISTEN_SOCKET, s->listen_socket,
        MHD_OPTION_CONNECTION_LIMIT, s->connection_limit,
        MHD_OPTION_CONNECTION_TIMEOUT, s->timeout_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, s->connection_memory,
        MHD_OPTION_NOTIFY_COMPLETED, s->completed, s->context,
        MHD_OPTION_NOTIFY_CONNECTION, s->connection_changed, s->context,
        MHD_OPTION_UNESCAPE_CALLBACK, s->unescape, NULL,
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_END);
}

/// Returns the socket of a connection, or -1.
static inline int waygate_connection_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

/// The length of a response that ends when its reader says so.
static const uint64_t waygate_size_unknown = MHD_SIZE_UNKNOWN;
/// What a content reader returns at its end.
static const ssize_t waygate_end_of_stream = MHD_CONTENT_READER_END_OF_STREAM;
