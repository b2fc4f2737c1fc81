package persist

import (
	"context"
	"encoding/binary"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/wal"
)

// world is the tests' model of a store's content.
type world struct {
	meta    map[string]string
	sets    map[string]map[string]string
	private map[string]string
}

func newWorld() *world {
	return &world{map[string]string{}, map[string]map[string]string{}, map[string]string{}}
}

// apply applies an effect as an engine does. It ignores an effect on a set that does not exist: the set was dropped later.
func (w *world) apply(e wal.Effect) {
	switch e.Kind {
	case wal.Create:
		w.meta[e.Set] = string(e.Value)
		if w.sets[e.Set] == nil {
			w.sets[e.Set] = map[string]string{}
		}
	case wal.Put:
		if m := w.sets[e.Set]; m != nil {
			m[string(e.Member)] = string(e.Value)
		}
	case wal.Remove:
		delete(w.sets[e.Set], string(e.Member))
	case wal.Drop:
		delete(w.sets, e.Set)
		delete(w.meta, e.Set)
	}
}

// String is the whole state in one canonical text, so that states compare exactly.
func (w *world) String() string {
	var b strings.Builder
	for _, set := range slices.Sorted(maps.Keys(w.sets)) {
		fmt.Fprintf(&b, "set %q %q\n", set, w.meta[set])
		for _, m := range slices.Sorted(maps.Keys(w.sets[set])) {
			fmt.Fprintf(&b, "  %q=%d:%x\n", m, len(w.sets[set][m]), format.Checksum([]byte(w.sets[set][m])))
		}
	}
	for _, k := range slices.Sorted(maps.Keys(w.private)) {
		fmt.Fprintf(&b, "private %q=%q\n", k, w.private[k])
	}
	return b.String()
}

