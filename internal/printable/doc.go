// Package printable shows texts that anybody may have chosen, such as names of members, so that they change nothing around them.
//
// # Where things are
//
//	printable.go  Text, Name
//	cell.go       Cell, for spreadsheets
package printable
