package engine

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/internal/model"
)

// world is the expected contents of an engine. A world is never changed after its commit: a transaction copies only the sets that it names, so a
// history of worlds takes little memory.
type world struct {
	sets    map[string]*oracle
	private map[string]string
}

// oracle is one set.
type oracle struct {
	*model.Set
	width   int
	form    *Form // of a set with int64 scores, see intEntry; nil: float64
	version uint64
	expires int64 // seconds; 0: never

	fresh  bool    // the transaction has made it
	origin *oracle // its state before the transaction
}

func (o *oracle) expired(now int64) bool { return o.expires != 0 && o.expires <= now }

func newWorld() *world { return &world{map[string]*oracle{}, map[string]string{}} }

func (o *oracle) clone() *oracle {
	c := &oracle{Set: model.New(), width: o.width, form: o.form, version: o.version, expires: o.expires, origin: o}
	for _, e := range o.All() {
		c.Put(e)
	}
	return c
}

func (o *oracle) same(p *oracle) bool {
	return p != nil && o.origin == p && o.expires == p.expires && o.kind() == p.kind() && slices.Equal(o.All(), p.All())
}

// String returns the whole world as text, so that worlds compare exactly and a difference can be read.
func (w *world) String() string {
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(w.sets)) {
		o := w.sets[key]
		fmt.Fprintf(&b, "set %q width %s version %d expires %d:%s\n", key, o.kind(), o.version, o.expires, o.text(o.All()))
	}
	for _, key := range slices.Sorted(maps.Keys(w.private)) {
		fmt.Fprintf(&b, "private %q = %q\n", key, w.private[key])
	}
	return b.String()
}

// kind is the width of ties, and the rest of the form of a set with int64 scores.
func (o *oracle) kind() string {
	if o.form == nil {
		return fmt.Sprint(o.width)
	}
	return fmt.Sprintf("%+v", *o.form)
}

func entriesText(entries []model.Entry) string {
	var b strings.Builder
	for _, e := range entries {
		fmt.Fprintf(&b, " %q=%v/%x", e.Member, e.Score, e.Tie)
	}
	return b.String()
}

// modelTx is a transaction on a world.
type modelTx struct {
	before, w *world
	used      []string // keys, each once
	now       int64
	private   bool // a private key was put or deleted
}

// visible returns the world without expired sets.
func (w *world) visible(now int64) *world {
	v := &world{maps.Clone(w.sets), w.private}
	maps.DeleteFunc(v.sets, func(_ string, o *oracle) bool { return o.expired(now) })
	return v
}

func (w *world) begin(keys []string, now int64) *modelTx {
	m := &modelTx{before: w, w: &world{maps.Clone(w.sets), maps.Clone(w.private)}, now: now}
	for _, key := range keys {
		m.use(key)
	}
	return m
}

// use makes a set one of the transaction.
func (m *modelTx) use(key string) {
	if slices.Contains(m.used, key) {
		return
	}
	m.used = append(m.used, key)
	if o := m.w.sets[key]; o != nil && o.expired(m.now) {
		delete(m.w.sets, key)
	} else if o != nil {
		m.w.sets[key] = o.clone()
	}
}

func (m *modelTx) drop(key string) string {
	o, failed := m.any(key)
	if failed != "" {
		return failed
	}
	if o.Len() > 0 {
		m.w.sets[key] = &oracle{Set: model.New(), fresh: true}
	}
	return fmt.Sprint(o.Len() > 0)
}

// pass is Rename or Copy: how is "rename" or "copy".
func (m *modelTx) pass(how, from, to string) string {
	f, failed := m.any(from)
	if failed != "" {
		return failed
	}
	if _, failed = m.any(to); failed != "" {
		return failed
	}
	if f.Len() == 0 {
		return errText(ErrNoSet)
	}
	switch {
	case from == to:
	case how == "copy":
		c := f.clone()
		c.version, c.fresh, c.origin = uint64(f.Len()), true, nil
		m.w.sets[to] = c
	default:
		if !f.fresh {
			f.version++
		}
		m.w.sets[to] = f
		m.w.sets[from] = &oracle{Set: model.New(), fresh: true}
	}
	return ""
}

