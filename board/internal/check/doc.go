// Package check checks that every closed period and every stored union has the entries that it had when it was closed or stored, and that the
// sets of rolling windows agree, those of boards of the best n, those of boards in parts, that
// hidden and banned members are in no ranking, the index of members with the closed periods, the awards of closed periods with their settlements, the cohorts of leagues, and that journals can be read.
//
// The engine's check reads all sets and private keys as of one moment; the audit collects what belongs to boards, and compares the digests
// of closed periods and stored unions with their records.
//
// # Where things are
//
//	audit.go    Check, CheckDir, and most comparisons
//	collect.go  Report, and what is collected: the set and the private keys
//	tails.go    the comparisons of the best n with the others
//	awards.go   the comparisons of awards with their settlements
//	cohorts.go  the check of cohorts, and of members that are in none
//	derived.go  the scores of groups
//	history.go  who was in which group when periods closed
//	hidden.go   the comparisons of hidden and banned members
//	index.go    the comparisons of the index of members
//	parts.go    the comparisons of parts with the addresses of their members
package check
