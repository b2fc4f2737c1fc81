// Package cuthomes ends the context of every call on a home of boards at each of its looks, one after the other. Tests of homes hand in how to open one.
//
// # Where things are
//
//	run.go    Run: cuts the calls
//	world.go  World: a home with something for every call to do; what it shows
//	calls.go  the calls
package cuthomes
