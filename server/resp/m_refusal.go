package resp

import (
	"errors"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// refusal is an error in Redis's words: the reply without its "-". A command that returns one has changed nothing.
type refusal string

// Error returns the words.
func (r refusal) Error() string { return string(r) }

const (
	errSyntax     = refusal("ERR syntax error")
	errWrongType  = refusal("WRONGTYPE Operation against a key holding the wrong kind of value")
	errNotInteger = refusal("ERR value is not an integer or out of range")
	errNotFloat   = refusal("ERR value is not a valid float")
	errPositive   = refusal("ERR value is out of range, must be positive")
	errNoKey      = refusal("ERR no such key")
	errDatabase   = refusal("ERR DB index is out of range")
	errReadOnly   = refusal("READONLY sets of boards, and others with int64 scores, are changed by the program or by BOARD.SUBMIT")
)

func errArity(name string) refusal {
	return refusal("ERR wrong number of arguments for '" + name + "' command")
}

// words are errors from below as clients hear them; what is not here is "ERR" and its text.
var words = []struct {
	err  error
	said refusal
}{
	{zset.ErrNaN, "ERR resulting score is not a number (NaN)"},
	{zset.ErrXXAndNX, "ERR XX and NX options at the same time are not compatible"},
	{zset.ErrGTLTNX, "ERR GT, LT, and/or NX options at the same time are not compatible"},
	{engine.ErrKind, errReadOnly},
	{engine.ErrReserved, errReadOnly},
	{engine.ErrMemoryLimit, "OOM command not allowed when used memory > 'maxmemory'."},
	{engine.ErrDiskFull, "MISCONF the disk is full: nothing can be stored until there is space"},
	{engine.ErrPersistence, "MISCONF the disk has failed: nothing can be stored any more"},
	{engine.ErrStalled, "MISCONF the disk does not answer: it is not known whether this is stored"},
}

// refused returns an error as clients hear it.
func refused(err error) refusal {
	var r refusal
	if errors.As(err, &r) {
		return r
	}
	for _, w := range words {
		if errors.Is(err, w.err) {
			return w.said
		}
	}
	return refusal("ERR " + err.Error())
}
