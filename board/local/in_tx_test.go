package local

import (
	"context"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
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
func (g *game) boardsInside() insideCalls {
	ctx := context.Background()
	return insideCalls{
		refused: map[string]func() error{
			"Define":       func() error { return errorOf(g.bs.Define(arenaInside)) },
			"DefineGroups": func() error { return errorOf(g.bs.DefineGroups("guild")) },
			"Drop":         func() error { return g.bs.Drop("arena") },
			"Migrate":      func() error { return errorOf(g.bs.Migrate(ctx, arenaInside)) },
			"CloseDue":     func() error { return errorOf(g.bs.CloseDue()) },
			"SettleDue":    func() error { return errorOf(g.bs.SettleDue(ctx)) },
			"Ban":          func() error { return errorOf(g.bs.Ban(ctx, "ada", ops)) },
			"Erase":        func() error { return errorOf(g.bs.Erase(context.Background(), "ada", ops)) },
			"CountDue":     func() error { return g.bs.CountDue(context.Background()) },
			"Close":        g.bs.Close,
			"Check":        func() error { return errorOf(g.bs.Check(ctx, nil)) },
			"Union":        func() error { return errorOf(g.bs.Union(ctx, arenaUnion)) },
			"StoreUnion":   func() error { return g.bs.StoreUnion(ctx, "weeks", arenaUnion) },
			"StoredUnion":  func() error { return errorOf(g.bs.StoredUnion("weeks")) },
			"StoredUnions": func() error { return errorOf(g.bs.StoredUnions()) },
			"DropUnion":    func() error { return g.bs.DropUnion("weeks") },
			"Events": func() (err error) {
				for _, err = range g.bs.Events(ctx, board.Position{}, board.FeedFilter{}) {
				}
				return err
			},
			"Feed": func() (err error) {
				for _, err = range g.bs.Feed(ctx, board.Position{}, board.FeedFilter{}) {
				}
				return err
			},
		},
		allowed: map[string]func() error{
			"FeedEnd":    func() error { return errorOf(g.bs.FeedEnd()) },
			"LastCommit": func() error { return errorOf(g.bs.LastCommit()) },
			"Board":      func() error { return errorOf(g.bs.Board("arena")) },
			"All":        noError(func() { g.bs.All() }),
			"Names":      func() error { return errorOf(g.bs.Names()) },
			"Relocation": func() error { return errorOf(g.bs.Relocation()) },
			"Now":        noError(func() { g.bs.Now() }),
			"Groups":     func() error { return errorOf(g.bs.Groups("guild")) },
			"GroupKinds": noError(func() { g.bs.GroupKinds() }),
			"RulesOf": func() error {
				return errorOf(g.bs.RulesOf(Key{Board: "arena", Kind: "day", Period: "2026-11-20", Version: 1}.String()))
			},
		},
	}
}

var arenaUnion = board.UnionSpec{Sources: []board.UnionSource{{Board: "arena"}}}

var arenaInside = board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.All, board.Day, board.Rolling("hours", 3*time.Hour)}, MaxMeta: 10, BestRanks: true}

// groupsInside returns the methods of Groups.
func groupsInside(k *Groups, day board.Ranking) insideCalls {
	ctx := context.Background()
	return insideCalls{
		refused: map[string]func() error{
			"Create":   func() error { return k.Create("lions", nil) },
			"SetMeta":  func() error { return k.SetMeta("wolves", nil) },
			"Info":     func() error { return errorOf(k.Info("wolves")) },
			"Among":    func() error { return errorOf(k.Among(day, "wolves")) },
			"Join":     func() error { return k.Join("bob", "wolves") },
			"JoinAll":  func() error { return k.JoinAll(ctx, []board.Joining{{Member: "bob", Group: "wolves"}}, nil) },
			"Move":     func() error { return k.Move("ada", "wolves") },
			"Leave":    func() error { return k.Leave("ada") },
			"Rename":   func() error { return k.Rename("ada", "eva") },
			"Dissolve": func() error { return k.Dissolve(ctx, "wolves") },
		},
		allowed: map[string]func() error{
			"Kind":    noError(func() { k.Kind() }),
			"All":     noError(func() { k.All() }),
			"Members": func() error { return errorOf(k.Members("wolves", "", 10)) },
			"Of":      noError(func() { k.Of("ada") }),
		},
	}
}

