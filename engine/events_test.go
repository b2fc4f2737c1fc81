package engine

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine/internal/observe"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/persist"
)

// heard collects events.
type heard struct {
	mu   sync.Mutex
	list []Event
}

func (h *heard) add(e Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.list = append(h.list, e)
}

// take returns the events since its last call.
func (h *heard) take() []Event {
	synctest.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	list := h.list
	h.list = nil
	return list
}

// slowly returns a closure that takes d and returns err.
func slowly(d time.Duration, err error) func(*Tx) error {
	return func(*Tx) error {
		time.Sleep(d)
		return err
	}
}

// TestSlowCalls: every Update that is slow counts, and Views of the sample; there is one event at most in 100 ms. Keys are cut.
func TestSlowCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var h heard
		e, err := New(Options{OnEvent: h.add})
		require.NoError(t, err)
		stop := errors.New("stop")
		key := strings.Repeat("k", 1000)
		require.NoError(t, e.Update(t.Context(), slowly(99*time.Millisecond, nil), key, "l"))
		require.Empty(t, h.take())
		require.ErrorIs(t, e.Update(t.Context(), slowly(100*time.Millisecond, stop), key, "l"), stop)
		require.Equal(t, []Event{{Kind: EventSlowCall, Op: "update", Duration: 100 * time.Millisecond, Key: key[:64], N: 2, Err: stop}}, h.take())
		require.NoError(t, e.Update(t.Context(), slowly(time.Second, nil)))
		require.Equal(t, []Event{{Kind: EventSlowCall, Op: "update", Duration: time.Second}}, h.take())
		var wg sync.WaitGroup
		for i := range 10 {
			wg.Go(func() { require.NoError(t, e.Update(t.Context(), slowly(time.Second, nil), fmt.Sprint(i))) })
		}
		wg.Wait()
		require.Len(t, h.take(), 1, "ten at the same moment")
		st, err := e.Stats()
		require.NoError(t, err)
		require.EqualValues(t, 12, st.SlowCalls)
		require.EqualValues(t, 13, st.Updates.Count)
		require.Equal(t, 11199*time.Millisecond, st.Updates.Sum)
		require.Equal(t, time.Second, st.Updates.Max)

		for range 320 {
			require.NoError(t, e.View(t.Context(), slowly(time.Second, nil), "v"))
		}
		st, err = e.Stats()
		require.NoError(t, err)
		require.Positive(t, st.Views.Count, "one in 16")
		require.Equal(t, 12+st.Views.Count, st.SlowCalls)
		require.Equal(t, time.Duration(st.Views.Count)*time.Second, st.Views.Sum)
		require.Len(t, h.take(), int(st.Views.Count))
		require.NoError(t, e.Close())

		e, err = New(Options{OnEvent: h.add, SlowCall: -1})
		require.NoError(t, err)
		require.NoError(t, e.Update(t.Context(), slowly(time.Hour, nil)))
		st, err = e.Stats()
		require.NoError(t, err)
		require.Zero(t, st.SlowCalls)
		require.Empty(t, h.take())
	})
}

// TestEventSnapshot: each snapshot emits an event when it begins and when it ends, even if it fails.
func TestEventSnapshot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var h heard
		var said bytes.Buffer
		log := slog.New(slog.NewTextHandler(&said, &slog.HandlerOptions{Level: slog.LevelDebug}))
		e := mustOpen(t, persist.MemFS(), Options{OnEvent: h.add, Logger: log, SnapshotBytes: -1})
		require.NoError(t, setX(e, "a", 1))
		e.checkpoints.Paged = func(page []byte) []byte {
			time.Sleep(3 * time.Second)
			return page
		}
		require.NoError(t, e.Snapshot())
		list := h.take()
		require.Len(t, list, 2)
		require.Equal(t, Event{Kind: EventSnapshot}, list[0])
		st, err := e.Stats()
		require.NoError(t, err)
		require.Equal(t, Event{Kind: EventSnapshot, Ended: true, Duration: 3 * time.Second, Bytes: st.Snapshots.Bytes}, list[1])
		require.Equal(t, Snapshots{Taken: 1, Age: 1, Duration: 3 * time.Second, Bytes: st.Snapshots.Bytes}, st.Snapshots)

		e.checkpoints.Paged = func([]byte) []byte { return tooLong }
		require.NoError(t, setX(e, "a", 2))
		require.ErrorIs(t, e.Snapshot(), ErrTooLarge)
		list = h.take()
		require.Len(t, list, 2)
		require.ErrorIs(t, list[1].Err, ErrTooLarge)
		st, err = e.Stats()
		require.NoError(t, err)
		require.EqualValues(t, 1, st.Snapshots.Failed)
		require.ErrorIs(t, st.Snapshots.Err, ErrTooLarge)
		for _, want := range []string{`level=DEBUG msg="engine: snapshot"`, `level=INFO msg="engine: snapshot is over" duration=3s bytes=`,
			`level=ERROR msg="engine: snapshot failed"`} {
			require.Contains(t, said.String(), want)
		}
		require.NoError(t, e.Close())
	})
}

