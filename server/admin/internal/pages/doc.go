// Package pages reads what the pages show, from boards and their engine. It writes no HTML and changes nothing, but for actions.
//
// # What it promises
//
//   - PG1: a page reads what it shows: rows by their places, O(log n), never a whole board, group or feed. What it looks through has a limit, and the page
//     says when the limit is reached.
//   - PG2: a page shows what its reader may read: a key that is limited to boards sees those only.
//   - PG3: what boards of a cluster do not have is left out, with a line that says so.
//
// # Where things are
//
//	pages.go       All: the pages
//	overview.go    the boards
//	board.go       one ranking: rows, histogram
//	periods.go     the periods of a window, with their winners
//	spec.go        the spec of a board, and what a migration would change
//	player.go      what boards have of a member
//	groups.go      groups and their members
//	awards.go      what closed periods have paid
//	feed.go        what happens
//	queues.go      queues and limits
//	health.go      the engine
//	audit.go       what moderators have done
//	preview.go     what an action would change
//	action.go      Act: actions of moderators
//	escapes.go     names as pages show them, read back
//	usage.go       members and sizes without reading sets
//	tabs.go        tabs, and pages of lists
//	site.go        Site: what there is to show; Request
package pages
