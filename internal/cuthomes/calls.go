package cuthomes

import (
	"context"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/feed"
)

type calls map[string]func(ctx context.Context) error

// callsOf returns the calls on a home. Each looks its board up with a context that is not cut.
func callsOf(s board.Store) (calls, error) {
	whole := context.Background()
	b, err := s.Board(whole, "arena")
	if err != nil {
		return nil, err
	}
	day, err := b.Live(whole, "day")
	if err != nil {
		return nil, err
	}
	base, err := b.Baseline(whole, "day", "morning")
	if err != nil {
		return nil, err
	}
	all := storeCalls(s)
	for _, more := range []calls{writes(b), moderates(b), reads(b), settles(b), rankingCalls(day, base)} {
		for name, call := range more {
			all[name] = call
		}
	}
	if g, err := s.Groups(whole, "guild"); err == nil {
		for name, call := range groupCalls(g, day) {
			all[name] = call
		}
	}
	return all, nil
}

func storeCalls(s board.Store) calls {
	union := board.UnionSpec{Sources: []board.UnionSource{{Board: "arena"}}}
	return calls{
		"Store.Define":  func(ctx context.Context) error { return second(s.Define(ctx, board.Spec{Name: "other"})) },
		"Store.Migrate": func(ctx context.Context) error { return second(s.Migrate(ctx, board.Spec{Name: "old", MaxMeta: 8})) },
		"Store.Board":   func(ctx context.Context) error { return second(s.Board(ctx, "arena")) },
		"Store.Names":   func(ctx context.Context) error { return second(s.Names(ctx)) },
		"Store.Drop":    func(ctx context.Context) error { return s.Drop(ctx, "old") },
		"Store.CloseDue": func(ctx context.Context) error {
			return second(s.CloseDue(ctx))
		},
		"Store.Ban":          func(ctx context.Context) error { return second(s.Ban(ctx, "bob", operator)) },
		"Store.Erase":        func(ctx context.Context) error { return second(s.Erase(ctx, "bob", operator)) },
		"Store.DefineGroups": func(ctx context.Context) error { return second(s.DefineGroups(ctx, "clan")) },
		"Store.Groups":       func(ctx context.Context) error { return second(s.Groups(ctx, "guild")) },
		"Store.GroupKinds":   func(ctx context.Context) error { return second(s.GroupKinds(ctx)) },
		"Store.Union":        func(ctx context.Context) error { return second(s.Union(ctx, union)) },
		"Store.StoreUnion":   func(ctx context.Context) error { return s.StoreUnion(ctx, "months", union) },
		"Store.StoredUnion":  func(ctx context.Context) error { return second(s.StoredUnion(ctx, "weeks")) },
		"Store.StoredUnions": func(ctx context.Context) error { return second(s.StoredUnions(ctx)) },
		"Store.DropUnion":    func(ctx context.Context) error { return s.DropUnion(ctx, "weeks") },
		"Store.Events":       func(ctx context.Context) error { return last(s.Events(ctx, feed.Position{}, feed.Filter{})) },
		"Store.FeedEnd":      func(ctx context.Context) error { return second(s.FeedEnd(ctx)) },
		"Store.LastCommit":   func(ctx context.Context) error { return second(s.LastCommit(ctx)) },
	}
}

func writes(b board.Board) calls {
	more := func(was board.Row, ranked bool) (board.Score, bool) { return board.Ints(7), true }
	return calls{
		"Submit":     func(ctx context.Context) error { return second(b.Submit(ctx, points("ada", 3, "x"))) },
		"Apply":      func(ctx context.Context) error { return second(b.Apply(ctx, points("ada", 3, "x"))) },
		"SubmitFunc": func(ctx context.Context) error { return second(b.SubmitFunc(ctx, points("ada", 0, "x"), more)) },
		"SubmitAll": func(ctx context.Context) error {
			return second(b.SubmitAll(ctx, []board.Submission{points("ada", 3, "x"), points("fay", 4, "y")}))
		},
		"Remove":        func(ctx context.Context) error { return second(b.Remove(ctx, "ada")) },
		"SetMeta":       func(ctx context.Context) error { return b.SetMeta(ctx, "day", "ada", []byte("m")) },
		"CloseNow":      func(ctx context.Context) error { return second(b.CloseNow(ctx, "day")) },
		"SaveBaseline":  func(ctx context.Context) error { return b.SaveBaseline(ctx, "day", "noon") },
		"DropBaseline":  func(ctx context.Context) error { return b.DropBaseline(ctx, "day", "morning") },
		"Watch":         func(ctx context.Context) error { return b.Watch(ctx, "ada") },
		"Unwatch":       func(ctx context.Context) error { return b.Unwatch(ctx, "ada") },
		"Rebuild":       func(ctx context.Context) error { return second(b.Rebuild(ctx)) },
		"RebuildPeriod": func(ctx context.Context) error { return second(b.RebuildPeriod(ctx, "day", "2026-11-20")) },
		"Revert":        func(ctx context.Context) error { return second(b.Revert(ctx, "ada", board.Reversion{}, operator)) },
		"SetTier":       func(ctx context.Context) error { return second(b.SetTier(ctx, "ada", "gold", operator)) },
	}
}

