package routes

import (
	"encoding/base64"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/zrankdb/zrank/engine/board"
)

// pins are rankings that callers have pinned. Each stays until it has not been used for a while.
type pins struct {
	now  func() time.Time
	ids  io.Reader     // of random bytes
	most int           // how many there may be
	keep time.Duration // how long each stays after its last use
	mu   sync.Mutex
	held map[string]*pin
}

type pin struct {
	ranking board.Ranking
	used    time.Time
	by      string // who has pinned it: no other caller may read it
}

func newPins(now func() time.Time, ids io.Reader, most int, keep time.Duration) *pins {
	return &pins{now: now, ids: ids, most: most, keep: keep, held: map[string]*pin{}}
}

// expire drops the pins that have not been used for long enough. The caller holds mu.
func (p *pins) expire(now time.Time) {
	for id, x := range p.held {
		if now.Sub(x.used) >= p.keep {
			delete(p.held, id)
		}
	}
}

// add keeps a ranking that pin returns, and returns its id. Error: errPins.
func (p *pins) add(caller string, pinned func() (board.Ranking, error)) (id string, err error) {
	x := &pin{used: p.now(), by: caller}
	var random [16]byte
	p.mu.Lock()
	_, err = io.ReadFull(p.ids, random[:])
	if err != nil {
		p.mu.Unlock()
		return "", fmt.Errorf("api: no random bytes: %w", err)
	}
	id = base64.RawURLEncoding.EncodeToString(random[:])
	p.expire(x.used)
	full := len(p.held) >= p.most
	if !full {
		p.held[id] = x // takes its place while the ranking is copied
	}
	p.mu.Unlock()
	if full {
		return "", errPins
	}
	k, err := pinned()
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil {
		delete(p.held, id)
		return "", err
	}
	x.ranking, x.used = k, p.now()
	p.held[id] = x
	return id, nil
}

// get returns a pinned ranking of a caller. Error: errPin.
func (p *pins) get(caller, id string) (board.Ranking, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	p.expire(now)
	x := p.held[id]
	if x == nil || x.ranking == nil || x.by != caller {
		return nil, errPin
	}
	x.used = now
	return x.ranking, nil
}

// drop drops a pinned ranking of a caller.
func (p *pins) drop(caller, id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if x := p.held[id]; x != nil && x.by == caller {
		delete(p.held, id)
	}
}
