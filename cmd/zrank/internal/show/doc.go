// Package show writes rankings, and lists of other items: as tables for people, as CSV or as JSON lines for programs.
//
//	FIFA World Cup · year · 2010
//	 RANK  MEMBER                  SCORE
//	─────────────────────────────────────
//	    1  Diego Forlán (Uruguay)      5
//	    2  David Villa (Spain)         5
//
// CSV has one header line, board,window,period,rank,member and the names of the score's columns, most often only score. JSON has one
// object a line, and is that of package boardjson, as in the HTTP API: scores are arrays, times RFC 3339.
//
// A table escapes characters that move the cursor or change the reading direction, bytes that are not UTF-8, and backslashes: \xff is one byte,
// \\xff four characters. CSV has the bytes of members as they are. JSON has base64: and base64url for a member that is not UTF-8.
//
// # Where things are
//
//	writer.go  Writer: rankings, a row each
//	list.go    List: other items, a line each
//	table.go   tables and their cells
//	awards.go  Awards: a line an award
//	format.go  Format: table, CSV or JSON
//	text.go    titles, members that are safe to print, and lines of JSON
package show
