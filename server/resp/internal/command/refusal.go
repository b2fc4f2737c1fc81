package command

import (
	"errors"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// Refusal is an error in Redis's words: the reply without its "-". A command that returns one has changed nothing.
type Refusal string

// Error returns the words.
func (r Refusal) Error() string { return string(r) }

// The refusals of several commands. Each command has its own where it refuses what others do not.
const (
	ErrSyntax     = Refusal("ERR syntax error")
	ErrWrongType  = Refusal("WRONGTYPE Operation against a key holding the wrong kind of value")
	ErrNotFloat   = Refusal("ERR value is not a valid float")
	ErrPositive   = Refusal("ERR value is out of range, must be positive")
	ErrNoKey      = Refusal("ERR no such key")
	ErrReadOnly   = Refusal("READONLY sets of boards, and others with int64 scores, are changed by the program or by BOARD.SUBMIT")
	ErrCursor     = Refusal("ERR invalid cursor")
	errNotInteger = Refusal("ERR value is not an integer or out of range")
	errDatabase   = Refusal("ERR DB index is out of range")
)

// ErrArity returns the refusal of a request with a wrong number of words.
func ErrArity(name string) Refusal {
	return Refusal("ERR wrong number of arguments for '" + name + "' command")
}

// replies are the replies for errors of the engine and of sets. Other errors are "ERR" and their text.
var replies = []struct {
	err   error
	reply Refusal
}{
	{zset.ErrNaN, "ERR resulting score is not a number (NaN)"},
	{zset.ErrXXAndNX, "ERR XX and NX options at the same time are not compatible"},
	{zset.ErrGTLTNX, "ERR GT, LT, and/or NX options at the same time are not compatible"},
	{engine.ErrKind, ErrReadOnly},
	{engine.ErrReserved, ErrReadOnly},
	{engine.ErrMemoryLimit, "OOM command not allowed when used memory > 'maxmemory'."},
	{engine.ErrDiskFull, "MISCONF the disk is full: nothing can be stored until there is space"},
	{engine.ErrPersistence, "MISCONF the disk has failed: nothing can be stored any more"},
	{engine.ErrStalled, "MISCONF the disk does not answer: a write may be stored or not"},
}

// Refuse returns the refusal that answers an error.
func Refuse(err error) Refusal {
	var r Refusal
	if errors.As(err, &r) {
		return r
	}
	for _, known := range replies {
		if errors.Is(err, known.err) {
			return known.reply
		}
	}
	return Refusal("ERR " + err.Error())
}
