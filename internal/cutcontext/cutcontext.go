// Package cutcontext has contexts that end when a call looks at them for the nth time. Tests end a call at each of its looks, one after the other.
//
// # Where things are
//
//	cutcontext.go  After
package cutcontext

import (
	"context"
	"sync/atomic"
	"time"
)

// After returns a context that ends at look n, from 0. A look is a call of Err or Done.
func After(n int) context.Context {
	parent, cancel := context.WithCancel(context.Background())
	c := &cut{parent: parent, cancel: cancel}
	c.left.Store(int64(n))
	return c
}

type cut struct {
	parent context.Context
	cancel context.CancelFunc
	left   atomic.Int64 // looks before the one that ends it
}

func (c *cut) look() {
	if c.left.Add(-1) < 0 {
		c.cancel()
	}
}

// Deadline implements context.Context.
func (c *cut) Deadline() (time.Time, bool) { return time.Time{}, false }

// Done implements context.Context.
func (c *cut) Done() <-chan struct{} {
	c.look()
	return c.parent.Done()
}

// Err implements context.Context.
func (c *cut) Err() error {
	c.look()
	return c.parent.Err()
}

// Value implements context.Context.
func (c *cut) Value(key any) any { return c.parent.Value(key) }
