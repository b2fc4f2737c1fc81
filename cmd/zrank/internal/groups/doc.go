// Package groups has the command "zrank groups import": many members join groups.
//
// # Where things are
//
//	import.go  the command, and what it has to do
//	rows.go    the rows of its file
package groups
