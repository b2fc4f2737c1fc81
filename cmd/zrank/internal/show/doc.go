// Package show writes rankings: as tables for people, as CSV or as JSON lines for programs. And lists of other
// things.
//
//	FIFA World Cup · year · 2010
//	 RANK  MEMBER                  SCORE
//	─────────────────────────────────────
//	    1  Diego Forlán (Uruguay)      5
//	    2  David Villa (Spain)         5
//
// CSV has one header line, board,window,period,rank,member and the names of the score's columns, most often only score. JSON has one
// object a line, with the same keys in the same order, and with the score as a number, or as an array if there are several columns.
//
// A table escapes what would move the cursor or turn the text around, bytes that are not UTF-8, and backslashes: \xff is one byte, \\xff four
// characters. CSV has the bytes of members as they are. JSON has text only: a member that is not UTF-8 has its bytes in hexadecimal as
// memberHex, which the flag --hex reads, and in member U+FFFD for each byte that is none.
//
// # Where things are
//
//	writer.go  Writer: rankings, a row each
//	list.go    List: other things, a line each
//	format.go  Format: table, CSV or JSON
//	text.go    titles, and members that are safe to print
package show
