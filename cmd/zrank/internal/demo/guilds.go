package demo

import (
	"context"
	"strings"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/cmd/zrank/internal/feed"
	"github.com/zrankdb/zrank/cmd/zrank/internal/season"
)

// guilds puts players into guilds as they appear: their names say in which.
type guilds struct {
	all     board.Groups
	joined  map[string]bool
	made    map[string]bool
	defined bool
	boards  *local.Boards
}

func newGuilds(ctx context.Context, boards *local.Boards) (*guilds, error) {
	all, err := boards.DefineGroups(ctx, guildKind)
	return &guilds{all: all, joined: map[string]bool{}, made: map[string]bool{}, boards: boards}, err
}

// before returns what is done before each commit: players join their guilds, and the commit waits for its time.
func (g *guilds) before(lasts time.Duration) func(ctx context.Context, batch []feed.Item, played float64) error {
	var began time.Time
	return func(ctx context.Context, batch []feed.Item, played float64) error {
		if began.IsZero() {
			began = time.Now()
		}
		wait := time.NewTimer(time.Until(began.Add(time.Duration(played * float64(lasts)))))
		defer wait.Stop()
		select {
		case <-wait.C:
			return g.join(context.WithoutCancel(ctx), batch)
		case <-ctx.Done():
			return errStopped
		}
	}
}

// join puts the players of a batch that are new into their guilds.
func (g *guilds) join(ctx context.Context, batch []feed.Item) error {
	if _, err := g.boards.Board(ctx, season.Arena); !g.defined && err == nil {
		if _, err := g.boards.Define(ctx, servedSpecs[guildBoard]); err != nil {
			return err
		}
		g.defined = true
	}
	var list []board.Joining
	for _, it := range batch {
		member := it.Event.Member
		if g.joined[member] {
			continue
		}
		g.joined[member] = true
		name := guildOf(member)
		if !g.made[name] {
			if err := g.all.Create(ctx, name, nil); err != nil {
				return err
			}
			g.made[name] = true
		}
		list = append(list, board.Joining{Member: member, Group: name})
	}
	return g.all.JoinAll(ctx, list, nil)
}

// guildOf returns the guild of a player: the animal of its name.
func guildOf(member string) string {
	parts := strings.Split(member, "-")
	return parts[min(1, len(parts)-1)]
}
