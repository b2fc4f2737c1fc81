package ratelimit

import (
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/hangtest"
	"github.com/zrankdb/zrank/internal/testclock"
)

// TestInTx: inside a closure of the engine every call of a limiter returns ErrInTx at once, except AllowTx, which is part of the transaction.
func TestInTx(t *testing.T) {
	e := newMemory(t, testclock.New())
	l := mustNew(t, e, "api", Limit{Max: 10, Window: time.Second})
	refused := map[string]func() error{
		"Allow":    func() error { _, err := l.Allow(t.Context(), "ada", 1); return err },
		"Peek":     func() error { _, err := l.Peek(t.Context(), "ada", 1); return err },
		"Reset":    func() error { return l.Reset(t.Context(), "ada") },
		"AllowAll": func() error { _, err := AllowAll(t.Context(), Ask{l, "ada", 1}); return err },
	}
	known := []string{"AllowTx", "SetKey"}
	for name := range refused {
		if name != "AllowAll" {
			known = append(known, name)
		}
	}
	var methods []string
	for i, typ := 0, reflect.TypeOf(l); i < typ.NumMethod(); i++ {
		methods = append(methods, typ.Method(i).Name)
	}
	require.ElementsMatch(t, methods, known)
	closure := func(tx *engine.Tx) error {
		for name, call := range refused {
			require.ErrorIs(t, call(), engine.ErrInTx, name)
		}
		return nil
	}
	hangtest.Do(t, func() {
		require.NoError(t, e.View(t.Context(), closure, l.SetKey("ada")))
		require.NoError(t, e.Update(t.Context(), func(tx *engine.Tx) error {
			r, err := l.AllowTx(tx, "ada", 3)
			require.NoError(t, err)
			require.Equal(t, 7, r.Remaining)
			return closure(tx)
		}, l.SetKey("ada")))
		require.Equal(t, 6, mustAllow(t, l, "ada", 1).Remaining, "what was refused has not been counted")
	})
}
