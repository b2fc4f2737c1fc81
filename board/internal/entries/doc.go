// Package entries changes the entry of one member in the ranking of one period, whatever kind of ranking that is: one set, several parts, or the best
// members and the others in buckets.
//
// # Where things are
//
//	at.go  At: the sets that have the entry; reading and changing it
package entries
