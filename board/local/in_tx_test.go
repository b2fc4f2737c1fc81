package local

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/hangtest"
)

// insideCalls are the methods of a type, by name: those that return ErrInTx inside a closure of the engine, and those that are allowed there.
type insideCalls struct {
	refused, allowed map[string]func() error
}

func errorOf[T any](_ T, err error) error { return err }

func errorOf2[T, U any](_ T, _ U, err error) error { return err }

// noError returns a call that returns nil.
func noError(call func()) func() error { return func() error { call(); return nil } }

// boardsInside returns the methods of Boards.
func (g *game) boardsInside(ctx context.Context) insideCalls {
	return insideCalls{
		refused: map[string]func() error{
			"Define":       func() error { return errorOf(g.bs.Define(ctx, arenaInside)) },
			"DefineGroups": func() error { return errorOf(g.bs.DefineGroups(ctx, "guild")) },
			"Drop":         func() error { return g.bs.Drop(ctx, "arena") },
			"Migrate":      func() error { return errorOf(g.bs.Migrate(ctx, arenaInside)) },
			"CloseDue":     func() error { return errorOf(g.bs.CloseDue(ctx)) },
			"SettleDue":    func() error { return errorOf(g.bs.SettleDue(ctx)) },
			"Ban":          func() error { return errorOf(g.bs.Ban(ctx, "ada", ops)) },
			"Erase":        func() error { return errorOf(g.bs.Erase(ctx, "ada", ops)) },
			"CountDue":     func() error { return g.bs.CountDue(ctx) },
			"Close":        g.bs.Close,
			"Check":        func() error { return errorOf(g.bs.Check(ctx, nil)) },
			"Union":        func() error { return errorOf(g.bs.Union(ctx, arenaUnion)) },
			"StoreUnion":   func() error { return g.bs.StoreUnion(ctx, "weeks", arenaUnion) },
			"StoredUnion":  func() error { return errorOf(g.bs.StoredUnion(ctx, "weeks")) },
			"StoredUnions": func() error { return errorOf(g.bs.StoredUnions(ctx)) },
			"DropUnion":    func() error { return g.bs.DropUnion(ctx, "weeks") },
			"Events": func() (err error) {
				for _, err = range g.bs.Events(ctx, feed.Position{}, feed.Filter{}) {
				}
				return err
			},
			"Feed": func() (err error) {
				for _, err = range g.bs.Feed(ctx, feed.Position{}, feed.Filter{}) {
				}
				return err
			},
		},
		allowed: map[string]func() error{
			"FeedEnd":    func() error { return errorOf(g.bs.FeedEnd(ctx)) },
			"LastCommit": func() error { return errorOf(g.bs.LastCommit(ctx)) },
			"Board":      func() error { return errorOf(g.bs.Board(ctx, "arena")) },
			"All":        noError(func() { g.bs.All() }),
			"Names":      func() error { return errorOf(g.bs.Names(ctx)) },
			"Relocation": func() error { return errorOf(g.bs.Relocation()) },
			"Engine":     noError(func() { g.bs.Engine() }),
			"Deliver":    func() error { return g.bs.Deliver("arena", "day", Delivery{}) },
			"Hints":      func() error { return errorOf(g.bs.Hints("arena")) },
			"In":         noError(func() {}), // see TestInTxBoardIn
			"NextDue":    noError(func() { g.bs.NextDue() }),
			"GroupsIn":   noError(func() {}), // see TestGroupsInTxRefused
			"Groups":     func() error { return errorOf(g.bs.Groups(ctx, "guild")) },
			"GroupKinds": func() error { return errorOf(g.bs.GroupKinds(ctx)) },
			"RulesOf": func() error {
				return errorOf(g.bs.RulesOf(Key{Board: "arena", Kind: "day", Period: "2026-11-20", Version: 1}.String()))
			},
		},
	}
}

var arenaUnion = board.UnionSpec{Sources: []board.UnionSource{{Board: "arena"}}}

var arenaInside = board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.All, board.Day, board.Rolling("hours", 3*time.Hour)}, MaxMeta: 10, BestRanks: true}

