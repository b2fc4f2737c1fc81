package diff

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/bench/internal/durable"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/measure"
	"github.com/zrankdb/zrank/bench/internal/report"
)

// lot is what the repetitions of one peer and metric found.
type lot struct {
	peer   string
	metric measure.Metric
	values []float64
}

// comparison is a report of a thousand members.
func comparison(lots ...lot) *report.Report {
	var runs []report.Run
	r := &report.Report{Peers: []string{"zset", "map", "tidwall"}, MemberBytes: 20, Seed: 1}
	for _, l := range lots {
		for i, v := range l.values {
			runs = append(runs, report.Run{Peer: l.peer, Repetition: i, Figures: measure.Figures{l.metric: v}})
		}
		r.Repetitions = len(l.values)
	}
	r.Sizes = []report.Size{report.NewSize(1000, runs)}
	return r
}

func compare(t *testing.T, from, to report.Document, o Options) *Diff {
	o.Alpha = 0.05
	d, err := Compare(from, to, o)
	require.NoError(t, err)
	return d
}

// The exact two-sided p of small lots without ties can be counted by hand: of the ways to choose one lot of both, those that lie
// as far out.
func TestTheKnownPOfSmallSamples(t *testing.T) {
	for name, c := range map[string]struct {
		old, new []float64
		p        float64
		want     Verdict
	}{
		"3+3 apart":                  {[]float64{1, 2, 3}, []float64{4, 5, 6}, 2.0 / 20, Same},
		"4+4 apart":                  {[]float64{1, 2, 3, 4}, []float64{5, 6, 7, 8}, 2.0 / 70, Worse},
		"4+4 apart, less":            {[]float64{5, 6, 7, 8}, []float64{1, 2, 3, 4}, 2.0 / 70, Better},
		"6+6 apart":                  {[]float64{1, 2, 3, 4, 5, 6}, []float64{17, 18, 19, 20, 21, 22}, 2.0 / 924, Worse},
		"4+4, one step from apart":   {[]float64{1, 2, 3, 5}, []float64{4, 6, 7, 8}, 4.0 / 70, Same},
		"4+4, alternating":           {[]float64{1, 3, 5, 7}, []float64{2, 4, 6, 8}, 48.0 / 70, Same},
		"5+5, one step from apart":   {[]float64{1, 2, 3, 4, 6}, []float64{5, 7, 8, 9, 10}, 4.0 / 252, Worse},
		"the same, and all the same": {[]float64{7, 7, 7, 7}, []float64{7, 7, 7, 7}, 1, Same},
	} {
		t.Run(name, func(t *testing.T) {
			d := compare(t, comparison(lot{"zset", measure.Rank, c.old}), comparison(lot{"zset", measure.Rank, c.new}), Options{})
			require.Len(t, d.Rows, 1)
			assert.InDelta(t, c.p, d.Rows[0].P, 1e-9)
			assert.Equal(t, c.want, d.Rows[0].Verdict)
		})
	}
}

func TestWhatGotWorseStandsFirst(t *testing.T) {
	flat := []float64{10, 11, 12, 13}
	up := func(by float64) (list []float64) {
		for _, v := range flat {
			list = append(list, v*by)
		}
		return list
	}
	from := comparison(lot{"zset", measure.Build, flat}, lot{"zset", measure.Score, flat}, lot{"zset", measure.Rank, flat},
		lot{"zset", measure.Bytes, flat}, lot{"zset", measure.AllocsPage, []float64{0, 0, 0, 0}})
	to := comparison(lot{"zset", measure.Build, flat}, lot{"zset", measure.Score, up(2)}, lot{"zset", measure.Rank, up(0.1)},
		lot{"zset", measure.Bytes, up(3)}, lot{"zset", measure.AllocsPage, []float64{1, 1, 1, 1}})
	d := compare(t, from, to, Options{})
	var order []string
	for _, r := range d.Rows {
		order = append(order, r.Metric+" "+string(r.Verdict))
	}
	assert.Equal(t, []string{"allocs_page worse", "bytes worse", "score worse", "rank better", "build ~"}, order)
	assert.Len(t, d.WorseBy(150), 2, "from nothing is more than any per cent")
	assert.Len(t, d.WorseBy(50), 3)

	var b strings.Builder
	require.NoError(t, d.WriteText(&b))
	for _, text := range []string{"from 0", "+200.0%", "+100.0%", "-90.0%", "3 worse, 1 better, 1 without", "0.029", "4+4"} {
		assert.Contains(t, b.String(), text)
	}
	b.Reset()
	require.NoError(t, d.WriteJSON(&b))
	var again Diff
	require.NoError(t, json.Unmarshal([]byte(b.String()), &again))
	assert.Equal(t, "score", again.Rows[2].Metric)
	assert.InDelta(t, 2.0/70, again.Rows[2].P, 1e-9)
}

