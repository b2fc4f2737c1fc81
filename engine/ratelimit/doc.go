// Package ratelimit limits how often something may happen: at most a number of events in any window of a given length, counted exactly, for
// any number of keys.
//
//	l, err := ratelimit.New(e, ratelimit.Spec{Name: "api", Limits: []ratelimit.Limit{
//		{Max: 10, Window: time.Second},
//		{Max: 500, Window: time.Hour},
//	}})
//	r, err := l.Allow(ctx, "user:42", 1)
//	if !r.Allowed {
//		w.Header().Set("Retry-After", …r.RetryAfter)
//	}
//
// # Terminology
//
//   - event: something that was allowed, with the time at which it was allowed.
//   - key: the name under which events are counted together: a user, an address, a token.
//   - limit: at most Max events in any window of length Window.
//   - window: at time t, the times in (t - Window, t]. It slides: it ends at every moment, not on the hour.
//   - cost: the number of events of one call.
//   - limiter: a name and one or more limits, all of which must allow a call.
//   - log: the events of one key that any limit may still count.
//
// # What it promises
//
//   - R1: of the events that a limiter has allowed for a key, no window of any of its limits holds more than Max, however
//     many goroutines ask; also when the clock goes back, with the exception below.
//   - R2: a call is allowed if that keeps R1, and only then. It is recorded whole or not at all, for all limits, and by
//     AllowAll for all keys.
//   - R3: RetryAfter is exact: if no other call records events for the key, the same call is refused until that time has passed, and allowed
//     then.
//   - R4: a call that is refused changes nothing: it writes nothing to the disk, so refusing is cheap.
//   - R5: a log holds no more events than the limit with the longest window allows. It is deleted some time after the last event has left
//     that window: after 10 s at least, and an eighth of the window more at most.
//   - R6: when a call returns that it is allowed, its events are as durable as engine.Options.Durability makes commits. At level Sync a crash
//     loses no event. At Interval and None a crash may lose the last events, and then as many are allowed again. An engine made by New loses
//     all events when the process ends.
//
// # Time
//
// Times are those of the engine's clock, cut to the microsecond: a float64 score holds the microseconds since 1970
// exactly until the year 2255, and nanoseconds only to the quarter of a microsecond. Events of the same microsecond are told
// apart by their members: the number, in the life of the set, of the change that recorded them.
//
// The time of a call is that of its transaction, engine.Tx.Now. If that is before the last event of a key, because the clock
// has gone back, time stands still for that key until the clock has caught up: events that are allowed meanwhile are recorded at the time of
// that last event. This keeps R1, and makes the limiter stricter than it need be, never laxer. RetryAfter and ResetAfter are still exact by
// the clock. Reset frees keys that were used while a clock ran far ahead. The exception to R1: if a clock runs ahead, events that have left
// every window by that clock, and 10 s more, are deleted. They do not come back when the clock is set right.
//
// # How it is stored
//
// The log of a key is the set "ratelimit/NAME/KEY", with / and % in the name written as %2F and %25. Sets whose keys begin
// with "ratelimit/" belong to this package. Limits are not stored: a limiter may be made with other limits later, and counts the stored
// events. Limiters of one name count the same events. Their longest windows should be equal, because each deletes events that it does not
// need itself.
//
// An event takes the memory of an entry in its set: 11 bytes in a log of up to 128 events, and 31 in a longer one. So an exact log does not
// suit half a million events a day for each of a million users.
//
// # Where things are
//
//	spec.go           Limit, Spec, Limiter, Open
//	allow.go, all.go  Allow; AllowAll, which asks several limits at once
//	window.go         the events of a window as the engine stores them
//	errors.go         the errors
package ratelimit