// TestEventSlowLoad: a slow load of a set emits an event.
func TestEventSlowLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var h heard
		mem := memfs.New()
		keys := manySets(t, mem, 1, 600)
		slow := errorfs.InjectorFunc(func(op errorfs.Op) error {
			if readsTable(op) {
				time.Sleep(150 * time.Millisecond)
			}
			return nil
		})
		e := mustOpen(t, errorfs.Wrap(mem, slow), Options{OnEvent: h.add, SnapshotBytes: -1})
		h.take()
		mustUpdate(t, e, keys, func(*Tx) {})
		list := h.take()
		require.Len(t, list, 2)
		require.Equal(t, EventSlowLoad, list[0].Kind)
		require.Equal(t, keys[0], list[0].Key)
		require.GreaterOrEqual(t, list[0].Duration, 150*time.Millisecond)
		require.Positive(t, list[0].Bytes)
		require.Equal(t, EventSlowCall, list[1].Kind, "the one who waited for it")
		require.NoError(t, e.Close())
	})
}

// TestEventMemory: one event is emitted when the sets in use take more than the limit, and one when they take less again.
func TestEventMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var h heard
		const limit = 16 << 10
		e := mustOpen(t, persist.MemFS(), Options{MemoryLimit: limit, OnEvent: h.add, SlowCall: -1, SnapshotBytes: -1})
		mustUpdate(t, e, []string{"huge"}, func(tx *Tx) {
			e.keys.Find("huge").Pins.Add(1) // in use for long
			for i := range 700 {
				add(t, tx, "huge", fmt.Sprintf("player:%08d", i), float64(i))
			}
		})
		for range 5 {
			require.NoError(t, setX(e, "a", float64(time.Now().UnixNano())))
			time.Sleep(2 * time.Second)
		}
		memory := func() (list []Event) {
			for _, v := range h.take() {
				if v.Kind == EventMemory {
					list = append(list, v)
				}
			}
			return list
		}
		list := memory()
		require.Len(t, list, 1)
		require.False(t, list[0].Ended)
		require.Greater(t, list[0].Bytes, int64(limit))
		mustUpdate(t, e, []string{"huge"}, func(tx *Tx) {
			s := named(t, tx, "huge")
			_, err := s.PopMin(s.Len())
			require.NoError(t, err)
		})
		list = memory()
		require.Len(t, list, 1)
		require.True(t, list[0].Ended)
		require.LessOrEqual(t, list[0].Bytes, int64(limit))
		require.NoError(t, e.Close())
	})
}

// TestEventsLost: a listener that blocks delays no call. Events that it misses are counted; EventFailed is never lost.
func TestEventsLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var h heard
		hold := make(chan struct{})
		e := mustOpen(t, persist.MemFS(), Options{SnapshotBytes: -1, OnEvent: func(v Event) {
			<-hold
			h.add(v)
		}})
		const n = 200
		for i := range n {
			require.NoError(t, setX(e, "a", float64(i)))
			require.NoError(t, e.Snapshot())
			synctest.Wait()
		}
		e.events.Emit(observe.Event{Kind: observe.EventExpired, N: 3, Duration: time.Second})
		e.events.Emit(observe.Event{Kind: observe.EventFailed})
		st, err := e.Stats()
		require.NoError(t, err)
		require.EqualValues(t, 2*n-observe.MaxEvents, st.EventsLost, "one is with the listener")
		close(hold)
		list := h.take()
		require.Len(t, list, observe.MaxEvents+2)
		require.Equal(t, Event{Kind: EventFailed}, list[len(list)-1])
		e.events.Emit(observe.Event{Kind: observe.EventExpired, N: 3, Duration: time.Second})
		require.Equal(t, []Event{{Kind: EventExpired, N: 3, Duration: time.Second}}, h.take())
		require.NoError(t, e.Close())
		t.Logf("%d events, %d heard, %d lost", 2*n+2, len(list), st.EventsLost)
	})
}

// TestEventOf: a listener gets each field of an event.
func TestEventOf(t *testing.T) {
	in := observe.Event{Kind: observe.EventSlowCall, Ended: true, Duration: 1, Free: 2, Bytes: 3, N: 4, Key: "k", Op: "update", Waiting: true, Private: true,
		Keys: []string{"k"}, Goroutine: 5, Holders: []observe.Holder{{Op: "view", N: 6}, {Op: "update", Waiting: true}}, Err: ErrStalled}
	out := reflect.ValueOf(eventOf(in))
	for i := range out.NumField() {
		name := out.Type().Field(i).Name
		require.False(t, reflect.ValueOf(in).FieldByName(name).IsZero(), "%s: the test sets each field", name)
		require.Equal(t, fmt.Sprint(reflect.ValueOf(in).FieldByName(name)), fmt.Sprint(out.Field(i)), name)
	}
	require.Equal(t, reflect.TypeFor[observe.Event]().NumField(), out.NumField())
}
