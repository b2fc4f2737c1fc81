// Package wire parses Redis requests and builds replies. It knows no network, no commands and no clock. It accepts and refuses exactly the
// requests that Redis accepts and refuses, and writes numbers as Redis does.
//
// A [Reader] reads bytes from a connection and returns requests as lists of words. A [Writer] builds replies, in RESP2 or RESP3, in a slice
// of bytes. Scores have a text of their own: see [AppendScore] and [ParseScore].
//
// # Where things are
//
//	reader.go   Reader
//	request.go  requests as arrays of words
//	buffer.go   the memory of a Reader
//	inline.go   inline requests, as a person types them
//	limits.go   Limits, ProtocolError
//	writer.go   the kinds of replies
//	blocks.go   the memory of a Writer
//	output.go   Writer and its Bounds
//	score.go    scores as replies show them
//	number.go   scores and bounds as clients write them
//	integer.go  integers as clients write them
package wire
