// Package auth knows the users of a server, and slows down addresses that send wrong passwords.
//
// It promises that the time of a check tells nothing of names and passwords, and that the memory of the delays is bounded: see Delay.
//
// # Where things are
//
//	users.go   Users: who may authenticate, and as whom
//	kind.go    Kind: which commands a user may run
//	delay.go   Delay: how long an attempt of an address waits
package auth