func moderates(b board.Board) calls {
	late := board.ClosedSubmission{Window: "day", Period: "2026-11-20", Score: board.Ints(9)}
	return calls{
		"Ban":     func(ctx context.Context) error { return second(b.Ban(ctx, "bob", operator)) },
		"Unban":   func(ctx context.Context) error { return second(b.Unban(ctx, "dan", operator)) },
		"Hide":    func(ctx context.Context) error { return second(b.Hide(ctx, "bob", operator)) },
		"Show":    func(ctx context.Context) error { return second(b.Show(ctx, "eve", operator)) },
		"Rename":  func(ctx context.Context) error { return second(b.Rename(ctx, "bob", "fay", operator)) },
		"Merge":   func(ctx context.Context) error { return second(b.Merge(ctx, "bob", "cyd", operator)) },
		"Erase":   func(ctx context.Context) error { return second(b.Erase(ctx, "bob", operator)) },
		"Correct": func(ctx context.Context) error { return second(b.Correct(ctx, "cyd", late, operator)) },
	}
}

func reads(b board.Board) calls {
	return calls{
		"Live":        func(ctx context.Context) error { return second(b.Live(ctx, "day")) },
		"Period":      func(ctx context.Context) error { return second(b.Period(ctx, "day", "2026-11-20")) },
		"LastClosed":  func(ctx context.Context) error { return second(b.LastClosed(ctx, "day")) },
		"Latest":      func(ctx context.Context) error { return second(b.Latest(ctx, "day")) },
		"Periods":     func(ctx context.Context) error { return second(b.Periods(ctx, "day")) },
		"NextReset":   func(ctx context.Context) error { return third(b.NextReset(ctx, "day")) },
		"NextChange":  func(ctx context.Context) error { return third(b.NextChange(ctx, "day", "ada")) },
		"BestRank":    func(ctx context.Context) error { return third(b.BestRank(ctx, "day", "ada")) },
		"Baseline":    func(ctx context.Context) error { return second(b.Baseline(ctx, "day", "morning")) },
		"Baselines":   func(ctx context.Context) error { return second(b.Baselines(ctx, "day")) },
		"Member":      func(ctx context.Context) error { return second(b.Member(ctx, "ada")) },
		"IsBanned":    func(ctx context.Context) error { return second(b.IsBanned(ctx, "dan")) },
		"IsHidden":    func(ctx context.Context) error { return second(b.IsHidden(ctx, "eve")) },
		"Audit":       func(ctx context.Context) error { return last(b.Audit(ctx, audit.Filter{})) },
		"AuditPlaces": func(ctx context.Context) error { return second(b.AuditPlaces(ctx, 1)) },
		"Jobs":        func(ctx context.Context) error { return second(b.Jobs(ctx)) },
		"Journal":     func(ctx context.Context) error { return last(b.Journal(ctx, board.JournalQuery{})) },
		"AsOfRow":     func(ctx context.Context) error { return second(b.AsOfRow(ctx, "day", "2026-11-20", 3)) },
	}
}

func settles(b board.Board) calls {
	return calls{
		"Settlements": func(ctx context.Context) error { return second(b.Settlements(ctx, "day")) },
		"Awards":      func(ctx context.Context) error { return last(b.Awards(ctx, "day", "2026-11-20")) },
		"AwardsOf":    func(ctx context.Context) error { return second(b.AwardsOf(ctx, "ada")) },
		"Claimable":   func(ctx context.Context) error { return second(b.Claimable(ctx, "ada")) },
		"Claim":       func(ctx context.Context) error { return second(b.Claim(ctx, "ada", "x")) },
		"Withhold":    func(ctx context.Context) error { return b.Withhold(ctx, "x", "") },
		"Release":     func(ctx context.Context) error { return b.Release(ctx, "x") },
		"Resettle": func(ctx context.Context) error {
			return second(b.Resettle(ctx, "day", "2026-11-20", awards.Resettlement{}))
		},
		"League":     func(ctx context.Context) error { return second(b.League(ctx, "ada")) },
		"LeagueOf":   func(ctx context.Context) error { return second(b.LeagueOf(ctx, "2026-11-20", "ada")) },
		"Promotions": func(ctx context.Context) error { return last(b.Promotions(ctx, "2026-11-20")) },
		"Tier":       func(ctx context.Context) error { return second(b.Tier(ctx, "ada")) },
	}
}

