package window

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// BenchmarkAt measures At for the same moment again and again, as submissions call it, and for two moments in turn, as a replay of history does.
func BenchmarkAt(b *testing.B) {
	now := time.Unix(exampleTime, 0)
	for _, w := range []Window{{Kind: All}, {Kind: Hour}, {Kind: Day}, {Kind: Week}, {Kind: Month}, {Kind: Every, Every: Duration(time.Hour)}} {
		for _, zone := range []string{"UTC", "Europe/Berlin"} {
			c := compile(b, in(zone, w))
			p, far := mustAt(b, c, now), now.AddDate(-3, 0, 0)
			b.Run("asked=again/kind="+string(w.Kind)+"/zone="+zone, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if q, err := c.At(now); err != nil || len(q.Name) != len(p.Name) {
						b.Fatal(q, err)
					}
				}
			})
			if w.Kind == All {
				continue // there is only one period
			}
			b.Run("asked=first/kind="+string(w.Kind)+"/zone="+zone, func(b *testing.B) {
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					at := now
					if i%2 == 1 {
						at = far
					}
					if _, err := c.At(at); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func TestAllocations(t *testing.T) {
	c := compile(t, Window{Kind: Week, TimeZone: "Europe/Berlin"})
	at := time.Unix(exampleTime, 0)
	mustAt(t, c, at)
	require.Zero(t, testing.AllocsPerRun(1000, func() {
		if _, err := c.At(at.Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
	}))
}
