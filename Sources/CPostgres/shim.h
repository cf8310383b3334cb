#pragma once
#include <libpq-fe.h>

// Field codes of an error, which libpq defines as character constants.
static inline int waygate_diag_sqlstate(void) { return PG_DIAG_SQLSTATE; }
static inline int waygate_diag_message(void) { return PG_DIAG_MESSAGE_PRIMARY; }
static inline int waygate_diag_detail(void) { return PG_DIAG_MESSAGE_DETAIL; }
static inline int waygate_diag_constraint(void) { return PG_DIAG_CONSTRAINT_NAME; }
static inline int waygate_diag_table(void) { return PG_DIAG_TABLE_NAME; }

// Notices would go to stderr, past the log.
static inline void waygate_drop_notice(void *context, const PGresult *notice) {
    (void)context;
    (void)notice;
}
static inline void waygate_silence_notices(PGconn *connection) {
    PQsetNoticeReceiver(connection, waygate_drop_notice, NULL);
}
