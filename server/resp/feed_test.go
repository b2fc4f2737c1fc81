package resp

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/testclock"
)

// TestFeed: BOARD.FEED answers the events behind a position that pass its filters, waits with BLOCK, and refuses what is no position.
func TestFeed(t *testing.T) {
	clock := testclock.New()
	p, boards := withBoards(t, engine.Options{Clock: clock.Now}, Options{})
	_, err := boards.Define(t.Context(), board.Spec{Name: "arena", Feed: &board.Feed{Top: 3}})
	require.NoError(t, err)
	require.Equal(t, "*0\r\n", p.line("BOARD.FEED 0"))
	require.Equal(t, "*-1\r\n", p.line("BOARD.FEED $ BLOCK 1"))
	p.line("BOARD.SUBMIT arena ada 5")
	p.line("BOARD.SUBMIT arena bob 7")
	all := p.line("BOARD.FEED 0")
	require.Equal(t, 8, strings.Count(all, "position"), all)
	position := regexp.MustCompile(`[0-9a-f]{16}-\d+-\d+`).FindAllString(all, -1)
	overtaken := p.line("BOARD.FEED 0 KIND overtaken BOARD arena WINDOW all MEMBER ada")
	require.Contains(t, flat(overtaken), "*1 *22 $8 position")
	require.Contains(t, flat(overtaken), "$6 member $3 ada $2 at :")
	require.Contains(t, flat(overtaken), " $2 by $3 bob $4 rank :2 $6 before :1 $5 score *1 :5")
	require.Equal(t, "*0\r\n", p.line("BOARD.FEED 0 KIND overtaken MEMBER bob"))
	require.Equal(t, 2, strings.Count(p.line("BOARD.FEED 0 COUNT 2"), "position"))
	require.Equal(t, 5, strings.Count(p.line("BOARD.FEED "+position[2]), "position"))
	require.Equal(t, "*0\r\n", p.line("BOARD.FEED "+position[7]))
	waiting := p.another()
	waiting.send("BOARD.FEED", "$", "BLOCK", "0", "KIND", "leader")
	for done := make(chan string); ; {
		go func() { done <- waiting.reply() }()
		for {
			select {
			case reply := <-done:
				require.Contains(t, flat(reply), "leader $5 board $5 arena")
				return
			case <-time.After(time.Millisecond): // the client may not wait yet
				p.line("BOARD.SUBMIT arena cy 9")
				p.line("BOARD.REMOVE arena cy")
			}
		}
	}
}

// TestFeedRefusals: wrong words and positions are refused.
func TestFeedRefusals(t *testing.T) {
	p, _ := withBoards(t, engine.Options{}, Options{})
	for _, line := range []string{"x", "0000000000000001-1-0", "0 COUNT 0", "0 COUNT", "0 BLOCK -1", "0 KIND x", "0 WHAT 1", "0 COUNT x"} {
		require.Contains(t, p.line("BOARD.FEED "+line), "-ERR", line)
	}
}