// groupsInside returns the methods of Groups.
func groupsInside(ctx context.Context, k board.Groups, day board.Ranking) insideCalls {
	return insideCalls{
		refused: map[string]func() error{
			"Create":   func() error { return k.Create(ctx, "lions", nil) },
			"SetMeta":  func() error { return k.SetMeta(ctx, "wolves", nil) },
			"Info":     func() error { return errorOf(k.Info(ctx, "wolves")) },
			"Among":    func() error { return errorOf(k.Among(ctx, day, "wolves")) },
			"Join":     func() error { return k.Join(ctx, "bob", "wolves") },
			"JoinAll":  func() error { return k.JoinAll(ctx, []board.Joining{{Member: "bob", Group: "wolves"}}, nil) },
			"Move":     func() error { return k.Move(ctx, "ada", "wolves") },
			"Leave":    func() error { return k.Leave(ctx, "ada") },
			"Rename":   func() error { return k.Rename(ctx, "ada", "eva") },
			"Dissolve": func() error { return k.Dissolve(ctx, "wolves") },
		},
		allowed: map[string]func() error{
			"Kind":    noError(func() { k.Kind() }),
			"All":     func() error { return errorOf(k.All(ctx)) },
			"Members": func() error { return errorOf(k.Members(ctx, "wolves", "", 10)) },
			"Of":      func() error { _, _, err := k.Of(ctx, "ada"); return err },
		},
	}
}

// hintsInside returns the methods of Hints.
func hintsInside(ctx context.Context, h Hints, sub board.Submission) insideCalls {
	return insideCalls{allowed: map[string]func() error{
		"Submit": func() error { return errorOf(h.Submit(ctx, nil, sub)) },
		"Remove": func() error { return errorOf(h.Remove(ctx, nil, "ada")) },
		"Read":   func() error { return errorOf(h.Read(ctx, nil, "hours")) },
		"ReadOf": func() error { return errorOf(h.ReadOf(ctx, nil, "ada", "day", "2026-11-20")) },
		"Claim": func() error {
			if _, err := h.Claim(nil, "arena/day/2026-11-20/1/ada"); !errors.Is(err, awards.ErrNoAward) {
				return err
			}
			return nil
		},
	}}
}

// boardInside returns the methods of Board.
func (g *game) boardInside(ctx context.Context, b board.Board) insideCalls {
	sub := board.Submission{Member: "ada", Score: board.Ints(1), At: g.clock.Now()}
	calls := insideCalls{
		refused: map[string]func() error{
			"Submit": func() error { return errorOf(b.Submit(ctx, sub)) },
			"Apply":  func() error { return errorOf(b.Apply(ctx, sub)) },
			"SubmitFunc": func() error {
				return errorOf(b.SubmitFunc(ctx, sub, func(board.Row, bool) (board.Score, bool) { return board.Ints(1), true }))
			},
			"SubmitAll":     func() error { return errorOf(b.SubmitAll(ctx, []board.Submission{sub})) },
			"CloseNow":      func() error { return errorOf(b.CloseNow(ctx, "day")) },
			"SetMeta":       func() error { return b.SetMeta(ctx, "day", "ada", []byte("m")) },
			"Remove":        func() error { return errorOf(b.Remove(ctx, "ada")) },
			"SaveBaseline":  func() error { return b.SaveBaseline(ctx, "day", "morning") },
			"DropBaseline":  func() error { return b.DropBaseline(ctx, "day", "morning") },
			"Rebuild":       func() error { return errorOf(b.Rebuild(ctx)) },
			"RebuildPeriod": func() error { return errorOf(b.RebuildPeriod(ctx, "day", "2026-11-20")) },
			"Baselines":     func() error { return errorOf(b.Baselines(ctx, "day")) },
			"BestRank":      func() error { return errorOf2(b.BestRank(ctx, "day", "ada")) },
			"Period":        func() error { return errorOf(b.Period(ctx, "day", "2026-11-20")) },
			"NextChange":    func() error { return errorOf2(b.NextChange(ctx, "hours", "ada")) },
			"Latest":        func() error { return errorOf(b.Latest(ctx, "day")) },
			"Periods":       func() error { return errorOf(b.Periods(ctx, "day")) },
		},
		allowed: map[string]func() error{
			"Name": noError(func() { b.Name() }), "Spec": noError(func() { b.Spec() }), "Version": noError(func() { b.Version() }),
			"Live":      func() error { return errorOf(b.Live(ctx, "day")) },
			"At":        func() error { return errorOf(b.At(ctx, "day", g.clock.Now())) },
			"Baseline":  func() error { return errorOf(b.Baseline(ctx, "day", "morning")) },
			"NextReset": func() error { return errorOf2(b.NextReset(ctx, "day")) },
			"Deadline":  func() error { return errorOf2(b.Deadline(ctx, g.clock.Now())) },
			"LastClosed": func() error {
				if _, err := b.LastClosed(ctx, "day"); err != nil {
					require.ErrorIs(g.t, err, board.ErrNoPeriod)
				}
				return nil
			},
			"Settlements": func() error { return errorOf(b.Settlements(ctx, "day")) },
			"IsBanned":    func() error { return errorOf(b.IsBanned(ctx, "ada")) },
			"IsHidden":    func() error { return errorOf(b.IsHidden(ctx, "ada")) },
		},
	}
	maps.Copy(calls.refused, g.awardsInside(ctx, b))
	maps.Copy(calls.refused, g.moderationInside(ctx, b))
	return calls
}

