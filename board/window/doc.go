// Package window says how the time of a board is cut into periods: which period a moment lies in, when it ends, and what it
// is called.
//
//	w := window.Window{Kind: window.Week, Start: window.Sunday, TimeZone: "America/New_York"}
//	c, err := w.Calendar()
//	p, err := c.At(time.Now()) // p.Name is "2026-11-15", p.End the next Sunday 00:00 in New York
//
// It is pure: it reads no clock and stores nothing. Package board re-exports its types: board.Window.
//
// # Terminology
//
//   - window: one way to cut time, as a spec describes it.
//   - period: one piece of time, [Start, End): it includes Start and excludes End. Both are whole seconds.
//   - calendar: a window with its zone loaded, which finds periods.
//   - civil time, shift, first passage: see package calendar. The clocks are those of the window's zone.
//   - grace: for how long after its end a period still takes results that lie in it.
//
// # Kinds
//
//	kind     periods                                   names, for example
//	all      one, without beginning or end             all
//	hour     an hour on the clock                      2026-11-20T15
//	day      a date                                    2026-11-20
//	week     seven dates, from Start                   2026-W47 (ISO 8601) from Monday, else its first day, 2026-11-15
//	month    a month of the calendar                   2026-11
//	year     a year of the calendar                    2026
//	every    Every of elapsed time, from Anchor on     2026-11-20T15:00:00Z, its start in UTC, whatever the zone
//	seasons  those listed, perhaps with gaps           the season's
//	event    one season                                the season's, or event
//	rolling  one, of the results of the last Span      all
//
// # What it promises
//
//   - W1: an hour, day, week, month or year begins at the first passage of its first civil second. So days have 23, 24 or 25
//     hours as the clocks have it, and a date that a zone left out (2011-12-30 in Apia) is no period.
//   - W2: the periods of one window do not overlap. Except between seasons, they leave no gaps: the End of each is the Start of
//     the next, and every moment whose period can be named lies in exactly one.
//   - W3: names identify periods, and order as text as the periods do in time; those of seasons order as the seasons are
//     listed. Names hold letters, digits, '-', '_' and ':', never '/' or '%'.
//   - W4: years are 0 to 9999, those that names are written with. A moment whose period begins outside of them is ErrTime.
//
// # Hours when clocks are set back
//
// By W1 alone an hour could last two: on the night when the clocks go back from 03:00 to 02:00, two hours pass between the first
// passage of 02:00 and that of 03:00. So a cell of two hours or more is cut after each full hour, and the last piece takes the
// rest. The second piece has a b after its name, the third a c, and so on, as German railways number such hours 2A and 2B:
//
//	Berlin       03:00 -> 02:00   02 and 02b, 60 minutes each
//	St. John's   00:01 -> 23:01   00 is the minute before and the 59 after the shift, 00b the hour that follows (1988: 00c too)
//	Lord Howe    02:00 -> 01:30   01 is 90 minutes
//	Lord Howe    02:00 -> 02:30   02 is 30 minutes
//	Berlin       02:00 -> 03:00   01 is followed by 03
//
// # Zones
//
// Zones are those of the IANA database that package time finds: on the machine, or in a program that imports time/tzdata.
// Governments change their clocks, and the database follows: periods that lie ahead may then begin and end at other moments.
// The name of a period that has begun stays as it is.
//
// # Where things are
//
//	window.go, weekday.go, duration.go        Window and what it is made of
//	calendar.go                               Calendar: which period a moment lies in
//	run.go                                    run: a period as seconds and a name; cut, what cuts time into runs
//	tiles.go, cells.go, hours.go, seasons.go  how each kind cuts time
//	text.go, json.go                          windows as text and in spec files
//	validate.go, differences.go, errors.go    wrong windows; what two windows differ in; the errors
package window
