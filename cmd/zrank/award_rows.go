package main

import (
	"strconv"
	"strings"

	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/internal/boardjson"
)

// settlement is one line of "zrank awards" without filters, and of "zrank settle": a closed period and its awards.
type settlement struct {
	awards.Settlement
	ClosedNow bool `json:"closedNow,omitempty"` // by this command
}

// MarshalJSON implements json.Marshaler.
func (s settlement) MarshalJSON() ([]byte, error) { return boardjson.Marshal(&s) }

// settlementList writes the awards of periods, a line a period.
var settlementList = show.List[settlement]{
	Empty:   "no closed period awards anything",
	Sparse:  true,
	Columns: []string{"board", "window", "period", "closed", "new", "awards", "waiting", "failed", "expired", "for", "expires", "revision"},
	Right:   []int{6, 7, 8, 9, 12},
	Cells: func(s settlement, people bool) []string {
		of := []string{s.Board, s.Window, s.Period, timeText(&s.ClosedAt), "", "", strconv.Itoa(s.Waiting), strconv.Itoa(s.Failed), strconv.Itoa(s.Expired),
			"delivery", timeText(moment(s.Expires, s.Expires.Location())), strconv.Itoa(s.Revision)}
		if s.ClosedNow {
			of[4] = "new"
		}
		if s.Settled {
			of[5] = strconv.Itoa(s.Awards)
		}
		if s.Plan.Claim {
			of[9] = "claims"
		}
		return of
	},
}

// awardList writes awards, a line each.
var awardList = show.List[awards.Award]{
	Empty:   "no award",
	Sparse:  true,
	Columns: []string{"rank", "member", "score", "tiers", "payload", "state", "had", "too much", "expires", "failures", "next", "reason", "id"},
	Right:   []int{1, 3, 10},
	Cells: func(a awards.Award, people bool) []string {
		member, payload := a.Member, payloads(a.Tiers)
		if people {
			member, payload = show.Name(member), clipped(payload)
		}
		return []string{number(a.Rank), member, a.Score.String(), names(a.Tiers), payload, a.State.String(), names(a.Had), names(a.TooMuch), timeText(moment(a.Expires, a.Expires.Location())),
			number(a.Failures), timeText(moment(a.Next, a.Next.Location())), a.Reason, a.ID}
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
