package resp

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/memfs"
)

// bounded are requests of each command of boards and groups; a # stands for a number. Those that take things away are last.
var bounded = []string{
	"BOARD.TOP arena all #", "BOARD.TOP arena all 10 ASOF #", "BOARD.TOP arena all 10 ASOF ##", "BOARD.TOP arena all # META", "BOARD.RANK arena all m005000 ASOF #",
	"BOARD.AROUND arena all m005000 #", "BOARD.AROUND arena all m000001 # MODE dense", "BOARD.PERIODS arena all", "BOARD.INFO", "BOARD.INFO arena", "BOARD.LIST", "BOARD.MEMBER arena m005000",
	"BOARD.AWARDS arena all all COUNT #", "BOARD.AWARDS arena all all", "BOARD.CLAIM arena m005000", "BOARD.LEAGUE arena m005000", "BOARD.TIER arena m005000", "BOARD.JOURNAL arena",
	"BOARD.JOURNAL arena COUNT #", "BOARD.JOURNAL arena SINCE #", "BOARD.AUDIT arena", "BOARD.AUDIT arena COUNT #", "BOARD.AUDIT arena AFTER #", "BOARD.AUDIT arena ENTRY #",
	"BOARD.AUDIT arena SINCE # UNTIL #", "BOARD.JOBS arena", "BOARD.FEED 0", "BOARD.FEED 0 COUNT #", "BOARD.FEED $ COUNT #", "GROUP.LIST", "GROUP.LIST guild",
	"GROUP.LIST guild COUNT #", "GROUP.LIST guild AFTER m009000 COUNT #", "GROUP.INFO guild wolves", "GROUP.MEMBERS guild wolves", "GROUP.MEMBERS guild wolves COUNT #", "GROUP.OF guild m000001",
	"GROUP.AMONG guild wolves arena all", "GROUP.AMONG guild wolves arena all ASOF #", "GROUP.DEFINE other", "GROUP.CREATE guild others", "GROUP.SETMETA guild others text",
	"GROUP.JOIN guild m099999 others", "GROUP.MOVE guild m099999 wolves", "GROUP.RENAME guild m099999 m099998", "GROUP.LEAVE guild m099998", "BOARD.SUBMIT arena m005000 #",
	"BOARD.SUBMIT arena m005000 5 AT #", "BOARD.SUBMIT arena m005000 5 SKILL #", "BOARD.CORRECT arena m005000 all all # DRYRUN", "BOARD.CORRECT arena m005000 all all 5 AT # DRYRUN",
	"BOARD.REVERT arena m005000 ROW # DRYRUN", "BOARD.REVERT arena m005000 SINCE # DRYRUN", "BOARD.HIDE arena m000002 DRYRUN", "BOARD.SHOW arena m000002", "BOARD.BAN arena m000002 DRYRUN",
	"BOARD.UNBAN arena m000002", "BOARD.RENAME arena m000002 other DRYRUN", "BOARD.MERGE arena m000002 m000003 DRYRUN", "BOARD.SETTIER arena m000002 low", "BOARD.MOVE arena TO x PARTITIONS #",
	"BOARD.MOVE arena TO x REPLICAS #", "BOARD.APPLY arena m005000 #", "BOARD.SETMETA arena all m005000 x", "BOARD.PLACES arena all 1 #", "BOARD.PLACES arena all # -1", "BOARD.PLACES arena all # #",
	"BOARD.SCORE arena all m005000", "BOARD.CARD arena all m005000 TOP # EACH #", "BOARD.CARD arena all m005000 EACH #", "BOARD.PAGE arena all COUNT #", "BOARD.COUNT arena all BEST # WORST #",
	"BOARD.BETWEEN arena all LIMIT #", "BOARD.BETWEEN arena all SKIP # LIMIT #", "BOARD.AROUNDSCORE arena all # #", "BOARD.RANKOF arena all #", "BOARD.GAP arena all m005000 ABOVE #",
	"BOARD.PERCENTILE arena all m005000", "BOARD.ATPERCENTILE arena all #", "BOARD.HISTOGRAM arena all #", "BOARD.AMONG arena all MEMBER m005000", "BOARD.SAVEBASELINE arena all b",
	"BOARD.BASELINES arena all", "BOARD.TOP arena all # BASELINE b", "BOARD.DROPBASELINE arena all b", "BOARD.NEXTRESET arena all", "BOARD.NEXTCHANGE arena all m005000", "BOARD.BESTRANK arena all m005000",
	"BOARD.DEADLINE arena AT #", "BOARD.REBUILD arena", "BOARD.SETTLEMENTS arena all", "BOARD.PROMOTIONS arena all COUNT #", "BOARD.AWARDSOF arena m005000", "BOARD.WITHHOLD arena x",
	"BOARD.RELEASE arena x", "BOARD.WATCH arena m005000", "BOARD.UNWATCH arena m005000", "BOARD.BANALL m000002 DRYRUN", "BOARD.ERASEALL m000002 DRYRUN", "BOARD.END", "UNION.LIST", "UNION.DROP x", "BOARD.REMOVE arena m000002", "BOARD.ERASE arena m000002", "GROUP.DISSOLVE guild wolves",
	"BOARD.CLOSE arena all", "BOARD.DROP arena",
}

