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

// describe is what a key holds, in words.
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

// TimeText is a time by the clock of scripts, or "never".
func TimeText(at time.Time, ok bool) string {
	if !ok {
		return "never"
	}
	return at.Sub(script.Begin).String()
}

// named are the errors that callers are promised, by what a reply calls them.
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

// Outcome is a reply, or an error that callers are promised. Any other error is a failure of the layer, and its text will
// differ from the oracle's reply.
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

// walk lists what a walk yields.
func walk[S zset.Score](seq iter.Seq2[[]byte, S]) string {
	var b strings.Builder
	for member, score := range seq {
		fmt.Fprintf(&b, "%q=%s ", member, script.Number(score))
	}
	return b.String()
}

// EntriesText lists entries with their ties.
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
