// Package setops unites, intersects and subtracts sets of several keys as they were at one instant, and stores sets whole.
//
// It owns the private copies of sets under way. An operation works on small inputs under their locks. It copies big ones while writers go
// on; writers wait for at most a page of work at a time. A big result goes to the log in commits of a page each, with pauses in between.
//
// # Where things are
//
//	operate.go     the set operations
//	capture.go     copies of several sets at one instant
//	copying.go     a copy of one set, made while it changes (P1)
//	stores.go      storing a result under a key
//	stage.go       writing a result to the log that is too big for one commit
//	ints.go        copying out and storing whole sets with int64 scores
//	operations.go  Operations, what they share; Input and Instant, sets as they were at one instant
package setops
