package show

import (
	"strings"
	"time"

	"github.com/zrankdb/zrank/board/awards"
)

// Awards writes awards, a line each.
var Awards = List[awards.Award]{
	Empty:   "no award",
	Sparse:  true,
	Columns: []string{"rank", "member", "score", "tiers", "payload", "state", "had", "too much", "expires", "failures", "next", "reason", "id"},
	Right:   []int{1, 3, 10},
	Cells: func(a awards.Award, people bool) []string {
		member, payload := a.Member, payloads(a.Tiers)
		if people {
			member, payload = Name(member), clipped(payload)
		}
		return []string{Number(a.Rank), member, a.Score.String(), TierNames(a.Tiers), payload, a.State.String(), TierNames(a.Had), TierNames(a.TooMuch), timeText(a.Expires),
			Number(a.Failures), timeText(a.Next), a.Reason, a.ID}
	},
}

// TierNames returns the names of tiers, with commas between them.
func TierNames(tiers []awards.Tier) string {
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

func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339)
}