// awardsInside returns the methods of Board about awards and the journal that are refused.
func (g *game) awardsInside(ctx context.Context, b board.Board) map[string]func() error {
	const id = "arena/day/2026-11-20/1/ada"
	return map[string]func() error{
		"League":   func() error { return errorOf(b.League(ctx, "ada")) },
		"LeagueOf": func() error { return errorOf(b.LeagueOf(ctx, "2026-11-20", "ada")) },
		"Tier":     func() error { return errorOf(b.Tier(ctx, "ada")) },
		"SetTier":  func() error { return errorOf(b.SetTier(ctx, "ada", "gold", board.Action{By: "ops"})) },
		"Promotions": func() error {
			for _, err := range b.Promotions(ctx, "2026-11-20") {
				return err
			}
			return nil
		},
		"AsOf":    func() error { return errorOf(b.AsOf(ctx, "day", g.clock.Now())) },
		"AsOfRow": func() error { return errorOf(b.AsOfRow(ctx, "day", "2026-11-20", 1)) },
		"Awards": func() error {
			for _, err := range b.Awards(ctx, "day", "2026-11-20") {
				return err
			}
			return nil
		},
		"Watch":   func() error { return b.Watch(ctx, "ada") },
		"Unwatch": func() error { return b.Unwatch(ctx, "ada") },
		"Journal": func() error {
			for _, err := range b.Journal(ctx, board.JournalQuery{}) {
				return err
			}
			return nil
		},
		"AwardsOf":  func() error { return errorOf(b.AwardsOf(ctx, "ada")) },
		"Claimable": func() error { return errorOf(b.Claimable(ctx, "ada")) },
		"Claim":     func() error { return errorOf(b.Claim(ctx, "ada", id)) },
		"Withhold":  func() error { return b.Withhold(ctx, id, "") },
		"Release":   func() error { return b.Release(ctx, id) },
		"Resettle": func() error {
			return errorOf(b.Resettle(ctx, "day", "2026-11-20", awards.Resettlement{}))
		},
	}
}

// moderationInside returns the methods of Board about moderation that are refused.
func (g *game) moderationInside(ctx context.Context, b board.Board) map[string]func() error {
	return map[string]func() error{
		"Ban":         func() error { return errorOf(b.Ban(ctx, "ada", ops)) },
		"Hide":        func() error { return errorOf(b.Hide(ctx, "ada", ops)) },
		"Show":        func() error { return errorOf(b.Show(ctx, "ada", ops)) },
		"Unban":       func() error { return errorOf(b.Unban(ctx, "ada", ops)) },
		"Member":      func() error { return errorOf(b.Member(ctx, "ada")) },
		"Erase":       func() error { return errorOf(b.Erase(ctx, "ada", ops)) },
		"Rename":      func() error { return errorOf(b.Rename(ctx, "ada", "eve", ops)) },
		"Correct":     func() error { return errorOf(b.Correct(ctx, "ada", board.ClosedSubmission{}, ops)) },
		"Merge":       func() error { return errorOf(b.Merge(ctx, "ada", "bob", ops)) },
		"Jobs":        func() error { return errorOf(b.Jobs(ctx)) },
		"Revert":      func() error { return errorOf(b.Revert(ctx, "ada", board.Reversion{}, ops)) },
		"AuditPlaces": func() error { return errorOf(b.AuditPlaces(ctx, 1)) },
		"Audit": func() error {
			for _, err := range b.Audit(ctx, audit.Filter{}) {
				return err
			}
			return nil
		},
	}
}

