// Package adminpages measures the pages of server/admin: how long they take with many members and boards, and what open pages cost those who
// submit. Everything is in one process: a browser's half of an open page is a goroutine that reads what comes.
//
// # Where things are
//
//   - adminpages.go: the benchmark, its cases and its tables
//   - session.go: boards, pages and callers
package adminpages
