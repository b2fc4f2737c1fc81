// Package parts says in which part of a ranking a member is, and when parts are split and merged. It is pure.
//
// The ranking of a board in parts is the union of several sets. A member's part follows from its name alone, so that a caller knows which set
// to lock before it reads anything: it is an address of linear hashing, the lowest bits of XXH64 of the member's bytes with seed 0. Stored boards
// depend on it, and it never changes.
//
// Linear hashing adds parts one by one: part n gets about half of the members of one other part. Meanwhile these members are in either of the two parts,
// and all others stay where they are. A merge is the reverse: the members of the last part go back.
//
// # Where things are
//
//	address.go  Of: the part of a member
//	layout.go   Layout: the parts of a ranking, one of which may be split or merged
package parts
