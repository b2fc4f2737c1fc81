// Package pauses measures what writers wait for while something happens to a very big set.
//
// The engine first gets the big set, and small ones beside it. Then a crew writes (package crew): half of the writers give members of the
// big set another score, half of them members of the small ones, one commit each. Calls count that were due or under way from the
// beginning of the event until a while after its end, since the background work that it leaves may be what hurts. The same writers without
// an event show how much of it the event causes.
//
// # Where things are
//
//   - pauses.go: the benchmark, its events and its table; the writers, and the event among them
package pauses
