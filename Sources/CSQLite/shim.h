#pragma once
#include <sqlite3.h>

/// Keeps the log beside the file when the connection closes (1), or moves it into the file (0).
static inline int waygate_sqlite_keep_log(sqlite3 *database, int keeps) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keeps, (int *)0);
}
