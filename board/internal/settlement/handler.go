package settlement

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// Delivery is the program's side of the awards of a window: see local.Delivery.
type Delivery struct {
	Grant func(ctx context.Context, tx *engine.Tx, a awards.Award) error
	Keys  func(dst []string, a awards.Award) ([]string, error)
}

// Delivered counts what DeliverDue has done.
type Delivered struct {
	Granted int // awards
	Failed  int // calls of Grant for one award that failed
}

// Deliver sets the Delivery of a window: see Boards.Deliver.
func Deliver(b *catalog.Board, window string, d Delivery) error {
	st, t, err := b.Timeline(window)
	if err != nil {
		return err
	}
	delivers := func(s *state.Settlement) bool { return !s.Now().Plan.Claim } // of an earlier plan
	if p := st.Spec.PlanOf(window); p != nil && p.Claim && !slices.ContainsFunc(t.Settlements(), delivers) {
		return fmt.Errorf("%w for window %q of %q: its awards are claimed", awards.ErrPlan, window, st.Name)
	}
	if d.Grant == nil {
		b.Handlers.Delete(window)
		return nil
	}
	b.Handlers.Store(window, d)
	b.Env().WakeAwards()
	return nil
}

// deliveryOf returns the Delivery of a window.
func deliveryOf(b *catalog.Board, window string) (d Delivery, ok bool) {
	x, ok := b.Handlers.Load(window)
	if ok {
		d = x.(Delivery)
	}
	return d, ok
}

// handlerError is an error of the program's Delivery.
type handlerError struct{ error }

func (e *handlerError) Unwrap() error { return e.error }

// keys returns the keys of the sets that Grant uses for an award, appended to dst.
func (d Delivery) keys(dst []string, a awards.Award) (keys []string, err error) {
	if d.Keys == nil {
		return dst, nil
	}
	defer recoverTo(&err)
	keys, err = d.Keys(dst, a)
	if err != nil {
		return dst, &handlerError{err}
	}
	return keys, nil
}

// grant calls Grant.
func (d Delivery) grant(ctx context.Context, tx *engine.Tx, a awards.Award) (err error) {
	defer recoverTo(&err)
	if err := d.Grant(ctx, tx, a); err != nil {
		return &handlerError{err}
	}
	return nil
}

// recoverTo makes a panic of the program an error.
func recoverTo(err *error) {
	if x := recover(); x != nil {
		*err = &handlerError{fmt.Errorf("panic: %v\n%s", x, debug.Stack())}
	}
}

// isStop reports whether an error is none of an award: no other award can be delivered now either. What the program returns is never such an error: a store
// of its own may be closed.
func isStop(err error) bool {
	if errors.As(err, new(*handlerError)) {
		return false
	}
	for _, stop := range []error{engine.ErrClosed, engine.ErrPersistence, engine.ErrStalled, engine.ErrDiskFull, engine.ErrMemoryLimit} {
		if errors.Is(err, stop) {
			return true
		}
	}
	return false
}
