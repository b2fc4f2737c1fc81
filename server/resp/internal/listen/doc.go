// Package listen binds addresses, and keeps the listeners of a server.
//
// # Where things are
//
//	bind.go        Bind: TCP, Unix sockets, and sockets that a dead process has left behind
//	listeners.go   Set: the listeners that are served
package listen
