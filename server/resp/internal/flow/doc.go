// Package flow sends replies to clients that may be slow, dead or hostile, in bounded memory.
//
// A [Sender] gives the socket what it takes at once and keeps the rest, so that a client that sends many requests before it
// reads the first reply and a server that answers them do not wait for each other. What it keeps is counted by an account of
// package budget.
package flow
