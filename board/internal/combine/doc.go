// Package combine computes what a result, or the results of another member, make of what is stored of a member in a period.
//
// # Where things are
//
//	entry.go  Entry: Submit, Merge
package combine
