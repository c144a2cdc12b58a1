/* late-record.h: a session's record that comes a moment after its event.
 *
 * Copilot CLI calls a hook before it has written what led there: its record may be
 * missing or end early, and what the person asked for last is not in it yet.  It
 * writes the time of each line, and of each hook that it calls, so the record is
 * whole once its last line is as late as the event; of releases whose event or
 * record has no time, once it grows no more.
 */
#ifndef CO_TRANSCRIPT_LATE_RECORD_H
#define CO_TRANSCRIPT_LATE_RECORD_H

#define LATE_RECORD_MS 5000 /* milliseconds, at most */

/* Wait until the record at PATH has what came before the event that its agent says
 * is of TIME, in UTC as 2026-02-09T14:30:00.000Z, or NULL.  Cannot fail: who reads
 * the record says what is missing. */
void late_record_await(const char *path, const char *time);

#endif