func rankingCalls(r, base board.Ranking) calls {
	score := board.Ints(2)
	return calls{
		"Ranking.Info":         func(ctx context.Context) error { return second(r.Info(ctx)) },
		"Ranking.Len":          func(ctx context.Context) error { return second(r.Len(ctx)) },
		"Ranking.Rank":         func(ctx context.Context) error { return third(r.Rank(ctx, "ada")) },
		"Ranking.Score":        func(ctx context.Context) error { return third(r.Score(ctx, "ada")) },
		"Ranking.At":           func(ctx context.Context) error { return third(r.At(ctx, 1)) },
		"Ranking.Top":          func(ctx context.Context) error { return second(r.Top(ctx, 3)) },
		"Ranking.AppendTop":    func(ctx context.Context) error { return second(r.AppendTop(ctx, nil, 3)) },
		"Ranking.Places":       func(ctx context.Context) error { return second(r.Places(ctx, -3, -1)) },
		"Ranking.AppendPlaces": func(ctx context.Context) error { return second(r.AppendPlaces(ctx, nil, 1, 3)) },
		"Ranking.Around":       func(ctx context.Context) error { return third(r.Around(ctx, "ada", 1)) },
		"Ranking.AppendAround": func(ctx context.Context) error { return third(r.AppendAround(ctx, nil, "ada", 1)) },
		"Ranking.AroundScore":  func(ctx context.Context) error { return second(r.AroundScore(ctx, score, 1)) },
		"Ranking.Between":      func(ctx context.Context) error { return second(r.Between(ctx, nil, nil, 0, 9)) },
		"Ranking.Count":        func(ctx context.Context) error { return second(r.Count(ctx, nil, &score)) },
		"Ranking.RankOf":       func(ctx context.Context) error { return second(r.RankOf(ctx, score)) },
		"Ranking.Among":        func(ctx context.Context) error { return second(r.Among(ctx, "ada", "bob")) },
		"Ranking.Percentile":   func(ctx context.Context) error { return third(r.Percentile(ctx, "ada")) },
		"Ranking.AtPercentile": func(ctx context.Context) error { return third(r.AtPercentile(ctx, 50)) },
		"Ranking.Histogram":    func(ctx context.Context) error { return second(r.Histogram(ctx, 3)) },
		"Ranking.Gap":          func(ctx context.Context) error { return third(r.Gap(ctx, "ada", 1)) },
		"Ranking.Page": func(ctx context.Context) error {
			_, _, err := r.Page(ctx, board.Cursor{}, 2)
			return err
		},
		"Ranking.All":    func(ctx context.Context) error { return last(r.All(ctx)) },
		"Ranking.Card":   func(ctx context.Context) error { return second(r.Card(ctx, "ada", 1, 1)) },
		"Ranking.Arrows": func(ctx context.Context) error { return second(r.Arrows(ctx, base, "ada")) },
		"Ranking.View": func(ctx context.Context) error {
			return r.View(ctx, func(r board.Ranking) error { return second(r.Len(ctx)) })
		},
		"Ranking.Pin": func(ctx context.Context) error { return second(r.Pin(ctx)) },
	}
}

func groupCalls(g board.Groups, r board.Ranking) calls {
	return calls{
		"Groups.All":      func(ctx context.Context) error { return second(g.All(ctx)) },
		"Groups.Info":     func(ctx context.Context) error { return second(g.Info(ctx, "wolves")) },
		"Groups.Create":   func(ctx context.Context) error { return g.Create(ctx, "lions", []byte("m")) },
		"Groups.SetMeta":  func(ctx context.Context) error { return g.SetMeta(ctx, "wolves", []byte("m")) },
		"Groups.Dissolve": func(ctx context.Context) error { return g.Dissolve(ctx, "wolves") },
		"Groups.Members":  func(ctx context.Context) error { return second(g.Members(ctx, "wolves", "", 9)) },
		"Groups.Of":       func(ctx context.Context) error { return third(g.Of(ctx, "ada")) },
		"Groups.Among":    func(ctx context.Context) error { return second(g.Among(ctx, r, "wolves")) },
		"Groups.Join":     func(ctx context.Context) error { return g.Join(ctx, "bob", "wolves") },
		"Groups.JoinAll": func(ctx context.Context) error {
			return g.JoinAll(ctx, []board.Joining{{Member: "bob", Group: "wolves"}}, nil)
		},
		"Groups.Move":   func(ctx context.Context) error { return g.Move(ctx, "ada", "bears") },
		"Groups.Leave":  func(ctx context.Context) error { return g.Leave(ctx, "ada") },
		"Groups.Rename": func(ctx context.Context) error { return g.Rename(ctx, "ada", "bob") },
	}
}
