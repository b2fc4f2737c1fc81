// Package waitqueue keeps calls that wait for a member to pop, for each key in the order of their arrival.
//
// It owns the queues. W1 and W2 in queue.go say when a call enters, who serves it, and when it leaves.
//
// # Where things are
//
//	queue.go  Queue, Waiter and Served
package waitqueue