// read returns the content of a store, read as an engine reads it: the pages of each set, then the log after the set's base.
func read(s *Store) (*world, error) {
	w, base := newWorld(), map[string]uint64{}
	for r, err := range s.Sets() {
		if err != nil {
			return nil, err
		}
		base[r.Key] = r.Base
		w.meta[r.Key], w.sets[r.Key] = string(r.Meta), map[string]string{}
		for page, err := range s.Pages(r) {
			if err != nil {
				return nil, err
			}
			decodeTestPage(page, w.sets[r.Key])
		}
	}
	next := uint64(0)
	err := s.Replay(func(seq uint64, e wal.Effect) error {
		if seq < next {
			return fmt.Errorf("replay went from %d back to %d", next, seq)
		}
		next = seq
		if seq > base[e.Set] {
			w.apply(e)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for kv, err := range s.ScanPrivate(nil) {
		if err != nil {
			return nil, err
		}
		w.private[string(kv.Key)] = string(kv.Value)
	}
	return w, nil
}

func encodeTestPage(members []string, live map[string]string) []byte {
	b := []byte{} // nil would keep the page
	for _, m := range members {
		if v, ok := live[m]; ok {
			b = format.AppendBytes(format.AppendBytes(b, []byte(m)), []byte(v))
		}
	}
	return b
}

func decodeTestPage(page []byte, into map[string]string) {
	for r := (format.Reader{Buf: page}); !r.Done(); {
		m, _ := r.Bytes()
		v, err := r.Bytes()
		if err != nil {
			panic(err)
		}
		into[string(m)] = string(v)
	}
}

// driver changes a store and its model at random, and remembers the model after each commit.
type driver struct {
	rng            *rand.Rand
	s              *Store
	w              *world
	dirtySets      map[string]bool    // sets changed since the last snapshot's upto
	publishedPages map[string]pageSet // pages that are as the last published snapshot has them
	runningPages   map[string]pageSet // pages that are as the running snapshot has written them
	kept           int                // pages that a snapshot has not written again

	beforePublish func(*Snapshot) error // nil: nothing happens
	acked         atomic.Uint64

	numbered bool   // commit n depends on seed and n alone, so that another process can tell the model after n commits
	seed     uint64 // of newDriver
	made     uint64 // commits

	mu      sync.Mutex
	history []string // by sequence number
}

func newDriver(s *Store, seed uint64) *driver {
	return &driver{
		seed:           seed,
		rng:            rand.New(rand.NewPCG(seed, 0)),
		s:              s,
		w:              newWorld(),
		dirtySets:      map[string]bool{},
		publishedPages: map[string]pageSet{},
		runningPages:   map[string]pageSet{},
		history:        []string{newWorld().String()},
	}
}

// at returns the model after commit seq, and the largest number of commits that the store may have.
func (d *driver) at(seq uint64) (string, int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if seq >= uint64(len(d.history)) {
		return "", len(d.history) - 1
	}
	return d.history[seq], len(d.history) - 1
}

// batch returns a random commit, which it also applies to the model. A numbered driver derives the commit from its number alone.
func (d *driver) batch() *Batch {
	var b Batch
	d.made++
	if d.numbered {
		d.rng = rand.New(rand.NewPCG(d.seed, d.made))
	}
	b.Note(notesAt(d.next()))
	for range 1 + d.rng.IntN(6) {
		set := fmt.Sprintf("set%d", d.rng.IntN(5))
		member := []byte(fmt.Sprintf("m%d", d.rng.IntN(driverMembers)))
		if d.rng.IntN(6) == 0 {
			d.private(&b)
			continue
		}
		e := wal.Effect{Kind: wal.Put, Set: set, Member: member, Value: d.value()}
		switch p := d.rng.IntN(40); {
		case d.w.sets[set] == nil:
			e = wal.Effect{Kind: wal.Create, Set: set, Value: []byte{byte(p)}}
		case p == 0:
			e = wal.Effect{Kind: wal.Drop, Set: set}
		case p < 8:
			e = wal.Effect{Kind: wal.Remove, Set: set, Member: member}
		}
		d.dirtySets[set] = true
		d.touch(e)
		d.w.apply(e)
		add(&b, e)
	}
	return &b
}

// next returns the number of the next commit.
func (d *driver) next() uint64 {
	if d.numbered {
		return d.made
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return uint64(len(d.history))
}

// notesAt returns the notes of commit seq.
func notesAt(seq uint64) *Notes {
	var n Notes
	for i := range seq % 3 {
		_ = n.Add(fmt.Appendf(nil, "note %d of %d", i, seq)) // it is short
	}
	return &n
}

// compareNotes follows a store from the beginning of its log: the commits there must have the notes that batch has given them.
func compareNotes(s *Store) error {
	f, err := s.Follow(s.log.Pointer().Start - 1)
	if err != nil {
		return err
	}
	for seq := s.log.Pointer().Start; seq <= s.LastSeq(); seq++ {
		got := &Notes{}
		if n, err := f.NextNotes(got.Add); err != nil || n != seq || !reflect.DeepEqual(got, notesAt(seq)) {
			return fmt.Errorf("commit %d, want %d, has the notes %v: %w", n, seq, got, err)
		}
	}
	return nil
}

func (d *driver) private(b *Batch) {
	key := fmt.Sprintf("wallet:%d", d.rng.IntN(10))
	if d.rng.IntN(4) == 0 {
		b.DeletePrivate([]byte(key))
		delete(d.w.private, key)
		return
	}
	value := fmt.Sprint(d.rng.Uint32())
	b.PutPrivate([]byte(key), []byte(value))
	d.w.private[key] = value
}

func (d *driver) value() []byte {
	n := 8
	if d.rng.IntN(4) == 0 {
		n = d.rng.IntN(1500)
	}
	v := make([]byte, n)
	for i := range v {
		v[i] = byte(d.rng.Uint32())
	}
	return v
}

func add(b *Batch, e wal.Effect) {
	switch e.Kind {
	case wal.Create:
		b.Create(e.Set, e.Value)
	case wal.Put:
		b.Put(e.Set, e.Member, e.Value)
	case wal.Remove:
		b.Remove(e.Set, e.Member)
	case wal.Drop:
		b.Drop(e.Set)
	}
}

// commit makes n commits, and waits for the last one.
func (d *driver) commit(n int) error {
	seq, err := d.append(n)
	if err == nil {
		err = d.s.Wait(context.Background(), seq)
	}
	if err == nil {
		d.acked.Store(seq)
	}
	return err
}

// compact compacts the store.
func (d *driver) compact() error {
	_, err := d.s.Compact(context.Background(), nil)
	return err
}

// append makes n commits that nobody waits for.
func (d *driver) append(n int) (seq uint64, err error) {
	for range n {
		b := d.batch()
		want := d.next()
		if !d.numbered {
			d.mu.Lock()
			d.history = append(d.history, d.w.String())
			d.mu.Unlock()
		}
		if seq, err = d.s.Append(b); err != nil {
			return 0, err
		}
		if seq != want {
			return 0, fmt.Errorf("commit has number %d, want %d", seq, want)
		}
	}
	return seq, nil
}

// small makes Pebble flush and rotate often.
func small(o *pebble.Options) { o.MemTableSize = 64 << 10 }

func mustOpen(t testing.TB, fs FS, o Options) *Store {
	t.Helper()
	o.FS = fs
	s, err := Open("db", o)
	require.NoError(t, err)
	return s
}

// mustAppend commits and waits.
func mustAppend(t testing.TB, s *Store, fill func(b *Batch)) uint64 {
	t.Helper()
	var b Batch
	fill(&b)
	seq, err := s.Append(&b)
	require.NoError(t, err)
	require.NoError(t, s.Wait(t.Context(), seq))
	return seq
}

func put(set, member, value string) func(*Batch) {
	return func(b *Batch) { b.Put(set, []byte(member), []byte(value)) }
}

func pagesOf(pages ...string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for _, p := range pages {
			if !yield([]byte(p)) {
				return
			}
		}
	}
}

func u64(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

// holdCommitter keeps the committer busy, so that what is appended queues up, until it is released.
func holdCommitter(s *Store) (release func()) {
	held, hold := make(chan struct{}), make(chan struct{})
	go func() { _ = s.log.Do(func() error { close(held); <-hold; return nil }) }()
	<-held
	return func() { close(hold) }
}