// boardInside returns the methods of Board.
func (g *game) boardInside(b *Board) insideCalls {
	ctx, sub := context.Background(), board.Submission{Member: "ada", Score: board.Ints(1), At: g.clock.Now()}
	calls := insideCalls{
		refused: map[string]func() error{
			"Submit": func() error { return errorOf(b.Submit(sub)) },
			"Apply":  func() error { return errorOf(b.Apply(sub)) },
			"SubmitFunc": func() error {
				return errorOf(b.SubmitFunc(sub, func(board.Row, bool) (board.Score, bool) { return board.Ints(1), true }))
			},
			"SubmitAll":     func() error { return errorOf(b.SubmitAll([]board.Submission{sub})) },
			"CloseNow":      func() error { return errorOf(b.CloseNow("day")) },
			"SetMeta":       func() error { return b.SetMeta("day", "ada", []byte("m")) },
			"Remove":        func() error { return errorOf(b.Remove("ada")) },
			"SaveBaseline":  func() error { return b.SaveBaseline(ctx, "day", "morning") },
			"DropBaseline":  func() error { return b.DropBaseline("day", "morning") },
			"Rebuild":       func() error { return errorOf(b.Rebuild(ctx)) },
			"RebuildPeriod": func() error { return errorOf(b.RebuildPeriod(ctx, "day", "2026-11-20")) },
			"Baselines":     func() error { return errorOf(b.Baselines("day")) },
			"BestRank":      func() error { return errorOf2(b.BestRank("day", "ada")) },
			"Period":        func() error { return errorOf(b.Period("day", "2026-11-20")) },
			"NextChange":    func() error { return errorOf2(b.NextChange("hours", "ada")) },
			"Latest":        func() error { return errorOf(b.Latest("day")) },
			"Periods":       func() error { return errorOf(b.Periods("day")) },
			"Usage":         func() error { return errorOf(b.Usage()) },
		},
		allowed: map[string]func() error{
			"Name": noError(func() { b.Name() }), "Spec": noError(func() { b.Spec() }), "Version": noError(func() { b.Version() }),
			"Live":      func() error { return errorOf(b.Live("day")) },
			"At":        func() error { return errorOf(b.At("day", g.clock.Now())) },
			"Baseline":  func() error { return errorOf(b.Baseline("day", "morning")) },
			"NextReset": func() error { return errorOf2(b.NextReset("day")) },
			"Deadline":  func() error { return errorOf2(b.Deadline(g.clock.Now())) },
			"LastClosed": func() error {
				if _, err := b.LastClosed("day"); err != nil {
					require.ErrorIs(g.t, err, board.ErrNoPeriod)
				}
				return nil
			},
			"Keys":        func() error { return errorOf(b.Keys(nil, sub)) },
			"RemoveKeys":  func() error { return errorOf(b.RemoveKeys(nil, "ada")) },
			"ReadKeys":    func() error { return errorOf(b.ReadKeys(nil, "hours")) },
			"ReadKeysOf":  func() error { return errorOf(b.ReadKeysOf(nil, "ada", "day", "2026-11-20")) },
			"Deliver":     func() error { return b.Deliver("day", Delivery{}) },
			"Settlements": func() error { return errorOf(b.Settlements("day")) },
			"ClaimKeys": func() error {
				if _, err := b.ClaimKeys(nil, "arena/day/2026-11-20/1/ada"); err != nil {
					require.ErrorIs(g.t, err, board.ErrAward)
				}
				return nil
			},
			"IsBanned": noError(func() { b.IsBanned("ada") }),
			"IsHidden": noError(func() { b.IsHidden("ada") }),
			"In":       noError(func() {}), // see TestInTxBoardIn
		},
	}
	maps.Copy(calls.refused, g.awardsInside(b))
	maps.Copy(calls.refused, g.moderationInside(b))
	return calls
}

// awardsInside returns the methods of Board about awards and the journal that are refused.
func (g *game) awardsInside(b *Board) map[string]func() error {
	const id = "arena/day/2026-11-20/1/ada"
	return map[string]func() error{
		"League":   func() error { return errorOf(b.League("ada")) },
		"LeagueOf": func() error { return errorOf(b.LeagueOf("2026-11-20", "ada")) },
		"Tier":     func() error { return errorOf(b.Tier("ada")) },
		"SetTier":  func() error { return errorOf(b.SetTier("ada", "gold", board.Action{By: "ops"})) },
		"Promotions": func() error {
			for _, err := range b.Promotions("2026-11-20") {
				return err
			}
			return nil
		},
		"AsOf":    func() error { return errorOf(b.AsOf(context.Background(), "day", g.clock.Now())) },
		"AsOfRow": func() error { return errorOf(b.AsOfRow(context.Background(), "day", "2026-11-20", 1)) },
		"Awards": func() error {
			for _, err := range b.Awards("day", "2026-11-20") {
				return err
			}
			return nil
		},
		"Watch":   func() error { return b.Watch("ada") },
		"Unwatch": func() error { return b.Unwatch("ada") },
		"Journal": func() error {
			for _, err := range b.Journal(board.JournalQuery{}) {
				return err
			}
			return nil
		},
		"AwardsOf":  func() error { return errorOf(b.AwardsOf("ada")) },
		"Claimable": func() error { return errorOf(b.Claimable("ada")) },
		"Claim":     func() error { return errorOf(b.Claim("ada", id)) },
		"Withhold":  func() error { return b.Withhold(id, "") },
		"Release":   func() error { return b.Release(id) },
		"Resettle": func() error {
			return errorOf(b.Resettle(context.Background(), "day", "2026-11-20", board.Resettlement{}))
		},
	}
}

