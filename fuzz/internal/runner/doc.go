// Package runner runs a script on a machine and on its oracle in lockstep, and compares every reply.
//
// After a crash it finds out which commits are lost (F5): the machine must hold one of the oracle's worlds, and the oracle goes on from that one.
//
// # Where things are
//
//	run.go       Run: block by block
//	crash.go     crashes: restarting the machine, and finding the world that it holds
//	lockstep.go  a machine and its oracle during a run
//	step.go      one block on one machine
//	result.go    Result, Counts and Difference
package runner
