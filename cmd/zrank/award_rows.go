package main

import (
	"strconv"
	"strings"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
)

// settlementInfo is one line of "zrank awards" without filters, and of "zrank settle": a closed period and its awards.
type settlementInfo struct {
	Board     string     `json:"board"`
	Window    string     `json:"window"`
	Period    string     `json:"period"`
	ClosedAt  *time.Time `json:"closedAt"`
	ClosedNow bool       `json:"closedNow,omitempty"` // by this command
	Settled   bool       `json:"settled"`
	Revision  int        `json:"revision"`
	Claim     bool       `json:"claim,omitempty"` // members claim; else the program delivers
	Awards    int        `json:"awards"`
	Waiting   int        `json:"waiting"`
	Failed    int        `json:"failed"`
	Expired   int        `json:"expired"`
	Expires   *time.Time `json:"expires,omitempty"`
	Reason    string     `json:"reason,omitempty"` // of the last correction
}

func settlementOf(s awards.Settlement) settlementInfo {
	return settlementInfo{Board: s.Board, Window: s.Window, Period: s.Period, ClosedAt: &s.ClosedAt, Settled: s.Settled, Revision: s.Revision,
		Claim: s.Plan.Claim, Awards: s.Awards, Waiting: s.Waiting, Failed: s.Failed, Expired: s.Expired, Expires: moment(s.Expires, s.Expires.Location()),
		Reason: s.Reason}
}

// settlementList writes the awards of periods, a line a period.
var settlementList = show.List[settlementInfo]{
	Empty:   "no closed period awards anything",
	Sparse:  true,
	Columns: []string{"board", "window", "period", "closed", "new", "awards", "waiting", "failed", "expired", "for", "expires", "revision"},
	Right:   []int{6, 7, 8, 9, 12},
	Cells: func(s settlementInfo, people bool) []string {
		of := []string{s.Board, s.Window, s.Period, timeText(s.ClosedAt), "", "", strconv.Itoa(s.Waiting), strconv.Itoa(s.Failed), strconv.Itoa(s.Expired),
			"delivery", timeText(s.Expires), strconv.Itoa(s.Revision)}
		if s.ClosedNow {
			of[4] = "new"
		}
		if s.Settled {
			of[5] = strconv.Itoa(s.Awards)
		}
		if s.Claim {
			of[9] = "claims"
		}
		return of
	},
}

// awardInfo is one line of "zrank awards" and "zrank claim".
type awardInfo struct {
	ID       string        `json:"id"`
	Board    string        `json:"board"`
	Window   string        `json:"window"`
	Period   string        `json:"period"`
	Member   string        `json:"member"`
	Hex      string        `json:"memberHex,omitempty"` // of a member that is not UTF-8
	Revision int           `json:"revision"`
	Rank     int           `json:"rank,omitempty"`  // 0: the member is not ranked any more
	Score    *board.Score  `json:"score,omitempty"` // nil: the period is not kept, or the list is that of a member
	State    awards.State  `json:"state"`
	Tiers    []awards.Tier `json:"tiers"`
	Had      []awards.Tier `json:"had,omitempty"`
	TooMuch  []awards.Tier `json:"tooMuch,omitempty"`
	Expires  *time.Time    `json:"expires,omitempty"`
	Failures int           `json:"failures,omitempty"`
	Next     *time.Time    `json:"next,omitempty"` // when it is tried again
	Reason   string        `json:"reason,omitempty"`
}

func awardOf(a awards.Award) awardInfo {
	var score *board.Score
	if a.Score.Len() > 0 {
		score = &a.Score
	}
	return awardInfo{a.ID, a.Board, a.Window, a.Period, a.Member, show.Hex(a.Member), a.Revision, a.Rank, score, a.State, a.Tiers, a.Had, a.TooMuch,
		moment(a.Expires, a.Expires.Location()), a.Failures, moment(a.Next, a.Next.Location()), a.Reason}
}

// awardList writes awards, a line each.
var awardList = show.List[awardInfo]{
	Empty:   "no award",
	Sparse:  true,
	Columns: []string{"rank", "member", "score", "tiers", "payload", "state", "had", "too much", "expires", "failures", "next", "reason", "id"},
	Right:   []int{1, 3, 10},
	Cells: func(a awardInfo, people bool) []string {
		member, payload, score := a.Member, payloads(a.Tiers), ""
		if a.Score != nil {
			score = a.Score.String()
		}
		if people {
			member, payload = show.Name(member), clipped(payload)
		}
		return []string{number(a.Rank), member, score, names(a.Tiers), payload, a.State.String(), names(a.Had), names(a.TooMuch), timeText(a.Expires),
			number(a.Failures), timeText(a.Next), a.Reason, a.ID}
	},
}

// number writes a number; "" for 0.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// names returns the names of tiers, with commas between them.
func names(tiers []awards.Tier) string {
	texts := make([]string, len(tiers))
	for i, t := range tiers {
		texts[i] = t.Name
	}
	return strings.Join(texts, ", ")
}

// payloads returns the payloads of tiers, with commas between them.
func payloads(tiers []awards.Tier) string {
	texts := make([]string, len(tiers))
	for i, t := range tiers {
		texts[i] = t.Payload
	}
	return strings.Join(texts, ", ")
}

// clipped returns the beginning of a text that is too long for a table.
func clipped(text string) string {
	const most = 40
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}
