package report

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/bench/internal/measure"
)

func TestMarkdownSetsApartWhatWeLose(t *testing.T) {
	run := func(peer string, f measure.Figures) Run { return Run{Peer: peer, Figures: f} }
	r := Report{
		Machine: Machine{Go: "go1.26", OS: "linux", Arch: "amd64", Cores: 2}, Repetitions: 3, MemberBytes: 20,
		Peers: []string{"zset", "map", "tidwall", "new"},
		Sizes: []Size{NewSize(1e6, []Run{
			run("zset", measure.Figures{measure.Bytes: 60, measure.Score: 300, measure.Rank: 650, measure.Walk: 3000}),
			run("map", measure.Figures{measure.Bytes: 50, measure.Score: 129}),
			run("tidwall", measure.Figures{measure.Bytes: 116, measure.Score: 150, measure.Rank: 3740, measure.Walk: 3000}),
			run("new", measure.Figures{measure.Score: 151}),
		})},
	}
	var out bytes.Buffer
	require.NoError(t, r.WriteMarkdown(&out))
	assert.Equal(t, "Sorted sets, 1,000,000 members of 20 bytes, from `cd bench && go run . compare --n 1000000`, go1.26 on linux/amd64"+
		" with 2 cores; medians of\n3 interleaved runs, CPU time.\n"+`
| | zset | tidwall/btree + map | new |
|---|---|---|---|
| memory per member, all in | **60 B** | 116 B | - |
| rank of a member | **650 ns** | 3.74 µs | - |
| walk over 100, middle | **3.00 µs** | **3.00 µs** | - |
| *rows we lose* | | | |
| score look-up | 300 ns | **150 ns** | 151 ns |

A bare Go map answers a look-up in 129 ns.

Targets missed:

- memory per member <= 50.0 B (60.0 B)
- score look-up <= 1.20x of Go map (2.33x)
`, out.String())
}
