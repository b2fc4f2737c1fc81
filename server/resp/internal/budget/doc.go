// Package budget bounds the memory that all clients of a server hold together.
//
// A [Budget] is the bound and an [Account] is one client's share of it. Large items are stored in a [List] of [Block]s of one size. Blocks are
// pooled: a client takes the memory that another has given back, so neither growth by copying nor garbage adds to the counted bytes.
//
// # Where things are
//
//	budget.go   Budget, Account, eviction
//	block.go    Block, List
package budget
