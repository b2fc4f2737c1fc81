package engine

import (
	"time"

	"github.com/zrankdb/zrank/engine/internal/facts"
)

// Stat is what a key holds, whatever its kind.
type Stat struct {
	Exists   bool      // it has members; otherwise all other fields are zero
	Ints     bool      // it has int64 scores
	Form     Form      // its tie width; if Ints, the rest too
	Members  int       // 1 or more
	Size     int       // bytes of memory of its entries, as zset.View.Size
	Encoding string    // "listpack" or "skiplist", as Redis OBJECT ENCODING
	LastSeq  uint64    // see Set.LastSeq: the transaction's own changes do not count
	Expires  time.Time // when it vanishes; zero: never
}

// Stat describes what a key holds, including the transaction's own changes. The transaction must have named the key. A caller can use Stat
// to choose between a Set and an IntSet. O(1). Errors: ErrNotNamed, ErrTxDone.
func (tx *Tx) Stat(key string) (Stat, error) {
	h, err := readHandle(tx, key)
	if err != nil || h.view == nil || h.view.Len() == 0 {
		return Stat{}, err
	}
	f, v := facts.LayoutOf(h.view), h.view
	st := Stat{Exists: true, Ints: f.Ints, Form: formOf(f), Members: v.Len(), Size: v.Size(), Encoding: v.Encoding(), LastSeq: h.lastSeq()}
	st.Expires, _ = h.expiry()
	return st, nil
}
