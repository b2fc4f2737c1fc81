package chart

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot"
)

func TestBarsAreWholeUntilOneIsFarOff(t *testing.T) {
	values := func(list ...float64) (bars []Bar) {
		for _, v := range list {
			bars = append(bars, Bar{Name: "x", Value: v, Label: "y"})
		}
		return bars
	}
	assert.Equal(t, 40.0, cutoff(values(10, 20, 40)))
	assert.InDelta(t, 23, cutoff(values(10, 20, 4000)), 1e-9, "a little longer than the longest that is whole")
	assert.Equal(t, 1.0, cutoff(values(0, 0)), "nothing to be seen is no axis without a length")

	f, err := Bars("rank <of> a member", []Bar{{Name: "zset", Value: 10, Min: 9, Max: 12, Label: "10 ns", Ours: true},
		{Name: "tidwall & map", Value: 20, Label: "20 ns"}, {Name: "google", Value: 4000, Label: "4.00 µs"}})
	require.NoError(t, err)
	assert.Equal(t, "rank <of> a member: zset 10 ns, tidwall & map 20 ns, google 4.00 µs", f.Alt)
	for _, text := range []string{`aria-label="rank &lt;of&gt; a member"`, "… 4.00 µs", "tidwall &amp; map", "fill:var(--ours)", "fill:var(--bar)"} {
		assert.Contains(t, string(f.SVG), text)
	}
	clean(t, f)
}

// clean says that nothing in a drawing is of another place, and every colour one of the page.
func clean(t *testing.T, f Figure) {
	svg := string(f.SVG)
	for _, text := range []string{"http", "#", "<?xml", "xlink", "Liberation", "NaN", "Inf"} {
		assert.NotContains(t, svg, text)
	}
	assert.True(t, strings.HasPrefix(svg, "<svg "), "%.40s", svg)
	assert.True(t, strings.HasSuffix(svg, "</svg>"))
}

func TestCurves(t *testing.T) {
	show := func(float64) string { return "some ns" }
	var lines []Line
	for range Lines + 1 {
		lines = append(lines, Line{Name: "peer", Points: [][2]float64{{1000, 100}, {1e6, 900}}})
	}
	lines[0].Name, lines[0].Ours = "zset", true
	f, err := Curves("rank", append(lines, Line{Name: "absent"}), Axes{X: "members", Show: show})
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(f.Alt, "rank, over members: zset from some ns at 1000 to some ns at 1000000; "), f.Alt)
	require.Len(t, f.Legend, Lines+1, "what has no points has no line")
	assert.Equal(t, Swatch{Name: "zset", Color: "var(--ours)"}, f.Legend[0])
	assert.Equal(t, Swatch{Name: "peer", Color: "var(--line-0)", Dash: "4 3"}, f.Legend[Lines], "a colour for the second time is dashed")
	clean(t, f)

	one, err := Curves("one point", []Line{{Name: "zset", Points: [][2]float64{{1000, 100}}}}, Axes{X: "members", Show: show})
	require.NoError(t, err)
	clean(t, one)
	none, err := Curves("nothing", nil, Axes{X: "members", Show: show})
	require.NoError(t, err)
	clean(t, none)
}

func TestTicks(t *testing.T) {
	labels := func(ticks []plot.Tick) (list []string) {
		for _, tick := range ticks {
			list = append(list, tick.Label)
		}
		return list
	}
	assert.Equal(t, []string{"1000", "10000"}, labels(powers{}.Ticks(500, 50_000)))
	assert.Equal(t, []string{"p50", "p90", "p99", "p99.9"}, labels(nines{}.Ticks(2, 1000)))
	assert.Len(t, decades{func(float64) string { return "" }}.Ticks(100, 1000), 4, "100, 200, 500, 1000")
	assert.Len(t, decades{func(float64) string { return "" }}.Ticks(1, 1e5), 6, "powers alone")
}
