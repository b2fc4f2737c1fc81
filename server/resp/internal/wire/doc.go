// Package wire takes Redis requests apart and puts replies together: bytes in, words out, and back. It knows no network, no
// commands and no clock, and is as exact as Redis is about what it accepts, what it refuses and how numbers look.
//
// A [Reader] is fed by whoever has the connection and hands out requests as lists of words; a [Writer] builds replies, in
// RESP2 or RESP3, in a slice of bytes. Scores have a text of their own: see [AppendScore] and [ParseScore].
package wire
