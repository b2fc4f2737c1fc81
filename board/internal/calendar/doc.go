// Package calendar computes with what the clocks of a time zone show: when they first show a given time, and where the hours,
// days, weeks, months and years of a calendar begin.
//
// # Terminology
//
//   - civil time: what a clock on the wall shows, a date and a time of day. Every date of the Gregorian calendar has 86,400
//     civil seconds; a leap second is none of them.
//   - offset: civil time less UTC, at an instant.
//   - shift: an instant at which a zone's offset changes. Set forward, the clocks leave civil times out; set back, they show
//     some a second time.
//   - first passage of a civil time: the first instant at which the clocks show that time or a later one.
//   - cell: an hour, day, week, month or year of civil time.
//
// # Why first passages
//
// A civil time alone names no instant: on the night when clocks go forward it does not come, and on the night when they go
// back it comes twice. What time.Date makes of it is not specified. First passages are always there, and order as the civil
// times do: if a is before b, the clocks have not passed b before they pass a. So the cells of a calendar, each from the first
// passage of its beginning to the first passage of the next, cut time into pieces without gaps or overlaps, whatever a
// government does to its clocks:
//
//   - a midnight that is left out (Beirut in spring): the day begins when the clocks jump, at 01:00;
//   - a midnight that comes twice (Havana in autumn): the day begins at the first;
//   - clocks set back across midnight (St. John's, until 2011, from 00:01 to 23:01): the new day has begun and goes on;
//   - a date that is left out (Apia, 2011-12-30): both first passages are the same instant, and the day is empty.
package calendar
