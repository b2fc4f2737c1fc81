package engines

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/fuzz/internal/apply"
	"github.com/zrankdb/zrank/fuzz/internal/boardspecs"
	"github.com/zrankdb/zrank/fuzz/internal/script"
	"github.com/zrankdb/zrank/persist"
)

// boardsOn are the boards of an engine.
type boardsOn struct {
	followed
	e     *engine.Engine
	moved bool // see hasMoved
}

// openBoards opens the boards of an engine and defines those that do not exist.
func openBoards(e *engine.Engine) (*boardsOn, error) {
	bs, err := local.Open(e, local.Options{})
	if err != nil {
		return nil, err
	}
	on := &boardsOn{followed: followed{Boards: bs}, e: e}
	for _, name := range boardspecs.Names {
		if _, err := bs.Board(context.Background(), name); !errors.Is(err, board.ErrNoBoard) {
			continue
		}
		if _, err := bs.Define(context.Background(), boardspecs.Of(name, 0)); err != nil {
			return nil, err
		}
	}
	if err := on.followAll(); err != nil {
		return nil, err
	}
	return on, on.finishJobs()
}

// finishJobs waits until the boards have done what a crash has interrupted. Error: that of a job which is not done within a minute.
func (on *boardsOn) finishJobs() error {
	for begun := time.Now(); ; <-time.After(100 * time.Microsecond) {
		left := 0
		for _, b := range on.All() {
			jobs, err := b.Jobs(context.Background())
			if err != nil {
				return err
			}
			left += len(jobs)
		}
		if left == 0 {
			return nil
		}
		if time.Since(begun) > time.Minute {
			return fmt.Errorf("fuzz: %d jobs of boards do not end", left)
		}
	}
}

func (on *boardsOn) Named(name string) (apply.Leaderboard, error) {
	return on.Board(context.Background(), name)
}

// Now implements apply.Boards.
func (on *boardsOn) Now() time.Time { return on.Engine().Now() }

// MigrateTo migrates a board and at once drops the periods that it no longer keeps. If Migrate cannot
// convert its entries, it must refuse that; then MigrateTo drops the board and defines it with the spec.
func (on *boardsOn) MigrateTo(spec board.Spec) error {
	b, err := on.Board(context.Background(), spec.Name)
	if err != nil {
		return err
	}
	converts := spec.Name != boardspecs.Mixed || boardspecs.Converts(b.Spec(), spec)
	return on.changing(spec.Name, func() error {
		_, err := on.Migrate(context.Background(), spec)
		switch {
		case converts && err == nil:
			_, err = on.CloseDue(context.Background())
		case !converts && err == nil:
			err = errors.New("fuzz: Migrate has converted what it cannot convert")
		case !converts && errors.Is(err, board.ErrSpec):
			err = on.redefine(spec)
		}
		return err
	})
}

func (on *boardsOn) Redefine(name string) error {
	return on.changing(name, func() error { return on.redefine(boardspecs.Of(name, 0)) })
}

// redefine drops a board and defines it again.
func (on *boardsOn) redefine(spec board.Spec) error {
	err := on.Drop(context.Background(), spec.Name)
	if err == nil {
		_, err = on.Define(context.Background(), spec)
	}
	return err
}

// boardsIn are the boards in a transaction.
type boardsIn struct {
	*boardsOn
	tx *engine.Tx
}

func (in boardsIn) Named(name string) (apply.Leaderboard, error) {
	b, err := in.Board(context.Background(), name)
	if err != nil {
		return nil, err
	}
	tx, err := in.In(in.tx, name)
	return boardIn{b, tx, in.boardsOn}, err
}

// boardIn is a board in a transaction.
type boardIn struct {
	board.Board
	in local.InTx
	on *boardsOn
}

// Submit is InTx.Submit, or for some members InTx.SubmitFunc, which must do the same. If the hints fail, keysOf has named no keys, so the transaction has
// not locked them: Submit returns the error of the hints.
func (in boardIn) Submit(ctx context.Context, sub board.Submission) (board.Change, error) {
	hints, err := in.on.Hints(in.Name())
	if err == nil {
		_, err = hints.Submit(ctx, nil, sub)
	}
	if err != nil {
		return board.Change{}, err
	}
	if len(sub.Member)%2 == 0 {
		c, err := in.in.Submit(sub)
		return c, in.noted(err)
	}
	score := sub.Score
	sub.Score = board.Score{}
	c, err := in.in.SubmitFunc(sub, func(board.Row, bool) (board.Score, bool) { return score, true })
	return c, in.noted(err)
}

