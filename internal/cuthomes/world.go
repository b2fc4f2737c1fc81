package cuthomes

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
)

// World is a home of boards for one cut call.
type World interface {
	// Store returns the boards that are called.
	Store() board.Store
	// Stored returns the boards that show what calls have done.
	Stored() board.Store
	// Settle waits until nothing of the calls so far is under way in the store. Then the world has a Store that works.
	Settle() error
	// Add moves the clock, and closes what is over by then.
	Add(d time.Duration) error
	// Close closes everything.
	Close() error
}

// operator is who moderates.
var operator = board.Action{By: "ops", Reason: "test"}

// points is a submission that counts once.
func points(member string, n int64, once string) board.Submission {
	return board.Submission{Member: member, Score: board.Ints(n), Once: once}
}

// fill defines a board with something for every call to do, and as much besides as the home supports.
func fill(w World) error {
	ctx, s := context.Background(), w.Store()
	spec := board.Spec{Name: "arena", Op: board.Sum, MaxMeta: 16, Windows: []board.Window{board.All, board.Day}, Journal: 100, BestRanks: true}
	b, err := s.Define(ctx, spec)
	if errors.Is(err, board.ErrUnsupported) {
		spec.Journal, spec.BestRanks = 0, false
		b, err = s.Define(ctx, spec)
	}
	for i, member := range []string{"ada", "bob", "cyd", "dan", "eve"} {
		if err == nil {
			_, err = b.Submit(ctx, points(member, int64(i), ""))
		}
	}
	steps := []func() error{
		func() error { return b.SaveBaseline(ctx, "day", "morning") },
		func() error { return second(b.Ban(ctx, "dan", operator)) },
		func() error { return second(b.Hide(ctx, "eve", operator)) },
		func() error {
			return s.StoreUnion(ctx, "weeks", board.UnionSpec{Sources: []board.UnionSource{{Board: "arena"}}})
		},
		func() error {
			g, err := s.DefineGroups(ctx, "guild")
			if err == nil {
				err = errors.Join(g.Create(ctx, "wolves", nil), g.Create(ctx, "bears", nil), g.Join(ctx, "ada", "wolves"))
			}
			return err
		},
		func() error { return second(s.Define(ctx, board.Spec{Name: "old"})) },
		func() error { return w.Add(24 * time.Hour) },
		func() error { return second(b.Submit(ctx, points("ada", 5, ""))) },
	}
	for _, step := range steps {
		if err != nil {
			break
		}
		if err = step(); errors.Is(err, board.ErrUnsupported) {
			err = nil
		}
	}
	return err
}

// second returns the error of a call with a result.
func second[T any](_ T, err error) error { return err }

// third returns the error of a call that says whether it has found a result.
func third[T any](_ T, _ bool, err error) error { return err }

// last returns the error with which an iteration ends.
func last[T any](all iter.Seq2[T, error]) (err error) {
	for _, e := range all {
		err = errors.Join(err, e)
	}
	return err
}

// state is what can be read of the boards, as text.
func state(s board.Store) string {
	ctx := context.Background()
	var text strings.Builder
	note := func(v any, err error) {
		if !errors.Is(err, board.ErrUnsupported) {
			fmt.Fprintf(&text, "%v %v\n", v, err)
		}
	}
	names, err := s.Names(ctx)
	note(names, err)
	for _, name := range names {
		b, err := s.Board(ctx, name)
		if err != nil {
			note(name, err)
			continue
		}
		noteBoard(ctx, b, note)
	}
	unions, err := s.StoredUnions(ctx)
	for _, u := range unions {
		note(u.Name, err)
		noteRows(ctx, note)(s.StoredUnion(ctx, u.Name))
	}
	kinds, err := s.GroupKinds(ctx)
	note(kinds, err)
	for _, kind := range kinds {
		g, err := s.Groups(ctx, kind)
		if err != nil {
			note(kind, err)
			continue
		}
		all, err := g.All(ctx)
		note(all, err)
		for _, x := range all {
			members, err := g.Members(ctx, x.Name, "", 10)
			note(members, err)
		}
	}
	return text.String()
}

// noteBoard notes the rankings, members and audit log of a board.
func noteBoard(ctx context.Context, b board.Board, note func(any, error)) {
	note(b.Spec().MaxMeta, nil)
	for _, w := range b.Spec().Windows {
		periods, err := b.Periods(ctx, w.Label())
		for _, p := range periods {
			note(fmt.Sprint(p.Info, p.Members), err)
			noteRows(ctx, note)(b.Period(ctx, w.Label(), p.Period))
		}
		baselines, err := b.Baselines(ctx, w.Label())
		note(baselines, err)
	}
	for _, member := range []string{"ada", "bob", "cyd", "dan", "eve", "fay"} {
		m, err := b.Member(ctx, member)
		note(m, err)
	}
	before := ""
	for e, err := range b.Audit(ctx, audit.Filter{}) {
		text := fmt.Sprint(e.Kind, e.Member, e.To, e.Done)
		if before != text || err != nil { // an operator who has called again is there twice
			note(text, err)
		}
		before = text
	}
}

// noteRows notes the rows of a ranking.
func noteRows(ctx context.Context, note func(any, error)) func(r board.Ranking, err error) {
	return func(r board.Ranking, err error) {
		var rows []board.Row
		if err == nil {
			rows, err = r.Top(ctx, 100)
		}
		for _, row := range rows {
			note(fmt.Sprint(row.Rank, row.Member, row.Score, string(row.Meta)), nil)
		}
		note(len(rows), err)
	}
}
