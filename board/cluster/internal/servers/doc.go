// Package servers is how package cluster reaches its servers: what it sends again, and what not, since it might count twice.
//
// # Where things are
//
//	servers.go  Servers; the errors
//	run.go      Run: a script that changes something; Ask, AskWhole: commands that may be sent again
//	faults.go   what is done about an error
package servers
