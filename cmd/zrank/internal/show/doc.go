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
// object a line, with the same keys in the same order, and with the score as a number, or as an array if there are several columns. Both carry names as they are; a table escapes what would move the cursor or turn the text around.
package show
