package following

import "github.com/zrankdb/zrank/board/rules"

// Change is what a transaction does to the entry of a member in the ranking of one period.
type Change struct {
	Member  []byte
	Had     bool        // the member was ranked
	Before  rules.Score // valid if Had
	Has     bool        // it is ranked now
	After   rules.Score // valid if Has
	Reached int64       // when the scores of groups are reached by it, in microseconds after 1970
	Hides   bool        // the member is hidden or shown by it
	To      []byte      // the member that has the entry from now on, and had none; nil: the entry is removed, or stays
}

// Scored is the groups that have their scores from all members whom a call moves, and that need no other one when the call comes to the next of these members.
type Scored map[scored]bool

// scored is a group in the ranking with a key.
type scored struct {
	key   string
	group int64
}
