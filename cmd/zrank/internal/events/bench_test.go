package events

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkNext reads rows like those of a game server, plain and zipped, and reports rows a second.
func BenchmarkNext(b *testing.B) {
	var text strings.Builder
	text.WriteString("time,board,member,delta\n")
	const rows = 100_000
	for i := range rows {
		fmt.Fprintf(&text, "2026-10-05T%02d:%02d:%02dZ,arena,brave-otter-%04d,%d\n", i/3600%24, i/60%60, i%60, i%9973, i%17)
	}
	for _, c := range []struct{ name, text string }{{"plain", text.String()}, {"gzip", zip(b, text.String())}} {
		b.Run("input="+c.name, func(b *testing.B) {
			path := file(b, "in.csv", c.text)
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				in, err := Open(b.Context(), path, Options{})
				require.NoError(b, err)
				for {
					if _, err = in.Next(); err != nil {
						break
					}
					n++
				}
				require.Equal(b, io.EOF, err)
				require.NoError(b, in.Close())
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