func TestAPeerDividesTheMachineOut(t *testing.T) {
	// The machine is a fourth as fast in the new one, for both.
	from := comparison(lot{"zset", measure.Rank, []float64{10, 20, 30, 40}}, lot{"tidwall", measure.Rank, []float64{41, 79, 121, 159}})
	to := comparison(lot{"zset", measure.Rank, []float64{100, 110, 120, 130}}, lot{"tidwall", measure.Rank, []float64{400, 441, 480, 519}})
	raw := compare(t, from, to, Options{})
	assert.Equal(t, Worse, raw.Rows[0].Verdict)
	assert.Contains(t, strings.Join(raw.Notes, "\n"), "the peers, whose code is the same, are 361 % slower in the median of 1 figures")
	ratios := compare(t, from, to, Options{Against: "tidwall"})
	require.Len(t, ratios.Rows, 1)
	assert.Equal(t, Same, ratios.Rows[0].Verdict)
	assert.InDelta(t, 0.25, ratios.Rows[0].New, 0.001)

	_, err := Compare(from, to, Options{Alpha: 0.05, Against: "map"})
	assert.ErrorContains(t, err, `no figure of the peer "map" to divide ours by; it has zset, tidwall`)
}

func TestRatesAreBetterWhenTheyAreMore(t *testing.T) {
	sheet := func(rates ...float64) *report.Sheet {
		s := &report.Sheet{Kind: report.Durable, N: 1000, Rounds: len(rates)}
		for i, v := range rates {
			s.Samples = append(s.Samples,
				report.Sample{Line: "sync/1", System: durable.Zrank, Round: i, Figures: figure.Figures{figure.Rate: v, figure.Calls: v}},
				report.Sample{Line: "sync/1", System: durable.Pebble, Round: i, Figures: figure.Figures{figure.Rate: 100}})
		}
		return s
	}
	d := compare(t, sheet(50, 51, 52, 53), sheet(60, 61, 62, 63), Options{})
	require.Len(t, d.Rows, 2, "Pebble's is left out")
	assert.Equal(t, []Verdict{Better, Other}, []Verdict{d.Rows[0].Verdict, d.Rows[1].Verdict})
	assert.Equal(t, "Sync, 1 caller: calls/s", d.Rows[0].Title)
	d = compare(t, sheet(50, 51, 52, 53), sheet(40, 41, 42, 43), Options{Against: durable.Pebble})
	require.Len(t, d.Rows, 1, "the count of calls has no ratio that says anything")
	assert.Equal(t, Worse, d.Rows[0].Verdict)
	assert.Len(t, d.WorseBy(10), 1)

	_, err := Compare(sheet(1), comparison(lot{"zset", measure.Rank, []float64{1}}), Options{Alpha: 0.05})
	assert.ErrorContains(t, err, "the old one is of durable, the new one of compare")
}

func TestNotesSayWhatToDoubt(t *testing.T) {
	from, to := comparison(lot{"zset", measure.Rank, []float64{1, 2, 3}}), comparison(lot{"zset", measure.Rank, []float64{1, 2, 3}})
	from.Machine.CPU, to.Machine.CPU = "one", "another"
	to.Seed = 2
	from.Sizes = append(from.Sizes, report.NewSize(5000, []report.Run{{Peer: "zset", Figures: measure.Figures{measure.Rank: 1}}}))
	notes := strings.Join(compare(t, from, to, Options{}).Notes, "\n")
	for _, text := range []string{"the processor differs: one, 0 cores, now another, 0 cores", "the seed differs: 1, now 2", "the load differs",
		"1 figures are in the old one alone", "3 and 3 repetitions can never reach p < 0.05, the least is p = 0.100: 1 of 1", "take 4 at least in each, better 6"} {
		assert.Contains(t, notes, text)
	}
	assert.NotContains(t, notes, "Go differs")

	_, err := Compare(comparison(lot{"zset", measure.Rank, []float64{1}}), comparison(lot{"zset", measure.Score, []float64{1}}), Options{Alpha: 0.05})
	assert.ErrorContains(t, err, "no figure is in both")
}

func TestHowManyRepetitionsItTakes(t *testing.T) {
	for _, c := range []struct {
		alpha float64
		n     int
	}{{0.5, 2}, {0.05, 4}, {0.01, 5}, {0.001, 7}} {
		assert.Equal(t, c.n, enough(c.alpha), "%g", c.alpha)
	}
	assert.InDelta(t, 2.0/70, leastP(4, 4), 1e-12)
	assert.False(t, math.IsNaN(leastP(0, 3)))
}
