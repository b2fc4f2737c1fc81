package page

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/zrankdb/zrank/bench/internal/durable"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/measure"
	"github.com/zrankdb/zrank/bench/internal/report"
)

// small is a page of one document of several kinds, with figures made up: zset loses score, wins the rest.
func small(t *testing.T) *Page {
	r := &report.Report{Machine: report.Machine{Go: "go1.26", OS: "linux", Arch: "amd64", CPU: "a <fast> one", Cores: 2, Commit: "abc123"},
		Peers: []string{"zset", "map", "tidwall"}, Repetitions: 3, Seed: 1, MemberBytes: 20}
	for _, n := range []int{1000, 1_000_000} {
		var runs []report.Run
		for i, peer := range r.Peers {
			runs = append(runs, report.Run{Peer: peer, Figures: measure.Figures{
				measure.Score: 300 - 100*float64(i), measure.Update: 500 + 500*float64(i), measure.Bytes: 47, measure.AllocsUpdate: 0,
			}})
		}
		r.Sizes = append(r.Sizes, report.NewSize(n, runs))
	}
	sheets := map[string]*report.Sheet{}
	for _, kind := range []string{report.Durable, report.Growth, report.Latency, report.Recover} {
		sheets[kind] = &report.Sheet{Kind: kind, N: 1000, Rounds: 3, Command: "go run . " + kind, MemberBytes: 20}
	}
	add := func(kind, line, system string, f figure.Figures, n int, points ...[2]float64) {
		sheets[kind].Samples = append(sheets[kind].Samples, report.Sample{Line: line, System: system, Figures: f, N: n, Points: points})
	}
	add(report.Durable, "sync/256", durable.Zrank, figure.Figures{figure.Rate: 70, figure.P50: 10, figure.P99: 20}, 0)
	add(report.Durable, "sync/256", durable.Pebble, figure.Figures{figure.Rate: 100, figure.P50: 9, figure.P99: 30}, 0)
	add(report.Recover, report.LineClean, durable.Zrank, figure.Figures{figure.Open: 44, figure.Touch: 195}, 0)
	for _, n := range []int{100, 1000} {
		add(report.Growth, "update", "zset", figure.Figures{figure.Call: float64(n)}, n)
		add(report.Growth, "update", "tidwall", figure.Figures{figure.Call: float64(2 * n)}, n)
	}
	add(report.Latency, "update", "zset", figure.Figures{figure.P50: 10, figure.P99: 90}, 0, [2]float64{50, 10}, [2]float64{99, 90}, [2]float64{100, 900})
	add(report.Latency, "update", "tidwall", figure.Figures{figure.P50: 12, figure.P99: 95}, 0, [2]float64{50, 12}, [2]float64{99, 95})
	p, err := New([]report.Document{r, sheets[report.Growth], sheets[report.Latency], sheets[report.Durable], sheets[report.Recover]})
	require.NoError(t, err)
	return p
}

// nodes returns the elements of a name, in order.
func nodes(root *html.Node, name string) (list []*html.Node) {
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && n.Data == name {
			list = append(list, n)
		}
	}
	return list
}