// rankingInside returns the methods of Ranking.
func rankingInside(ctx context.Context, r board.Ranking) insideCalls {
	score := board.Ints(1)
	calls := insideCalls{
		refused: map[string]func() error{
			"Len":          func() error { return errorOf(r.Len(ctx)) },
			"Rank":         func() error { return errorOf2(r.Rank(ctx, "ada")) },
			"Score":        func() error { return errorOf2(r.Score(ctx, "ada")) },
			"At":           func() error { return errorOf2(r.At(ctx, 1)) },
			"Top":          func() error { return errorOf(r.Top(ctx, 3)) },
			"AppendTop":    func() error { return errorOf(r.AppendTop(ctx, nil, 3)) },
			"Places":       func() error { return errorOf(r.Places(ctx, 1, 3)) },
			"AppendPlaces": func() error { return errorOf(r.AppendPlaces(ctx, nil, 1, 3)) },
			"Around":       func() error { return errorOf2(r.Around(ctx, "ada", 1)) },
			"AppendAround": func() error { return errorOf2(r.AppendAround(ctx, nil, "ada", 1)) },
			"AroundScore":  func() error { return errorOf(r.AroundScore(ctx, score, 1)) },
			"Between":      func() error { return errorOf(r.Between(ctx, &score, nil, 0, 1)) },
			"Count":        func() error { return errorOf(r.Count(ctx, &score, nil)) },
			"RankOf":       func() error { return errorOf(r.RankOf(ctx, score)) },
			"Among":        func() error { return errorOf(r.Among(ctx, "ada")) },
			"Percentile":   func() error { return errorOf2(r.Percentile(ctx, "ada")) },
			"AtPercentile": func() error { return errorOf2(r.AtPercentile(ctx, 50)) },
			"Histogram":    func() error { return errorOf(r.Histogram(ctx, 2)) },
			"Gap":          func() error { return errorOf2(r.Gap(ctx, "ada", 1)) },
			"Page":         func() error { return errorOf2(r.Page(ctx, board.Cursor{}, 3)) },
			"Card":         func() error { return errorOf(r.Card(ctx, "ada", 1, 1)) },
			"Arrows":       func() error { return errorOf(r.Arrows(ctx, r, "ada")) },
			"View":         func() error { return r.View(ctx, func(board.Ranking) error { return nil }) },
			"Pin":          func() error { return errorOf(r.Pin(ctx)) },
			"All": func() error {
				for _, err := range r.All(ctx) {
					if err != nil {
						return err
					}
				}
				return nil
			},
		},
		allowed: map[string]func() error{
			"Info": func() error { return errorOf(r.Info(ctx)) },
			"By":   noError(func() { r.By(board.Dense) }),
		},
	}
	return calls
}

// requireComplete requires that the calls are all exported methods of a type.
func (c insideCalls) requireComplete(t *testing.T, typ reflect.Type) {
	t.Helper()
	var methods, known []string
	for i := range typ.NumMethod() {
		if m := typ.Method(i); m.IsExported() {
			methods = append(methods, m.Name)
		}
	}
	for name := range c.refused {
		known = append(known, name)
	}
	for name := range c.allowed {
		known = append(known, name)
	}
	require.ElementsMatch(t, methods, known, typ)
}

// gameInside returns a game, a board with two members, and the keys of its sets.
func gameInside(t *testing.T, durable bool) (*game, board.Board, []string) {
	g := newGame(t, durable)
	b := g.define(arenaInside)
	g.score(b, "ada", 5)
	g.score(b, "bob", 3)
	keys, err := hintsOf(b).Submit(t.Context(), nil, board.Submission{Member: "ada", Score: board.Ints(1), At: g.clock.Now()})
	require.NoError(t, err)
	return g, b, keys
}

