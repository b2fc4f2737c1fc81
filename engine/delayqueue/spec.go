package delayqueue

import (
	"errors"
	"fmt"
	"strings"

	"github.com/zrankdb/zrank/engine"
)

const (
	// MaxID is the length of the longest ID, in bytes.
	MaxID = 1 << 10
	// MaxName is the length of the longest name of a queue, in bytes.
	MaxName = 1 << 10
	// MaxLease is the maximum number of items that one call leases.
	MaxLease = 1000
	// defaultPayload is the default of Spec.MaxPayload, and maxPayload its maximum, in bytes.
	defaultPayload, maxPayload = 1 << 20, 8 << 20
)

// Spec is the name of a queue and how it treats its items. It is not stored; the items are, under the name.
type Spec struct {
	// Name keeps the items of this queue apart from those of others: 1 to MaxName bytes.
	Name string
	// MaxDeliveries is how often an item is delivered before it is dead. 0 means any number of times.
	MaxDeliveries int
	// MaxPayload is the length of the longest payload that Push takes, in bytes, up to 8 MiB. 0 means 1 MiB.
	MaxPayload int
}

// Validate returns one error that names every field with an impossible value, or nil. The error is ErrSpec.
func (s Spec) Validate() error {
	var errs []error
	if len(s.Name) == 0 || len(s.Name) > MaxName {
		errs = append(errs, fmt.Errorf("%w: Name has %d bytes: want 1 to %d", ErrSpec, len(s.Name), MaxName))
	}
	if s.MaxDeliveries < 0 {
		errs = append(errs, fmt.Errorf("%w: MaxDeliveries is %d: want 0 or more", ErrSpec, s.MaxDeliveries))
	}
	if s.MaxPayload < 0 || s.MaxPayload > maxPayload {
		errs = append(errs, fmt.Errorf("%w: MaxPayload is %d: want 0 to %d", ErrSpec, s.MaxPayload, maxPayload))
	}
	return errors.Join(errs...)
}

// Queue is an open queue. Its methods may be called from any goroutine.
type Queue struct {
	e      *engine.Engine
	spec   Spec
	prefix string
	keys   []string // of the sets: ready, leased, dead

	// turn is held by the one goroutine that watches the time; changed tells it to look again.
	turn    chan struct{}
	changed chan struct{}
}

const prefix = "delayqueue/"

var escape = strings.NewReplacer("%", "%25", "/", "%2F")

// Open returns the queue with spec.Name on an engine, with the items it holds. It stores nothing. Errors: ErrSpec.
func Open(e *engine.Engine, spec Spec) (*Queue, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	if spec.MaxPayload == 0 {
		spec.MaxPayload = defaultPayload
	}
	p := prefix + escape.Replace(spec.Name) + "/"
	return &Queue{
		e: e, spec: spec, prefix: p, keys: []string{p + "ready", p + "leased", p + "dead"},
		turn: make(chan struct{}, 1), changed: make(chan struct{}, 1),
	}, nil
}

// Keys appends the keys of the queue's sets to dst: a hint for the transaction of PushTx or AckTx: see engine.Engine.Update.
func (q *Queue) Keys(dst []string) []string { return append(dst, q.keys...) }
