// Package flow sends replies to clients that may be slow, dead or hostile, in bounded memory.
//
// A [Sender] writes as many bytes as the socket takes at once, and queues the rest. So a client that sends many requests before it reads the
// first reply, and a server that answers them, do not wait for each other. An account of package budget counts the queue.
//
// # Where things are
//
//	sender.go          Sender, its options and errors
//	queue.go           the bytes that wait for the client
//	try.go             Try: a last message to a client without a Sender
package flow
