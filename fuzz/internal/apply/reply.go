package apply

import (
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/fuzz/internal/script"
	"github.com/zrankdb/zrank/zset"
)

// describe writes a Stat.
func describe(st engine.Stat) string {
	if !st.Exists {
		return "nothing"
	}
	scores := "float64"
	if st.Ints {
		scores = fmt.Sprintf("int64 dense=%v", st.Form.Dense)
	}
	return fmt.Sprintf("%s ties=%d members=%d until %s", scores, st.Form.TieWidth, st.Members, TimeText(st.Expires, !st.Expires.IsZero()))
}

// TimeText writes a time as the duration since script.Begin, or "never".
func TimeText(at time.Time, ok bool) string {
	if !ok {
		return "never"
	}
	return at.Sub(script.Begin).String()
}

// named are the documented errors, with their names in replies.
var named = []struct {
	err  error
	name string
}{
	{zset.ErrNaN, "not a number"},
	{zset.ErrTieWidth, "tie width"},
	{engine.ErrTieWidth, "tie width"},
	{zset.ErrOverflow, "overflow"},
	{zset.ErrXXAndNX, "condition"},
	{zset.ErrGTLTNX, "condition"},
	{engine.ErrNoSet, "no set"},
	{engine.ErrKind, "kind"},
	{engine.ErrConflict, "conflict"},
}

// Outcome returns a reply, or the name of a documented error. Any other error is a failure of the layer: its text differs from the
// oracle's reply.
func Outcome(reply any, err error) string {
	if err == nil {
		return fmt.Sprint(reply)
	}
	for _, n := range named {
		if errors.Is(err, n.err) {
			return n.name
		}
	}
	return "error: " + err.Error()
}

// walk writes the entries of a walk.
func walk[S zset.Score](seq iter.Seq2[[]byte, S]) string {
	var b strings.Builder
	for member, score := range seq {
		fmt.Fprintf(&b, "%q=%s ", member, script.Number(score))
	}
	return b.String()
}

// EntriesText writes entries with their ties.
func EntriesText[S zset.Score](entries []zset.EntryOf[S]) string {
	var b strings.Builder
	for _, e := range entries {
		fmt.Fprintf(&b, "%q=%s", e.Member, script.Number(e.Score))
		if len(e.Tie) > 0 {
			fmt.Fprintf(&b, "/%x", e.Tie)
		}
		b.WriteByte(' ')
	}
	return b.String()
}