// content is the text of an element.
func content(root *html.Node) string {
	var b strings.Builder
	for n := range root.Descendants() {
		if n.Type == html.TextNode {
			b.WriteString(n.Data + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func written(t *testing.T, p *Page) (text string, root *html.Node) {
	var b strings.Builder
	require.NoError(t, p.WriteHTML(&b))
	root, err := html.Parse(strings.NewReader(b.String()))
	require.NoError(t, err)
	return b.String(), root
}

func TestThePageSaysWhatMatters(t *testing.T) {
	p := small(t)
	_, root := written(t, p)
	rows := map[string]string{}
	for _, row := range nodes(nodes(root, "table")[0], "tr") {
		rows[content(row)] = attribute(row, "class")
	}
	for text, class := range map[string]string{
		"memory per member - <= 50.0 B 47.0 B met 1,000,000 compare --n 1e6":                             "met",
		"score look-up map <= 1.20x 1.50x missed 1,000,000 compare --n 1e6":                              "missed",
		"updates/s, Sync, 256 callers pebble >= 0.80x 0.70x missed any number, found with 1,000 durable": "missed",
		"open after a clean close - <= 50.0 ms 44.0 ms met 10,000,000, found with 1,000 recover --n 1e7": "met",
	} {
		assert.Equal(t, class, rows[text], "%s\nin %q", text, rows)
	}
	assert.Contains(t, content(nodes(root, "details")[0]), "updates/s, Sync, 256 a commit pebble >= 0.70x any number durable")
	both := content(nodes(root, "table")[0]) + content(nodes(root, "table")[1])
	for _, target := range report.Rows() {
		assert.Contains(t, both, target.What)
	}
	lost := content(nodes(root, "table")[2])
	assert.Contains(t, lost, "score look-up n = 1,000,000 300 ns 100 ns tidwall/btree + map 3.00x Sorted sets side by side")
	assert.Contains(t, lost, "Sync, 256 callers calls/s 70 100 pebble 1.43x Commits on the disk")
	assert.NotContains(t, lost, "update", "zset wins it")
	all := content(root)
	for _, text := range []string{"go1.26 linux/amd64, 2 cores, a <fast> one", "commit abc123", "cd bench && go run . report", "±half their range",
		p.Summary(), "Go map"} {
		assert.Contains(t, all, text)
	}
	t.Logf("%d targets, %d rows lost, %d tables, %d plots", len(p.Rows), len(p.Losses), len(nodes(root, "table")), len(nodes(root, "figure")))
}

func TestThePageNeedsNothingElseAndCanBeReadAloud(t *testing.T) {
	text, root := written(t, small(t))
	for _, outside := range []string{"http:", "https:", "src=", "url(", "@import", "<script", "#01010", "#01020"} {
		assert.NotContains(t, text, outside)
	}
	for _, a := range nodes(root, "a") {
		target := attribute(a, "href")
		require.True(t, strings.HasPrefix(target, "#"), target)
		assert.True(t, slices.ContainsFunc(nodes(root, "section"), func(n *html.Node) bool { return "#"+attribute(n, "id") == target }), target)
	}
	for _, table := range nodes(root, "table") {
		assert.Len(t, nodes(table, "caption"), 1)
		head, columns := nodes(table, "thead")[0], 0
		for _, th := range nodes(head, "th") {
			assert.Equal(t, "col", attribute(th, "scope"))
			columns++
		}
		for _, row := range nodes(table, "tr")[1:] {
			assert.Equal(t, columns, len(nodes(row, "th"))+len(nodes(row, "td")), content(row))
			assert.Equal(t, "row", attribute(nodes(row, "th")[0], "scope"))
		}
	}
	figures := nodes(root, "figure")
	require.NotEmpty(t, figures)
	for _, f := range figures {
		drawn := nodes(f, "svg")[0]
		assert.Equal(t, "img", attribute(drawn, "role"))
		assert.NotEmpty(t, attribute(drawn, "aria-label"))
		assert.NotEmpty(t, nodes(f, "p"), "its words")
	}
	titles := ""
	for _, f := range figures {
		titles += content(nodes(f, "figcaption")[0]) + "\n"
	}
	for _, title := range []string{"score look-up\n", "update to a new random score\n", "Sync, 256 callers\n", "how long\n"} {
		assert.Contains(t, titles, title)
	}
	assert.Equal(t, 3, strings.Count(titles, "update to a new random score\n")-2, "bars of 2 sizes; lines of compare, growth and latency")
}

func TestMarkdownHasTheRowsWeLose(t *testing.T) {
	var b strings.Builder
	require.NoError(t, small(t).WriteMarkdown(&b))
	for _, text := range []string{"| score look-up | map | <= 1.20x | 1.50x | missed | 1,000,000 |", "## Rows we lose", "| score look-up | n = 1,000 |",
		"*rows we lose*", "## Commits on the disk", "| Sync, 256 callers | zrank |"} {
		assert.Contains(t, b.String(), text)
	}
}

func TestNothingToReport(t *testing.T) {
	_, err := New(nil)
	assert.ErrorContains(t, err, "nothing to report")
}
