package wire

import (
	"math"
)

// Limits are the most that a Reader takes from a client. Zero or less means the default; more than 2 GiB means 2 GiB.
type Limits struct {
	Args    int // words of a request; default 1,048,576
	Bulk    int // bytes of a word; default 64 MiB
	Request int // bytes of a request, its lengths and ends of lines included; default 64 MiB
	Inline  int // bytes of a line: an inline request, or one that announces a length; default 64 KiB, as Redis
}

// The limits of unauthenticated clients, as in Redis.
const (
	restrictedArgs = 10
	restrictedBulk = 16384
)

func (l Limits) withDefaults() Limits {
	orDefault := func(n, otherwise int) int {
		if n <= 0 {
			return otherwise
		}
		return min(n, math.MaxInt32)
	}
	return Limits{
		Args:    orDefault(l.Args, 1<<20),
		Bulk:    orDefault(l.Bulk, 64<<20),
		Request: orDefault(l.Request, 64<<20),
		Inline:  orDefault(l.Inline, 64<<10),
	}
}

// A ProtocolError is the error of bytes that are not a request. The Reader cannot find the next request after one: tell the client, and close
// the connection.
type ProtocolError struct {
	text string
}

// Error returns Redis's words, from "Protocol error: " on; a client gets them after "-ERR ".
func (e *ProtocolError) Error() string { return "Protocol error: " + e.text }

func refused(text string) error { return &ProtocolError{text} }