// TestInTx calls every method of boards and rankings inside closures of the engine. Methods that could wait for the closure return ErrInTx at
// once, and the board accepts results afterwards.
func TestInTx(t *testing.T) {
	for _, durable := range []bool{false, true} {
		g, b, keys := gameInside(t, durable)
		day, err := b.Live(t.Context(), "day")
		require.NoError(t, err)
		guilds := wolves(g)
		closures := map[string]func(fn func() error) error{ // each runs fn inside a closure
			"Update": func(fn func() error) error {
				return g.e.Update(t.Context(), func(*engine.Tx) error { return fn() }, keys...)
			},
			"View": func(fn func() error) error {
				return g.e.View(t.Context(), func(*engine.Tx) error { return fn() }, keys...)
			},
			"other": func(fn func() error) error {
				return g.e.View(t.Context(), func(*engine.Tx) error { return fn() }, "other")
			},
			"Ranking.View": func(fn func() error) error {
				return day.View(t.Context(), func(board.Ranking) error { return fn() })
			},
			"SubmitFunc": func(fn func() error) (err error) {
				_, failed := b.SubmitFunc(t.Context(), board.Submission{Member: "ada"}, func(board.Row, bool) (board.Score, bool) {
					err = fn()
					return board.Score{}, false
				})
				require.NoError(t, failed)
				return err
			},
		}
		types := map[reflect.Type]insideCalls{
			reflect.TypeFor[*Boards]():       g.boardsInside(t.Context()),
			reflect.TypeFor[board.Board]():   g.boardInside(t.Context(), b),
			reflect.TypeFor[Hints]():         hintsInside(t.Context(), hintsOf(b), board.Submission{Member: "ada", Score: board.Ints(1), At: g.clock.Now()}),
			reflect.TypeFor[board.Groups]():  groupsInside(t.Context(), guilds, day),
			reflect.TypeFor[board.Ranking](): rankingInside(t.Context(), day),
		}
		for typ, calls := range types {
			calls.requireComplete(t, typ)
			for closure, run := range closures {
				for name, call := range calls.refused {
					t.Run(closure+"/"+typ.String()+"."+name, func(t *testing.T) {
						hangtest.Do(t, func() { require.ErrorIs(t, run(call), engine.ErrInTx) })
					})
				}
				for name, call := range calls.allowed {
					t.Run(closure+"/"+typ.String()+"."+name, func(t *testing.T) {
						hangtest.Do(t, func() { require.NoError(t, run(call)) })
					})
				}
			}
		}
		hangtest.Do(t, func() {
			require.Equal(t, board.Int(6), g.score(b, "ada", 1).After.Score.At(0))
			rows, err := day.Top(t.Context(), 9)
			require.NoError(t, err)
			require.Len(t, rows, 2)
		})
	}
}

// TestInTxBoardIn: Boards.In and the ranking that View gives work inside closures.
func TestInTxBoardIn(t *testing.T) {
	g, b, keys := gameInside(t, false)
	hangtest.Do(t, func() {
		sub := board.Submission{Member: "ada", Score: board.Ints(1), At: g.clock.Now()}
		require.NoError(t, g.e.Update(t.Context(), func(tx *engine.Tx) error {
			_, err := b.Submit(t.Context(), sub)
			require.ErrorIs(t, err, engine.ErrInTx)
			c, err := in(b, tx).Submit(sub)
			require.NoError(t, err)
			require.Equal(t, board.Int(6), c.After.Score.At(0))
			changed, err := in(b, tx).Apply(sub)
			require.True(t, changed)
			return err
		}, keys...))
		day, err := b.Live(t.Context(), "day")
		require.NoError(t, err)
		require.NoError(t, day.View(t.Context(), func(still board.Ranking) error {
			calls := rankingInside(t.Context(), still)
			names := slices.Collect(func(yield func(string) bool) {
				for name := range calls.refused {
					if !yield(name) {
						return
					}
				}
			})
			for _, name := range names {
				require.NoError(t, calls.refused[name](), name)
			}
			return nil
		}))
		row, _, err := day.Rank(t.Context(), "ada")
		require.NoError(t, err)
		require.Equal(t, board.Int(7), row.Score.At(0), "the refused submission was not counted")
	})
}

// TestInTxWhileMigrating: inside a closure that a migration waits for, a call that would wait for the migration returns ErrInTx too.
func TestInTxWhileMigrating(t *testing.T) {
	g, b, keys := gameInside(t, false)
	hangtest.Do(t, func() {
		sub := board.Submission{Member: "ada", Score: board.Ints(1), At: g.clock.Now()}
		migrated := make(chan error, 1)
		require.NoError(t, g.e.Update(t.Context(), func(*engine.Tx) error {
			go func() {
				spec := arenaInside
				spec.MaxMeta = 20
				_, err := g.bs.Migrate(context.Background(), spec)
				migrated <- err
			}()
			for !coreOf(b).IsFrozen() {
				runtime.Gosched()
			}
			for _, call := range g.boardInside(t.Context(), b).refused {
				require.ErrorIs(t, call(), engine.ErrInTx)
			}
			for _, call := range g.boardsInside(t.Context()).refused {
				require.ErrorIs(t, call(), engine.ErrInTx)
			}
			_, err := hintsOf(b).Submit(t.Context(), nil, sub)
			require.ErrorIs(t, err, engine.ErrInTx)
			return nil
		}, keys...))
		require.NoError(t, <-migrated)
		require.Equal(t, board.Int(6), g.score(b, "ada", 1).After.Score.At(0))
	})
}
