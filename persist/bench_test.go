package persist

import (
	"fmt"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2"

	"github.com/zrankdb/zrank/persist/internal/format"
)

// share distributes n operations among the given number of callers, each with its own state.
func share(b *testing.B, callers int, caller func(c, n int)) {
	b.ResetTimer()
	var wg sync.WaitGroup
	for c := range callers {
		n := b.N / callers
		if c < b.N%callers {
			n++
		}
		wg.Go(func() { caller(c, n) })
	}
	wg.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "ops/s")
}

// BenchmarkAppend is one commit of one member with an 80-byte value, appended and waited for, beside Pebble alone with the
// same callers and the same bytes.
func BenchmarkAppend(b *testing.B) {
	value := make([]byte, 80)
	for _, level := range []Level{Sync, Interval, None} {
		for _, callers := range []int{1, 16, 256} {
			b.Run(fmt.Sprintf("impl=zrank/level=%v/callers=%d", level, callers), func(b *testing.B) {
				s, err := Open(b.TempDir(), Options{Level: level})
				if err != nil {
					b.Fatal(err)
				}
				defer s.Close()
				b.ReportAllocs()
				share(b, callers, func(c, n int) {
					var batch Batch
					member := fmt.Appendf(nil, "player:%d", c)
					for range n {
						batch.Reset()
						batch.Put("daily", member, value)
						seq, err := s.Append(&batch)
						if err == nil {
							err = s.Wait(b.Context(), seq)
						}
						if err != nil {
							b.Error(err)
							return
						}
					}
				})
			})
		}
	}
	for _, callers := range []int{1, 16, 256} {
		for name, o := range map[string]*pebble.WriteOptions{"sync": pebble.Sync, "none": pebble.NoSync} {
			b.Run(fmt.Sprintf("impl=pebble/level=%s/callers=%d", name, callers), func(b *testing.B) { benchPebble(b, callers, o, value) })
		}
	}
}

func benchPebble(b *testing.B, callers int, o *pebble.WriteOptions, value []byte) {
	s, err := Open(b.TempDir(), Options{}) // for the same Pebble options
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	b.ReportAllocs()
	share(b, callers, func(c, n int) {
		key := format.KeyPrivate(fmt.Appendf(nil, "daily/player:%d", c))
		for range n {
			if err := s.log.DB.Pebble.Set(key, value, o); err != nil {
				b.Error(err)
				return
			}
		}
	})
}

// BenchmarkAppendLarge is one commit of 256 members, beside one Pebble batch of 256 keys.
func BenchmarkAppendLarge(b *testing.B) {
	const members = 256
	value := make([]byte, 80)
	s, err := Open(b.TempDir(), Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	perMember := func(b *testing.B) { b.ReportMetric(float64(b.N)*members/b.Elapsed().Seconds(), "members/s") }
	b.Run("impl=zrank/members=256", func(b *testing.B) {
		var batch Batch
		for b.Loop() {
			batch.Reset()
			for i := range uint64(members) {
				batch.Put("daily", u64(i), value)
			}
			seq, err := s.Append(&batch)
			if err == nil {
				err = s.Wait(b.Context(), seq)
			}
			if err != nil {
				b.Fatal(err)
			}
		}
		perMember(b)
	})
	b.Run("impl=pebble/members=256", func(b *testing.B) {
		for b.Loop() {
			batch := s.log.DB.Pebble.NewBatch()
			for i := range uint64(members) {
				_ = batch.Set(format.KeyPrivate(u64(i)), value, nil)
			}
			if err := batch.Commit(pebble.Sync); err != nil {
				b.Fatal(err)
			}
		}
		perMember(b)
	})
}

// BenchmarkSnapshot writes one set of 64 KiB pages and publishes it.
func BenchmarkSnapshot(b *testing.B) {
	const pages, size = 256, 64 << 10
	s, err := Open(b.TempDir(), Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	mustAppend(b, s, put("a", "m", "v"))
	page := make([]byte, size)
	for i := range page {
		page[i] = byte(i * i >> 7)
	}
	all := func(yield func([]byte) bool) {
		for range pages {
			if !yield(page) {
				return
			}
		}
	}
	b.Run(fmt.Sprintf("op=write/pages=%d", pages), func(b *testing.B) {
		b.SetBytes(pages * size)
		for b.Loop() {
			sn, err := s.Snapshot(1)
			if err == nil {
				err = sn.WriteSet("a", nil, 1, 1, all)
			}
			if err == nil {
				err = sn.Publish()
			}
			if err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run(fmt.Sprintf("op=read/pages=%d", pages), func(b *testing.B) {
		b.SetBytes(pages * size)
		for b.Loop() {
			r, _, err := s.Set("a")
			for _, pageErr := range s.Pages(r) {
				err = pageErr
			}
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}
