// Package budget bounds the memory that all clients of a server hold together.
//
// A [Budget] is the bound and an [Account] is one client's share of it. Large things are held in a [List] of [Block]s of one size, which
// are pooled: memory that one client gives back is the memory that the next one takes, so neither growth by copying nor garbage adds to
// what is counted.
package budget
