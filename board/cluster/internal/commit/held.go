package commit

import (
	"context"
	"time"
)

const (
	// HoldFor is how long an operator's call that has taken long may hold a member.
	HoldFor = time.Second
	// HeldPause is the time after which a submission looks again whether its member is held.
	HeldPause = 5 * time.Millisecond
	// heldLooks is how often it does, since clocks differ.
	heldLooks = int(HoldFor / HeldPause)
)

// WhileHeld calls read until no member that it has read is held, or HoldFor is over. Errors: those of read, that of ctx.
func WhileHeld(ctx context.Context, read func() (held bool, err error)) error {
	for range heldLooks {
		if held, err := read(); err != nil || !held {
			return err
		}
		select {
		case <-time.After(HeldPause):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}
