package flow

import "github.com/zrankdb/zrank/server/resp/internal/budget"

// queue is the bytes that wait for a client.
type queue struct {
	account *budget.Account
	list    budget.List
	waiting int // those of the block that is being written too
}

// add appends as much of b as the account takes, and returns the rest.
func (q *queue) add(b []byte) (rest []byte) {
	rest = q.list.Append(b, q.account, false)
	q.waiting += len(b) - len(rest)
	return rest
}

// push appends a block, which belongs to the queue then.
func (q *queue) push(b *budget.Block) {
	q.waiting += b.Len()
	q.list.Push(b)
}

// done frees a block that was taken from the list.
func (q *queue) done(b *budget.Block) {
	q.waiting -= b.Len()
	b.Free()
}