// moderationInside returns the methods of Board about moderation that are refused.
func (g *game) moderationInside(b *Board) map[string]func() error {
	ctx := context.Background()
	return map[string]func() error{
		"Ban":         func() error { return errorOf(b.Ban(ctx, "ada", ops)) },
		"Hide":        func() error { return errorOf(b.Hide(ctx, "ada", ops)) },
		"Show":        func() error { return errorOf(b.Show(ctx, "ada", ops)) },
		"Unban":       func() error { return errorOf(b.Unban("ada", ops)) },
		"Member":      func() error { return errorOf(b.Member("ada")) },
		"Erase":       func() error { return errorOf(b.Erase(ctx, "ada", ops)) },
		"Rename":      func() error { return errorOf(b.Rename(ctx, "ada", "eve", ops)) },
		"Correct":     func() error { return errorOf(b.Correct(ctx, "ada", board.ClosedSubmission{}, ops)) },
		"Merge":       func() error { return errorOf(b.Merge(ctx, "ada", "bob", ops)) },
		"Jobs":        func() error { return errorOf(b.Jobs()) },
		"Revert":      func() error { return errorOf(b.Revert(ctx, "ada", board.Reversion{}, ops)) },
		"AuditPlaces": func() error { return errorOf(b.AuditPlaces(1)) },
		"Audit": func() error {
			for _, err := range b.Audit(board.AuditFilter{}) {
				return err
			}
			return nil
		},
	}
}

