// Package events reads score events from CSV, row by row, and can go on where an earlier run stopped.
//
//	time,board,member,delta
//	2010-07-11T20:45:00Z,FIFA World Cup,Andrés Iniesta (Spain),1
//
// The header names the columns, in any order: time, member, the columns of the score, and board if there are several. A score of one
// column called score is read from a column of that name, or of the name delta. A number with a point or an exponent is a float64, any other
// an int64. An input is a file, a gzip file (recognised by its content, whatever its name), or standard input.
//
// # Time
//
// A time is RFC 3339 ("2010-07-11T20:45:00Z"), or a Unix time in decimal, with or without a fraction. A Unix time at least
// 100,000,000,000 away from zero, on either side, is in milliseconds and a smaller one in seconds: seconds reach from the
// year 0 to 5138, milliseconds from the year 0 to September 1966 and from March 1973 to the year 9999. The years between
// can only be written in seconds or in RFC 3339. Digits finer than a nanosecond are cut off; times come out in UTC.
//
// # Bad rows
//
// A malformed row is a [*BadRowError]; Skip goes on with the row behind it. Everything else that goes wrong ends the input: gzip data that is cut short or damaged, a failing disk, a row over 16 MiB (most likely a quote that is
// never closed).
//
// # Exactly once
//
// A [Position] says how far an input was read and what was read. The caller stores it in the same commit as the scores it
// produced; after a crash, Resume skips exactly the rows that are in, having checked that they are still the same rows.
//
// Memory does not grow with the input: a file is read twice, once for its digest and once for its rows, and never held.
package events
