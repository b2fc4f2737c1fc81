package metrics

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
)

// TestBoardCollector: promlint accepts the names; what waits and what has failed is counted by board and window; closed boards have no metrics.
func TestBoardCollector(t *testing.T) {
	e, err := engine.New(engine.Options{})
	require.NoError(t, err)
	boards, err := local.Open(e, local.Options{})
	require.NoError(t, err)
	tiers := []awards.Tier{{Name: "played", Everyone: true, Payload: "1"}}
	_, err = boards.Define(t.Context(), board.Spec{Name: "none", Windows: []board.Window{board.Year}})
	require.NoError(t, err)
	b, err := boards.Define(t.Context(), board.Spec{Name: "a/b", Windows: []board.Window{board.All, board.Year}, Awards: []awards.Plan{{Window: "year", Tiers: tiers}}})
	require.NoError(t, err)
	r := prometheus.NewPedanticRegistry()
	require.NoError(t, r.Register(NewBoardCollector(boards, prometheus.Labels{"engine": "a"})))
	lines := func(waiting, failed string) {
		t.Helper()
		text := scrape(t, r)
		problems, err := promlint.New(strings.NewReader(text)).Lint()
		require.NoError(t, err)
		require.Empty(t, problems)
		require.Equal(t, 3, strings.Count(text, `engine="a"`))
		for name, value := range map[string]string{"waiting_awards": waiting, "failed_awards": failed, "unsettled_periods": "0"} {
			require.Contains(t, text, "zrank_board_"+name+`{board="a/b",engine="a",window="year"} `+value+"\n")
		}
	}
	lines("0", "0")
	for _, member := range []string{"ada", "bea", "cy"} {
		_, err := b.Submit(t.Context(), board.Submission{Member: member, Score: board.Ints(1)})
		require.NoError(t, err)
	}
	_, err = b.CloseNow(t.Context(), "year")
	require.NoError(t, err)
	_, err = boards.SettleDue(t.Context())
	require.NoError(t, err)
	lines("3", "0")
	require.NoError(t, boards.Deliver(b.Name(), "year", local.Delivery{Grant: func(_ context.Context, _ *engine.Tx, a awards.Award) error {
		if a.Member == "ada" {
			return errors.New("no wallet")
		}
		return nil
	}}))
	_, err = boards.SettleDue(t.Context())
	require.NoError(t, err)
	lines("1", "1")
	require.NoError(t, boards.Close())
	require.Empty(t, scrape(t, r))
	require.NoError(t, e.Close())
}
