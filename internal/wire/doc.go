// Package wire is the JSON of the HTTP API, as Go types, with conversions to and from those of package board. The server and the client of
// package remote use the same types.
//
// # Rules
//
//   - W1: names of members, metadata and other bytes are Text: JSON strings. Bytes that JSON strings cannot hold are "base64:" and base64url.
//   - W2: a score is an array with one number for each column; null is absent. Numbers are exact as they are written. Where a reader of JSON that
//     knows float64 only would lose digits, scoreText has the same numbers as strings. A request may have strings in the place of numbers.
//   - W3: times are RFC 3339, those of periods with the offset of the window's zone. Durations are texts such as 48h.
//   - W4: ranks and places count from 1. Fields that are zero or empty are left out, unless 0 or false tells something.
//   - W5: what a conversion to JSON loses is nothing: From(To(x)) is x, but for the kind of a number (see Score) and the name of a zone.
//
// # Where things are
//
//	text.go, score.go     Text; Score and Value
//	row.go                rows, and what reads of rankings return
//	ranking.go            which ranking it is, and its periods
//	submit.go             submissions and what they did
//	places.go             places of a member; actions of operators; the audit log
//	moderation.go         what changes of members did
//	awards.go             awards, settlements
//	groups.go, leagues.go groups; cohorts
//	unions.go             stored unions
//	journal.go, event.go  the journal; the feed
//	append.go             the JSON of rows and changes, without reflection
//	codes.go              errors: their codes and statuses
//	details.go            fields of typed errors
package wire