func (in boardIn) Remove(ctx context.Context, member string) ([]board.Removed, error) {
	removed, err := in.in.Remove(member)
	return removed, in.noted(err)
}

func (in boardIn) SetMeta(ctx context.Context, window, member string, meta []byte) error {
	return in.noted(in.in.SetMeta(window, member, meta))
}

func (in boardIn) Live(ctx context.Context, window string) (board.Ranking, error) {
	r, err := in.in.Live(window)
	return r, in.noted(err)
}

func (in boardIn) BestRank(ctx context.Context, window, member string) (rank int, ok bool, err error) {
	return in.in.BestRank(window, member)
}

func (in boardIn) Claim(ctx context.Context, member, id string) (awards.Award, error) {
	a, err := in.in.Claim(member, id)
	return a, in.noted(err)
}

// noted notes if the transaction must begin again, and returns the error.
func (in boardIn) noted(err error) error {
	in.on.moved = in.on.moved || errors.Is(err, engine.ErrRestart)
	return err
}

// hasMoved reports whether a board has said since the last call that the transaction must begin again.
func (on *boardsOn) hasMoved() (moved bool) {
	if on != nil {
		moved, on.moved = on.moved, false
	}
	return moved
}

// keysOf appends the keys of the sets that an operation reads or changes; none if it is refused whatever they have.
func (on *boardsOn) keysOf(dst []string, op script.Op) []string {
	ctx := context.Background()
	b, err := on.Board(ctx, op.Key)
	if err != nil {
		return dst
	}
	hints, err := on.Hints(op.Key)
	if err != nil {
		return dst
	}
	keys := dst
	switch op.Kind {
	case "submit":
		keys, err = hints.Submit(ctx, dst, apply.Submission(op, on.Now()))
		if err == nil {
			keys, err = hints.ReadOf(ctx, keys, op.Member, apply.WindowAfter(b, op))
		}
	case "remove":
		keys, err = hints.Remove(ctx, dst, op.Member)
	case "claim":
		var id string
		if id, err = apply.ClaimedBy(b, op); err == nil {
			keys, err = hints.Claim(dst, id)
		}
	default:
		keys, err = hints.ReadOf(ctx, dst, op.Member, op.Low)
	}
	if err != nil {
		return dst
	}
	return keys
}

// owns reports whether a key belongs to boards.
func (on *boardsOn) owns(key string) bool {
	return on != nil && (strings.HasPrefix(key, local.KeyPrefix) || strings.HasPrefix(key, "board."))
}

// notOwned filters out the private keys of boards.
func (on *boardsOn) notOwned(seq iter.Seq2[persist.KV, error]) iter.Seq2[persist.KV, error] {
	return func(yield func(persist.KV, error) bool) {
		for kv, err := range seq {
			if (err != nil || !on.owns(string(kv.Key))) && !yield(kv, err) {
				return
			}
		}
	}
}

// closeDue closes the periods that are due, as the ticker of the boards would a moment later.
func (on *boardsOn) closeDue() error {
	if on == nil {
		return nil
	}
	_, err := on.CloseDue(context.Background())
	if err == nil {
		err = on.CountDue(context.Background())
	}
	return err
}

// settleDue settles the closed periods, as the goroutine of the boards would a moment later. Before an operation on
// a board that others follow it compares their groups.
func (on *boardsOn) settleDue(b script.Block) error {
	if on == nil || !slices.ContainsFunc(b.Ops, func(op script.Op) bool { return op.Is(script.OnBoard) }) {
		return nil
	}
	_, err := on.SettleDue(context.Background())
	for _, name := range sources {
		if err == nil && slices.ContainsFunc(b.Ops, func(op script.Op) bool { return op.Key == name }) {
			err = on.compareFollowing(name)
		}
	}
	return err
}

// reopen closes and opens the boards of an engine in memory, if the operation is reopen. The engine stays open.
func (on *boardsOn) reopen(op script.Op) error {
	if on == nil || op.Kind != "reopen" {
		return nil
	}
	err := on.Close()
	if err == nil {
		on.Boards, err = local.Open(on.e, local.Options{})
	}
	return err
}