// rankingInside returns the methods of Ranking.
func rankingInside(r board.Ranking) insideCalls {
	ctx, score := context.Background(), board.Ints(1)
	calls := insideCalls{
		refused: map[string]func() error{
			"Len":          func() error { return errorOf(r.Len()) },
			"Rank":         func() error { return errorOf2(r.Rank("ada")) },
			"Score":        func() error { return errorOf2(r.Score("ada")) },
			"At":           func() error { return errorOf2(r.At(1)) },
			"Top":          func() error { return errorOf(r.Top(3)) },
			"AppendTop":    func() error { return errorOf(r.AppendTop(nil, 3)) },
			"Places":       func() error { return errorOf(r.Places(1, 3)) },
			"AppendPlaces": func() error { return errorOf(r.AppendPlaces(nil, 1, 3)) },
			"Around":       func() error { return errorOf2(r.Around("ada", 1)) },
			"AppendAround": func() error { return errorOf2(r.AppendAround(nil, "ada", 1)) },
			"AroundScore":  func() error { return errorOf(r.AroundScore(score, 1)) },
			"Between":      func() error { return errorOf(r.Between(&score, nil, 0, 1)) },
			"Count":        func() error { return errorOf(r.Count(&score, nil)) },
			"RankOf":       func() error { return errorOf(r.RankOf(score)) },
			"Among":        func() error { return errorOf(r.Among("ada")) },
			"Percentile":   func() error { return errorOf2(r.Percentile("ada")) },
			"AtPercentile": func() error { return errorOf2(r.AtPercentile(50)) },
			"Histogram":    func() error { return errorOf(r.Histogram(2)) },
			"Gap":          func() error { return errorOf2(r.Gap("ada", 1)) },
			"Page":         func() error { return errorOf2(r.Page(board.Cursor{}, 3)) },
			"Card":         func() error { return errorOf(r.Card("ada", 1, 1)) },
			"Arrows":       func() error { return errorOf(r.Arrows(r, "ada")) },
			"View":         func() error { return r.View(func(board.Ranking) error { return nil }) },
			"Pin":          func() error { return errorOf(r.Pin(ctx)) },
			"All": func() error {
				for _, err := range r.All() {
					if err != nil {
						return err
					}
				}
				return nil
			},
		},
		allowed: map[string]func() error{
			"Info": noError(func() { r.Info() }),
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
func gameInside(t *testing.T, durable bool) (*game, *Board, []string) {
	g := newGame(t, durable)
	b := g.define(arenaInside)
	g.score(b, "ada", 5)
	g.score(b, "bob", 3)
	keys, err := b.Keys(nil, board.Submission{Member: "ada", Score: board.Ints(1), At: g.clock.Now()})
	require.NoError(t, err)
	return g, b, keys
}

// TestInTx calls every method of boards and rankings inside closures of the engine. Methods that could wait for the closure return ErrInTx at
// once, and the board accepts results afterwards.
func TestInTx(t *testing.T) {
	for _, durable := range []bool{false, true} {
		g, b, keys := gameInside(t, durable)
		day, err := b.Live("day")
		require.NoError(t, err)
		guilds, err := g.bs.DefineGroups("guild")
		require.NoError(t, err)
		require.NoError(t, guilds.Create("wolves", nil))
		require.NoError(t, guilds.Join("ada", "wolves"))
		closures := map[string]func(fn func() error) error{ // each runs fn inside a closure
			"Update": func(fn func() error) error { return g.e.Update(keys, func(*engine.Tx) error { return fn() }) },
			"View":   func(fn func() error) error { return g.e.View(keys, func(*engine.Tx) error { return fn() }) },
			"other": func(fn func() error) error {
				return g.e.View([]string{"other"}, func(*engine.Tx) error { return fn() })
			},
			"Ranking.View": func(fn func() error) error {
				return day.View(func(board.Ranking) error { return fn() })
			},
			"SubmitFunc": func(fn func() error) (err error) {
				_, failed := b.SubmitFunc(board.Submission{Member: "ada"}, func(board.Row, bool) (board.Score, bool) {
					err = fn()
					return board.Score{}, false
				})
				require.NoError(t, failed)
				return err
			},
		}
		types := map[reflect.Type]insideCalls{
			reflect.TypeFor[*Boards]():       g.boardsInside(),
			reflect.TypeFor[*Board]():        g.boardInside(b),
			reflect.TypeFor[*Groups]():       groupsInside(guilds, day),
			reflect.TypeFor[board.Ranking](): rankingInside(day),
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
			require.EqualValues(t, 6, g.score(b, "ada", 1).After.Score.Int(0))
			rows, err := day.Top(9)
			require.NoError(t, err)
			require.Len(t, rows, 2)
		})
	}
}

// TestInTxBoardIn: Board.In and the ranking that View gives work inside closures.
func TestInTxBoardIn(t *testing.T) {
	g, b, keys := gameInside(t, false)
	hangtest.Do(t, func() {
		sub := board.Submission{Member: "ada", Score: board.Ints(1), At: g.clock.Now()}
		require.NoError(t, g.e.Update(keys, func(tx *engine.Tx) error {
			_, err := b.Submit(sub)
			require.ErrorIs(t, err, engine.ErrInTx)
			c, err := b.In(tx).Submit(sub)
			require.NoError(t, err)
			require.EqualValues(t, 6, c.After.Score.Int(0))
			changed, err := b.In(tx).Apply(sub)
			require.True(t, changed)
			return err
		}))
		day, err := b.Live("day")
		require.NoError(t, err)
		require.NoError(t, day.View(func(still board.Ranking) error {
			calls := rankingInside(still)
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
		row, _, err := day.Rank("ada")
		require.NoError(t, err)
		require.EqualValues(t, 7, row.Score.Int(0), "the refused submission was not counted")
	})
}

// TestInTxWhileMigrating: inside a closure that a migration waits for, a call that would wait for the migration returns ErrInTx too.
func TestInTxWhileMigrating(t *testing.T) {
	g, b, keys := gameInside(t, false)
	hangtest.Do(t, func() {
		sub := board.Submission{Member: "ada", Score: board.Ints(1), At: g.clock.Now()}
		migrated := make(chan error, 1)
		require.NoError(t, g.e.Update(keys, func(*engine.Tx) error {
			go func() {
				spec := arenaInside
				spec.MaxMeta = 20
				_, err := g.bs.Migrate(context.Background(), spec)
				migrated <- err
			}()
			for !b.core().IsFrozen() {
				runtime.Gosched()
			}
			for _, call := range g.boardInside(b).refused {
				require.ErrorIs(t, call(), engine.ErrInTx)
			}
			for _, call := range g.boardsInside().refused {
				require.ErrorIs(t, call(), engine.ErrInTx)
			}
			_, err := b.Keys(nil, sub)
			require.ErrorIs(t, err, engine.ErrInTx)
			return nil
		}))
		require.NoError(t, <-migrated)
		require.EqualValues(t, 6, g.score(b, "ada", 1).After.Score.Int(0))
	})
}
