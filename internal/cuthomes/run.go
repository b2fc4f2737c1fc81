package cuthomes

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/internal/cutcontext"
)

// Run ends the context of every call at looks 0, 1, 3, 7 and so on that the call has at it. The call then returns the error of the context. At look 0 nothing has
// changed, nor without ErrUndecided or ErrNoRanks if the call is one commit; several are the calls that are more. The same call with another context then does the
// rest: all is as if it had not been cut. No goroutine is left. deaf are the calls that never look at their context.
func Run(t *testing.T, open func(t *testing.T) World, several, deaf []string) {
	first := filled(t, open)
	all, err := callsOf(first.Store())
	check(t, err)
	check(t, first.Close())
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) {
			running := runtime.NumGoroutine()
			whole := filled(t, open)
			before := state(whole.Stored())
			want := call(t, whole, name, context.Background())
			after := state(whole.Stored())
			check(t, whole.Close())
			cuts := 0
			for n := 0; cut(t, open, name, n, before, want, after, !slices.Contains(several, name)); n += 1 + n {
				cuts++
			}
			if looks := cuts > 0; looks == slices.Contains(deaf, name) && !errors.Is(want, board.ErrUnsupported) {
				t.Errorf("the call has been cut %d times, and returns %v", cuts, want)
			}
			for begun := time.Now(); runtime.NumGoroutine() > running; <-time.After(time.Millisecond) {
				if time.Since(begun) > 10*time.Second {
					stacks := make([]byte, 1<<16)
					t.Fatalf("%d goroutines are left: %s", runtime.NumGoroutine()-running, stacks[:runtime.Stack(stacks, true)])
				}
			}
		})
	}
}

// cut ends a call at a look, and reports whether the call had that look.
func cut(t *testing.T, open func(t *testing.T) World, name string, n int, before string, want error, after string, isOneCommit bool) bool {
	t.Helper()
	w := filled(t, open)
	defer func() { check(t, w.Close()) }()
	err := call(t, w, name, cutcontext.After(n))
	check(t, w.Settle())
	is := state(w.Stored())
	if !errors.Is(err, context.Canceled) {
		same(t, n, "the error", fmt.Sprint(want), fmt.Sprint(err))
		same(t, n, "the boards", after, is)
		return false
	}
	switch {
	case errors.Is(err, board.ErrNoRanks) || isOneCommit && is != before && errors.Is(err, board.ErrUndecided):
		same(t, n, fmt.Sprintf("the boards after %v", err), after, is)
	case n == 0 || isOneCommit:
		same(t, n, fmt.Sprintf("the boards after %v", err), before, is)
	}
	if is != after {
		again := call(t, w, name, context.Background())
		for _, known := range []error{board.ErrBanned, board.ErrHidden, board.ErrBusy, board.ErrNotBanned, board.ErrNotHidden, board.ErrExists} {
			if errors.Is(again, known) { // the change goes on by itself
				again = want
			}
		}
		same(t, n, "the error of the second call", fmt.Sprint(want), fmt.Sprint(again))
		same(t, n, "the boards after the second call", after, state(w.Stored()))
	}
	return true
}

// filled opens a world with something for every call to do.
func filled(t *testing.T, open func(t *testing.T) World) World {
	t.Helper()
	w := open(t)
	check(t, fill(w))
	return w
}

// call makes a call.
func call(t *testing.T, w World, name string, ctx context.Context) error {
	t.Helper()
	all, err := callsOf(w.Store())
	check(t, err)
	return all[name](ctx)
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func same(t *testing.T, n int, what, want, got string) {
	t.Helper()
	if want != got {
		t.Fatalf("look %d: %s:\n%s\nwant\n%s", n, what, got, want)
	}
}
