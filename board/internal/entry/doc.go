// Package entry computes what a result, or the results of another member, make of the entry of a
// member in a period, and of what is kept beside it. It is pure.
//
// # Where things are
//
//	entry.go  Entry: Apply, Meets, Submit, Merge
package entry
