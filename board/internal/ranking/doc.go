// Package ranking answers questions about one set of entries, or several sets read as one: ranks, pages, percentiles.
//
// It has Ranking and the types of its answers. A Source supplies the set; a LiveWindow supplies the set of the period that is live now. The
// package knows neither engine nor boards. Each call reads the set once, through a Look: its whole result is of one moment, and the Source
// keeps the set unchanged until the call has read it.
//
// Places inside the package count from 0 and intervals are half-open; arguments and results of Ranking count from 1, and ranges include both
// ends.
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
package ranking
