package browsertest

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// pictures are the pages of which docs/img has pictures.
var pictures = []struct{ name, at string }{
	{"overview", "overview"},
	{"board", "board?board=arena&window=week&base=noon"},
	{"player", "player?member=" + url.QueryEscape(playerName(1))},
	{"ban", "preview?do=ban&board=arena&member=" + url.QueryEscape(playerName(1))},
	{"health", "health"},
	{"feed", "feed"},
}

// TestScreenshots writes the pictures of docs/img, with -update.
func TestScreenshots(t *testing.T) {
	if !*update {
		t.Skip("only with -update")
	}
	s := newServer(t, newGame(t), func(s *server) { s.figures = http.HandlerFunc(lastHour) })
	t.Cleanup(s.goOn())
	x := newTab(t, s.base())
	x.signIn("grace")
	rated := "!document.querySelector('.tiles dd').textContent.startsWith('0') && !document.querySelector('tbody[id]').textContent.includes('–')"
	eventually(t, "a first sample of the engine", func() (bool, error) {
		x.open("overview")
		return js[bool](x, rated), nil
	})
	for _, p := range pictures {
		for _, width := range []int64{1280, 390} {
			for _, scheme := range []string{"light", "dark"} {
				x.look(width, scheme)
				require.EqualValues(t, 200, x.open(p.at))
				x.wait("document.fonts.status === 'loaded' && [...document.querySelectorAll('[data-chart]')].every(c => c.querySelector('canvas'))")
				for range 3 {
					x.do(chromedp.Evaluate[chromedp.Void]("new Promise(r => requestAnimationFrame(r))"))
				}
				data, err := chromedp.Run(x.ctx, chromedp.CaptureScreenshot())
				require.NoError(t, err)
				data, err = small(data)
				require.NoError(t, err)
				name := filepath.Join("..", "..", "..", "docs", "img", fmt.Sprintf("admin-%s-%d-%s.png", p.name, width, scheme))
				require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
				require.NoError(t, os.WriteFile(name, data, 0o644))
				t.Log(name, len(data))
			}
		}
	}
}

// lastHour answers with the figures of an hour of a game, in place of those of the minute that the test has taken.
func lastHour(w http.ResponseWriter, _ *http.Request) {
	columns := map[string][]float64{}
	for i := range 720 {
		x := float64(i)
		add := func(name string, v float64) { columns[name] = append(columns[name], math.Round(v*1000)/1000) }
		load := 60 + 25*math.Sin(x/110) + 9*math.Sin(x/7)*math.Sin(x/31) + 4*math.Sin(x*1.7)
		add("time", 1795780800+5*x)
		add("commits", load)
		add("medianMs", 0.9+load/400+0.06*math.Sin(x*1.3))
		add("p99Ms", 2.1+load/60+0.5*math.Abs(math.Sin(x*0.9)))
		add("memoryMb", 41+x/240)
		add("logMb", 4+math.Mod(x*load/2400, 12))
		add("lagMs", 0.7+0.3*math.Abs(math.Sin(x*1.1)))
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(columns)
}
