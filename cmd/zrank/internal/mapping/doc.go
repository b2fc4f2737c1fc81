// Package mapping says which keys of a Redis become periods of which boards, and unpacks scores that hold points and a time.
//
// A map file is a JSON array of rules; the first whose key matches counts:
//
//	[{"key": "lb:daily:{period}", "board": "arena", "window": "day", "score": "points * 2^32 + (2^32 - 1 - time)"},
//	 {"key": "lb:all",            "board": "arena", "window": "all", "score": "points + time / 10^10"}]
//
// # Keys
//
// A key is text with at most one placeholder of a period in it. Without one the window must have one period only: of the kinds all and event, or seasons of which there is one.
//
//	{period}        the name that the window gives the period: 2026-11-25, 2026-W47, 2026-11
//	{week}          a year and a week as ISO 8601 counts them, however they are written: 2026-47, 202647, 2026W47
//	{date:LAYOUT}   a time in the zone of the window, in a layout of Go's package time: {date:20060102}
//	{unix}          seconds after 1970, {unixms} milliseconds, of a moment in the period
//	{name}          text that stands in board, too: "board": "stars/{name}", whose spec has this name, makes a board for each name
//	{any}           any text that does not matter; it may be there several times
//
// # Scores
//
// A formula says how the score was made: points * N + TIME, or points + TIME / N. TIME is time, time - C, C - time, or nothing; C and N are whole numbers, sums of them,
// or powers such as 2^32. Without a formula the score is the points. A score must have exactly one solution, with a TIME of 0 to N - 1; otherwise it is refused:
//
//   - points * N + TIME: a score that is no integer, or beyond 2^53, where float64 has lost digits.
//   - points + TIME / N: a score whose fraction is no multiple of 1/N, or so large that several multiples of 1/N, rounded, are this score.
//
// With "withoutTime": true the time is left out. Then a score is refused only if the digits that float64 has lost could be of the points.
//
// # Where things are
//
//	rules.go    Read, Find: a map file
//	rule.go     Rule; Match
//	key.go      keys to periods
//	formula.go  formulas as text
//	unpack.go   scores to points and times
package mapping