// any returns a set of either kind, or the error's text.
func (m *modelTx) any(key string) (*oracle, string) {
	if facts.Reserved(key) && !slices.Contains(m.used, key) {
		return nil, errText(ErrNotNamed)
	}
	m.use(key)
	o := m.w.sets[key]
	if o == nil {
		o = &oracle{Set: model.New(), fresh: true}
		m.w.sets[key] = o
	}
	return o, ""
}

// set returns a set as Tx.Set and Tx.SetTied do, or the error's text; width < 0 is Tx.Set. A set that does not exist takes the given width while
// it is empty.
func (m *modelTx) set(key string, width int) (*oracle, string) {
	o, failed := m.any(key)
	if failed != "" {
		return nil, failed
	}
	if o.fresh && o.Len() == 0 && (width >= 0 || o.form != nil) {
		o.width, o.form = max(width, 0), nil
	}
	if o.form != nil {
		return nil, errText(ErrKind)
	}
	if width >= 0 && o.width != width {
		return nil, errText(ErrTieWidth)
	}
	return o, ""
}

// commit returns the world after the transaction, and whether the log gets a commit. A set that has not changed keeps its version; a set without
// members is dropped.
func (m *modelTx) commit() (*world, bool) {
	changed := m.private
	for _, key := range m.used {
		was, is := m.before.sets[key], m.w.sets[key]
		switch {
		case is == nil:
			changed = changed || was != nil
		case is.same(was):
			m.w.sets[key] = was
		case is.Len() == 0:
			delete(m.w.sets, key)
			changed = changed || was != nil
		default:
			changed = true
			is.fresh, is.origin = false, nil
		}
	}
	return m.w, changed
}

// stateOf reads all that an engine holds, in one View.
func stateOf(e *Engine) (*world, error) {
	keys, err := e.Keys("")
	if err != nil {
		return nil, err
	}
	w := newWorld()
	err = e.View(context.Background(), func(tx *Tx) error {
		for _, key := range keys {
			if w.sets[key], err = readAny(tx, key); err != nil {
				return err
			}
		}
		for kv, err := range tx.Scan("") {
			if err != nil {
				return err
			}
			w.private[string(kv.Key)] = string(kv.Value)
		}
		return nil
	}, keys...)
	return w, err
}

// readAny copies a set of either kind; nil: there is none.
func readAny(tx *Tx, key string) (*oracle, error) {
	h, err := anyHandle(tx, key)
	switch {
	case err != nil || h.view.Len() == 0:
		return nil, err
	case h.view.Integers():
		return readIntSet(&h.ints)
	default:
		return readSet(&h.floats)
	}
}

// readSet copies a set, and checks that it is in order and that lookups agree with it.
func readSet(s *Set) (*oracle, error) {
	o := &oracle{Set: model.New(), width: s.TieWidth(), version: s.Version()}
	if at, ok := s.Expiry(); ok {
		o.expires = at.Unix()
	}
	var entries []model.Entry
	for _, e := range s.Append(nil, 0, s.Len()) {
		entries = append(entries, model.Entry{Score: e.Score, Tie: string(e.Tie), Member: string(e.Member)})
	}
	return o, o.fill(s.Key(), entries, s.Rank)
}

// fill puts the entries of a set, as they stand, into an oracle that is empty. It returns an error if they are not in order, if one
// stands twice, if there are none, or if rank, a method of the set, contradicts a place.
func (o *oracle) fill(key string, entries []model.Entry, rank func(member []byte) (int, bool)) error {
	for i, e := range entries {
		if i > 0 && !model.Less(entries[i-1], e) {
			return fmt.Errorf("%q stands before %q in %q", entries[i-1].Member, e.Member, key)
		}
		if at, ok := rank([]byte(e.Member)); !ok || at != i {
			return fmt.Errorf("rank of %q in %q is %d, %v, want %d", e.Member, key, at, ok, i)
		}
		o.Put(e)
	}
	if len(entries) == 0 || o.Len() != len(entries) {
		return fmt.Errorf("set %q of length %d shows %d members", key, len(entries), o.Len())
	}
	return nil
}
