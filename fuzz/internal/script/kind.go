package script

// The traits of operations that read a board, and of those that read a live ranking.
const (
	readsBoard = readsLive | Alone
	readsLive  = OnBoard | reads
)

// trait is a set of facts that hold for every operation of a kind.
type trait uint8

const (
	reads   trait = 1 << iota // changes nothing
	Private                   // is about private keys, not about a set
	Alone                     // never part of a transaction: F3
	Whole                     // is about whole sets, not about the members of one
	Between                   // happens to the machine between blocks: F2, F5, F7; it stands alone too
	Ends                      // ends a transaction
	OnBoard                   // is about a board
)

// kind is a kind of operations.
type kind struct {
	name   string
	args   string // each letter is an argument: see Op.field
	traits trait
	about  string // what it does or replies; letters stand for the arguments
}
