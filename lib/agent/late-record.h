/* late-record.h: wait for a session's record that is written after its event.
 *
 * Copilot CLI calls a hook before it writes what led to it, so the record may
 * be missing or lack the user's last words. It writes the time of each line and
 * of each hook. So the record is complete when its last line is as late as the
 * event, or, for releases without these times, when it stops growing.
 */
#ifndef CO_AGENT_LATE_RECORD_H
#define CO_AGENT_LATE_RECORD_H

#define LATE_RECORD_MS 5000 /* longest wait, in ms */

/* Wait until the record at PATH has what came before the event at TIME, in UTC
 * as 2026-02-09T14:30:00.000Z, or NULL. Reports nothing: the reader of the
 * record reports what is missing. */
void late_record_await(const char *path, const char *time);

#endif
