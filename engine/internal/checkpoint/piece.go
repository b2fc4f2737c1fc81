package checkpoint

import (
	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/persist"
)

// A piece also ends after so many sets, or when the sets that were read for it take so many bytes in memory.
const (
	pieceSets   = 128
	loadedBytes = 1 << 20
)

// piece is a part of a write-out.
type piece struct {
	most   int64           // the bytes of pages after which it ends
	loaded []*keyspace.Set // the sets that were read for it, because of blind writes
	bytes  int             // that these take in memory
}

// loadFor loads a set that is on the disk only if blind writes have changed it.
func (c *Manager) loadFor(p *piece, s *keyspace.Set) error {
	if !blind(s) {
		return nil
	}
	n, err := c.Load(s)
	if err == nil {
		p.loaded, p.bytes = append(p.loaded, s), p.bytes+n
	}
	return err
}

// full reports whether the piece ends after so many sets.
func (p *piece) full(sn *persist.Snapshot, written int) bool {
	return written >= pieceSets || sn.Bytes() >= p.most || p.bytes >= loadedBytes
}

// blind reports whether blind writes have changed a set that is on the disk only.
func blind(s *keyspace.Set) bool {
	s.Mu.RLock()
	defer s.Mu.RUnlock()
	return s.Exists && !s.Gone && s.Blind() != nil
}
