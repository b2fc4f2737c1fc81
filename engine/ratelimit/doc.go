// Package ratelimit says whether somebody may do something again yet: at most so many events in any stretch of so much time,
// counted exactly, for any number of keys.
//
//	l, err := ratelimit.New(e, ratelimit.Spec{Name: "api", Limits: []ratelimit.Limit{
//		{Max: 10, Window: time.Second},
//		{Max: 500, Window: time.Hour},
//	}})
//	r, err := l.Allow("user:42", 1)
//	if !r.Allowed {
//		w.Header().Set("Retry-After", …r.RetryAfter)
//	}
//
// # Terminology
//
//   - event: something that was allowed, with the time at which it was.
//   - key: whose events are counted together: a user, an address, a token.
//   - limit: at most Max events in any window of length Window.
//   - window: at time t, the times in (t - Window, t]. It slides: it ends at every moment, not on the hour.
//   - cost: how many events a call is, all at once.
//   - limiter: a name and one or more limits, all of which must allow a call.
//   - log: the events of one key that any limit may still count.
//
// # What it promises
//
//   - R1: of the events that a limiter has allowed for a key, no window of any of its limits holds more than Max, however
//     many goroutines ask; also when the clock goes back, with the exception below.
//   - R2: a call is allowed if that keeps R1, and only then. It is recorded whole or not at all, for all limits, and by
//     AllowAll for all keys.
//   - R3: RetryAfter is exact: if nobody else records anything for the key, the same call is refused at every moment before
//     it has passed and allowed when it has.
//   - R4: a call that is refused changes nothing: it writes nothing to the disk, so refusing is cheap.
//   - R5: a log holds no more events than the limit with the longest window allows. It is deleted when the last of them has
//     left that window and 10 s, and at most an eighth of the window, have gone by.
//   - R6: when a call returns that it is allowed, its events are as durable as engine.Options.Durability makes commits; after a
//     crash at level Sync nothing that was allowed is forgotten. At Interval and None, up to so much lag may be, and the same
//     number of events be allowed again. An engine made by New forgets all when the process ends.
//
// # Time
//
// Times are those of the engine's clock, cut to the microsecond: a float64 score holds the microseconds since 1970
// exactly until the year 2255, and nanoseconds only to the quarter of a microsecond. Events of the same microsecond are told
// apart by their members: the number, in the life of the set, of the change that recorded them.
//
// The time of a call is that of its transaction, engine.Tx.Now. If that is before the last event of a key, because the clock
// has gone back, time stands still for that key until the clock has caught up: what is allowed meanwhile is recorded at the
// time of that event. This keeps R1, and makes the limiter stricter than it need be, not laxer; RetryAfter and ResetAfter are
// still by the clock, and exact. Keys used while a clock ran far ahead are free again after Reset. The exception: what has
// left every window by a clock that runs ahead, and 10 s more, is deleted, and stays forgotten when the clock is put right.
//
// # How it is stored
//
// The log of a key is the set "ratelimit/NAME/KEY", with / and % in the name written as %2F and %25. Sets whose keys begin
// with "ratelimit/" belong to this package. Limits are not stored: a limiter may be made with others on the next day, and
// counts what is there. Limiters of one name count the same events; their longest windows should be equal, because each
// forgets what it no longer needs itself.
//
// An event costs what an entry costs in its set: 11 bytes in a log of up to 128 events and 31 above. Half a million events a
// day for each of a million users are not for an exact log.
//
// # Where things are
//
//	spec.go           Limit, Spec, Limiter, Open
//	allow.go, all.go  Allow; AllowAll, which asks several limits at once
//	window.go         the events of a window as the engine stores them
//	errors.go         the errors
package ratelimit
