package settlement

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

const (
	// firstDelay and lastDelay are how long an award waits after its first failure, and after many: each delay is twice the one before.
	firstDelay = time.Second
	lastDelay  = time.Hour
	// maxReason is the length of the longest stored reason, in bytes.
	maxReason = 500
)

// note is what is stored beside an award that has failed or is withheld.
type note struct {
	Failures int    `json:"failures,omitempty"`
	Next     int64  `json:"next,omitempty"` // in microseconds after 1970
	Reason   string `json:"reason,omitempty"`
}

// delay returns how long an award waits after so many failures.
func delay(failures int) time.Duration {
	return min(lastDelay, firstDelay<<min(failures-1, 20))
}

// shortened returns a reason that can be stored.
func shortened(reason string) string {
	reason, _, _ = strings.Cut(reason, "\n")
	return strings.ToValidUTF8(reason[:min(len(reason), maxReason)], "")
}

// fail stores that the award of a member has failed.
func (w work) fail(ctx context.Context, member string, why error) error {
	if h := new(handlerError); errors.As(why, &h) {
		why = h.error
	}
	r := w.s.Retries[member]
	r.Failures++
	r.At = w.b.Engine().Now().Add(delay(r.Failures)).UnixMicro()
	err := w.change(ctx, member, func(tx *engine.Tx, set *engine.IntSet, s *state.Settling, e entry) error {
		if !e.waits(s) {
			return state.ErrAgain
		}
		e.flag = failed
		return w.putNoted(tx, set, s, member, e, note{r.Failures, r.At, shortened(why.Error())})
	})
	if err == nil {
		w.s.SetRetry(member, r)
	}
	return err
}

// change runs a transaction that changes the award of a member. Errors: ErrAgain, awards.ErrNoAward if there is none, those of fn and of the engine.
func (w work) change(ctx context.Context, member string, fn func(tx *engine.Tx, set *engine.IntSet, s *state.Settling, e entry) error) error {
	st, s := w.b.State(), w.s.Now()
	err := w.b.Owner().Update(ctx, []string{w.s.Key}, func(tx *engine.Tx) error {
		if err := w.b.CheckWritable(st); err != nil {
			return err
		}
		set, err := tx.IntSet(w.s.Key, s.Form())
		if err != nil {
			return err
		}
		e, ok := entryOf(set.IntView, member)
		if !ok {
			return fmt.Errorf("%w: %q in %s of %q", awards.ErrNoAward, member, w.s.Period, st.Name)
		}
		return fn(tx, set, s, e)
	})
	w.reload(ctx, err)
	return err
}

// putNoted stores the award of a member with a note.
func (w work) putNoted(tx *engine.Tx, set *engine.IntSet, s *state.Settling, member string, e entry, n note) error {
	text, err := json.Marshal(n)
	if err == nil {
		err = tx.Put(boardkey.Note(w.b.State().Name, w.s.Window, w.s.Period, member), text)
	}
	if err != nil {
		return err
	}
	return putEntry(set, s, member, e)
}

// reload reads what a transaction may have changed although it returned an error: see engine.ErrStalled.
func (w work) reload(ctx context.Context, err error) {
	if err == nil || !errors.Is(err, engine.ErrStalled) && !errors.Is(err, engine.ErrPersistence) {
		return
	}
	_ = w.b.Engine().View(context.WithoutCancel(ctx), func(tx *engine.Tx) error {
		n, err := storedWaiting(tx, w.b.State().Name, w.s)
		if err == nil {
			w.s.Waiting.Store(int64(n))
		}
		return err
	})
}