// TestBounds sends each command of boards and groups, to a board of 100,000 members and groups with more members than a reply may have rows, with extreme numbers wherever it takes
// one. No reply has more than 10,000 rows, or is large. With -short the board has a few more than 10,000 members.
func TestBounds(t *testing.T) {
	const mostRows, mostBytes = 10_000, 2 << 20
	crowd := 100_000
	if testing.Short() {
		crowd = mostRows + 2_000
	}
	e, err := engine.Open("data", engine.Options{FS: memfs.New()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	boards, err := local.Open(e, local.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, boards.Close()) })
	b, err := boards.Define(t.Context(), board.Spec{Name: "arena", Windows: []board.Window{board.All}, Journal: crowd, Feed: &board.Feed{}})
	require.NoError(t, err)
	for lo := 0; lo < crowd; lo += 2_000 {
		subs := make([]board.Submission, 2_000)
		for i := range subs {
			subs[i] = board.Submission{Member: fmt.Sprintf("m%06d", lo+i), Score: board.Ints(int64(lo + i))}
		}
		_, err = b.SubmitAll(t.Context(), subs)
		require.NoError(t, err)
	}
	guilds, err := boards.DefineGroups(t.Context(), "guild")
	require.NoError(t, err)
	require.NoError(t, guilds.Create(t.Context(), "wolves", nil))
	var joinings []board.Joining
	for i := range mostRows + 10 {
		name := fmt.Sprintf("m%06d", i)
		require.NoError(t, guilds.Create(t.Context(), name, nil))
		joinings = append(joinings, board.Joining{Member: name, Group: "wolves"})
	}
	require.NoError(t, guilds.JoinAll(t.Context(), joinings, nil))
	p := serve(t, e, Options{Boards: boards})
	had := map[string]bool{}
	for _, line := range bounded {
		had[strings.ToLower(strings.Fields(line)[0])] = true
		for _, n := range []int64{math.MinInt64, math.MaxInt64, 1 << 31, mostRows + 1, mostRows, mostRows/2 + 1, -1, 0} {
			text := fmt.Sprint(n)
			request := strings.ReplaceAll(strings.ReplaceAll(line, "##", "\x00"), "#", text)
			request = strings.ReplaceAll(request, "\x00", "#"+text)
			reply := p.line(request)
			if rows := strings.Count(reply, "\nm0"); rows > mostRows {
				t.Errorf("%s: %d rows", request, rows)
			}
			if len(reply) > mostBytes {
				t.Errorf("%s: %d bytes", request, len(reply))
			}
			if !strings.Contains(line, "#") {
				break
			}
		}
	}
	for _, m := range p.s.host.Commands.All() {
		if strings.HasPrefix(m.Name, "board.") || strings.HasPrefix(m.Name, "group.") || strings.HasPrefix(m.Name, "union.") {
			require.True(t, had[m.Name], "%s is not among them", m.Name)
		}
	}
}
