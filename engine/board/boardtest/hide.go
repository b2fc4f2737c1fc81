package boardtest

import (
	"context"
	"strings"

	"github.com/zrankdb/zrank/engine/board"
)

// parseHide reads MEMBER [by=NAME] [reason=TEXT] [dry=true], for hide and show.
func parseHide(call func(Board, context.Context, string, board.Action) (board.Moderated, error)) func(a *args) action {
	return func(a *args) action {
		member, do := a.word("the member"), a.moderation()
		return onBoard(func(p *player, b Board) (string, error) {
			got, err := call(b, context.Background(), member, do)
			var places []string
			for _, x := range got.Places {
				places = append(places, x.Window+"/"+x.Period+" "+placeText(x.Rank, x.Score)+" becomes "+placeText(x.NewRank, x.NewScore))
			}
			return strings.Join(places, ", "), err
		})
	}
}
