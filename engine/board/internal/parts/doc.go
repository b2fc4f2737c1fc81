// Package parts says in which part of a ranking a member is. It is pure.
//
// The ranking of a board in parts is the union of several sets. A member's part follows from its name alone, so that a caller knows which set
// to lock before it reads anything: it is an address of linear hashing, the lowest bits of XXH64 of the member's bytes with seed 0. Stored boards
// depend on it, and it never changes.
//
// # Where things are
//
//	address.go  Of: the part of a member
package parts
