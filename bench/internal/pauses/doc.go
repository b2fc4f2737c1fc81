// Package pauses measures what writers wait for while something is done to a very big set: one event, one level, in this
// process.
//
// The engine first gets the big set, and small ones beside it. Then a crew comes (package crew): half of the writers give
// members of the big set another score, half of them members of the small ones, one commit each. The event is what happens to
// the big set meanwhile. Calls count that were due or under way from its beginning until a while after its end, since
// what it leaves to do behind the caller's back may be what hurts. The same writers with no event show how much of it the
// event is to blame for.
package pauses
