// Package setops unites, intersects and subtracts sets of several keys as they were at one instant, and stores sets whole.
//
// It owns private copies of sets under way. Small inputs are worked on under their locks; big ones are copied while writers go on, who
// wait for a page of work at a time.
//
// # Where things are
//
//	operate.go     the set operations
//	capture.go     copies of several sets at one instant
//	copying.go     a copy of one set, made while it changes (P1)
//	stores.go      storing a result under a key
//	stage.go       a result too big for one commit goes to the log by many
//	ints.go        sets with int64 scores, copied out and put in whole
//	operations.go  Operations, what they share; Input and Instant, sets as they were at one instant
package setops
