package flow

import "github.com/zrankdb/zrank/server/resp/internal/budget"

// queue holds the output that is not yet written to a client's connection.
type queue struct {
	account *budget.Account
	list    budget.List
	waiting int // bytes in list and in the block that is being written
}

// add appends as much of b as the account takes, and returns the rest.
func (q *queue) add(b []byte) (rest []byte) {
	rest = q.list.Append(b, q.account, false)
	q.waiting += len(b) - len(rest)
	return rest
}

// push appends a block. The queue owns it from then on.
func (q *queue) push(b *budget.Block) {
	q.waiting += b.Len()
	q.list.Push(b)
}

// done frees a block that was taken from list.
func (q *queue) done(b *budget.Block) {
	q.waiting -= b.Len()
	b.Free()
}
