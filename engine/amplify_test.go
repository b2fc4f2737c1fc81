package engine

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkAmplification measures how many bytes a snapshot of a set of a million 20-byte members writes after a given length of log:
// as a multiple of the changed records (x_records), as a multiple of the log (x_log), and in percent of all pages (%_pages). How often a
// member changes does not depend on when it was added; with load=recent only the last hundredth of the members changes.
func BenchmarkAmplification(b *testing.B) {
	const members, record = 1_000_000, 8 + 1 + 20
	for _, logBytes := range []int64{64 << 20, 1 << 20, 64 << 10} {
		for _, load := range []string{"uniform", "zipf", "recent"} {
			b.Run(fmt.Sprintf("load=%s/log=%dKiB", load, logBytes>>10), func(b *testing.B) {
				e, err := Open(b.TempDir(), Options{Durability: None, SnapshotBytes: -1})
				require.NoError(b, err)
				defer e.Close()
				prepare(b, e, members)
				require.NoError(b, e.Snapshot())
				whole := float64(e.checkpoints.LastWritten.Load())
				rng := rand.New(rand.NewPCG(7, 6))
				zipf := rand.NewZipf(rng, 1.1, 1, members-1)
				pick := map[string]func() int{
					"uniform": func() int { return rng.IntN(members) },
					"zipf":    func() int { return int(zipf.Uint64() * 7919 % members) },
					"recent":  func() int { return members - 1 - rng.IntN(members/100) },
				}[load]
				changed := map[int]struct{}{}
				var member []byte
				for e.store.LogBytes() < logBytes {
					for range 100 {
						i := pick()
						changed[i] = struct{}{}
						member = stallMember(member, i)
						mustUpdate(b, e, []string{"arena"}, func(tx *Tx) { _, _ = named(b, tx, "arena").Add(member, rng.Float64()*1e6) })
					}
					require.NoError(b, e.Flush())
				}
				log := float64(e.store.LogBytes())
				require.NoError(b, e.Snapshot())
				written := float64(e.checkpoints.LastWritten.Load())
				b.ReportMetric(written/float64(len(changed)*record), "x_records")
				b.ReportMetric(written/log, "x_log")
				b.ReportMetric(100*written/whole, "%_pages")
				b.ReportMetric(float64(len(changed)), "changed")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}
