// Package observers is what is told of every change of an entry, by the transaction that makes the
// change. Of those in open periods, in this order:
//
//  1. cohorts: a member that gets its first entry comes into a cohort (package leagues);
//  2. followers: derived boards change the scores of groups (package groups), which are changes of theirs;
//  3. the feed: events of the member, and of those that it has overtaken;
//  4. best ranks.
//
// Of changes that moderation makes in closed periods only the followers are told. Each is a
// catalog.Observer. Boards are given All of them when they are opened, and OfClosed.
//
// # Where things are
//
//	feed.go    events
//	best.go    best ranks
package observers

import (
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/groups"
	"github.com/zrankdb/zrank/board/internal/leagues"
)

// OfClosed returns the observers of closed periods.
func OfClosed() []catalog.Observer { return []catalog.Observer{groups.Observer{}} }

// All returns the observers of open periods in their order.
func All() []catalog.Observer {
	return []catalog.Observer{leagues.Observer{}, groups.Observer{}, feedObserver{}, bestRanks{}}
}
