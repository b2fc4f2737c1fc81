// Package show writes rankings: as tables for people, as CSV or as JSON lines for programs.
//
//	FIFA World Cup · year · 2010
//	 RANK  MEMBER                  SCORE
//	─────────────────────────────────────
//	    1  Diego Forlán (Uruguay)      5
//	    2  David Villa (Spain)         5
//
// CSV has one header line, board,window,period,rank,member,score. JSON has one object a line with the same six keys in the
// same order. Both carry names as they are; a table escapes what would move the cursor or turn the text around.
package show
