// Package events reads score events from CSV, row by row, and can go on where an earlier run stopped.
//
//	time,board,member,delta
//	2010-07-11T20:45:00Z,FIFA World Cup,Andrés Iniesta (Spain),1
//
// The header names the columns, in any order: time, member, the columns of the score, board if there are several, and op if rows remove
// members. A score of one column called score is read from a column of that name, or of the name delta; if there are both, Options.Columns
// says which. Options leave other columns out, or give them another name. A number with a point or an exponent is a float64, any other an
// int64. An empty field, or "-", is an absent value in a column of Options.Absent, and makes a bad row in any other. A member is any bytes,
// the name of a board is UTF-8; neither may be empty. An input is a file, a gzip file (recognised by its content, whatever its name), or
// standard input.
//
// A row whose op is remove removes its member, and has no score. A row whose op is submit or empty is a result.
//
// # Time
//
// A time is RFC 3339 ("2010-07-11T20:45:00Z"), the same in UTC with a blank and without a zone ("2010-07-11 20:45:00"), or a Unix time in seconds, milliseconds, microseconds or nanoseconds, in decimal, with or
// without a fraction. All times of an input are in one unit: Options.Unit, or that of the first row. A row in another unit is a bad row.
//
// The size of the first row's number decides: the unit is the coarsest in which the number is a moment of the years 0 to 9999. If that
// moment is not of the years 1840 to 2099, the error is a *UnitError that asks for Options.Unit. So the input does not guess at
// milliseconds of the years 1968 to 1977, which might be seconds of other centuries. The guess is wrong for an input in milliseconds or
// finer whose first time is within 48 days of 1970-01-01: it takes a coarser unit. If most of the next 64 rows are not in that unit, the
// error is a *UnitError, too; otherwise each row that is not in it is a bad row.
//
// Digits finer than a nanosecond are cut off; times come out in UTC.
//
// A row that is too far ahead is a bad row, too: it is later than all rows before it by more than Options.MaxAhead, and the rows after it
// are earlier again. After a pause in the data the rows after it are as late, so it is good. The last row of an input is bad if it is that
// late, since no row follows it. The first row is compared with those after it only. Where rows are in no order of time, none is too far
// ahead. vote.go has the rule.
//
// # Bad rows
//
// A malformed row is a [*BadRowError]; Skip goes on with the row after it. Everything else that goes wrong ends the input: gzip data that is cut
// short or damaged, a failing disk, a row over 16 MiB (most likely a quote that is never closed).
//
// # Exactly once
//
// A [Position] has the number of rows that were read, their digest, the unit of their times, and the latest time. The caller stores it in the
// same commit as the scores it produced. After a crash Resume checks that these rows are still the same, and skips them. A file that has
// grown at its end is still the same.
//
// Memory does not grow with the input: a file is read twice, once for its digest and once for its rows, and never held.
//
// # Where things are
//
//	open.go            Open, OpenStream, Check
//	next.go            Next, Ready, Skip: one row after the other
//	ahead.go           rows that are read ahead of Next, and whether a row is too far ahead
//	row.go             one row: fields, score, member
//	resume.go          Position of an input, and Resume
//	input.go           Input and Event
//	position.go        Position and its text
//	header.go          the columns of a file, and their meaning
//	options.go         Options
//	unit.go            units of time
//	vote.go            the vote of the rows after a row on whether it is too far ahead
//	parse.go           values, members and names
//	source.go          gzip, and the checksum of a file
//	tap.go             the digest of the rows that were read
//	context_reader.go  reading a stream until a context ends
//	errors.go          errors and faults
package events
