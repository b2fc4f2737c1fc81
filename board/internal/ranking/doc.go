// Package ranking answers questions about one set of entries, or several sets read as one: ranks, pages, percentiles.
//
// It has Ranking and the types of its answers. A Source supplies the set; a LiveWindow supplies the set of the period that is live now. The
// package knows neither engine nor boards. Each call reads the set once, through a Look: its whole result is of one moment, and the Source
// keeps the set unchanged until the call has read it.
//
// Places inside the package count from 0 and intervals are half-open; arguments and results of Ranking count from 1, and ranges include both
// ends.
//
// # Parts
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
//	reader.go       the implementation of board.Ranking: subject, mode, View, Pin
//	source.go       Source, Subject, LiveWindow; the sources of a View and of a pinned ranking
//	look.go         Look: rows and ranks in a set
//	view.go         view: a set, or parts read as one set
//	parts.go        Parts: counts of the parts added up, rows merged
//	mode.go         the four rank modes
//	vacancies.go    Vacancies: ranks of a closed ranking that nobody has any more; vacant.go how a Look counts them
//	read.go         At, Top, Places, Around
//	beyond.go       Rank, Score, Card; members beyond the best n
//	page.go         Page, All; cursors.go the bytes of a cursor
//	score_range.go  Between, Count, RankOf
//	friends.go      Among
//	gap.go, percentile.go, histogram.go, arrows.go  the calls of these names
//	part_address.go  PartOf: the part of a member
//	part_layout.go   Layout: the parts of a ranking, one of which may be split or merged
package ranking
