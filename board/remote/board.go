package remote

import (
	"context"
	"errors"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/ops"
)

// remoteBoard is a board of a server.
type remoteBoard struct {
	c       *client
	name    string
	spec    board.Spec
	version int
}

// Name returns the name of the board.
func (b *remoteBoard) Name() string { return b.name }

// Spec returns the spec that the board had when the server was asked.
func (b *remoteBoard) Spec() board.Spec { return b.spec }

// Version returns the version that the board had when the server was asked: see board.Board.Version.
func (b *remoteBoard) Version() int { return b.version }

// on names the board, in names one of its windows, and of one of its members.
func (b *remoteBoard) on() ops.OnBoard { return ops.OnBoard{Board: b.name} }

func (b *remoteBoard) in(window string) ops.OnWindow {
	return ops.OnWindow{OnBoard: b.on(), Window: window}
}

func (b *remoteBoard) of(member string) ops.MemberArgs {
	return ops.MemberArgs{OnBoard: b.on(), About: ops.About{Member: member}}
}

// Submit is board.Board.Submit.
func (b *remoteBoard) Submit(ctx context.Context, sub board.Submission) (board.Change, error) {
	done, err := b.submit(ctx, ops.Submitting{Submission: sub})
	return done.Change, err
}

func (b *remoteBoard) submit(ctx context.Context, s ops.Submitting) (ops.Submitted, error) {
	return call(ctx, b.c, ops.Submit, ops.SubmitArgs{OnBoard: b.on(), Body: s})
}

// Apply is board.Board.Apply.
func (b *remoteBoard) Apply(ctx context.Context, sub board.Submission) (changed bool, err error) {
	done, err := call(ctx, b.c, ops.Apply, ops.SubmitArgs{OnBoard: b.on(), Body: ops.Submitting{Submission: sub}})
	return done.Changed, err
}

// SubmitFunc is board.Board.SubmitFunc. It asks for the member's row, calls score, and submits if the member still has that row; else it begins again.
func (b *remoteBoard) SubmitFunc(ctx context.Context, sub board.Submission, score func(was board.Row, ranked bool) (board.Score, bool)) (board.Change, error) {
	if score == nil {
		return b.Submit(ctx, sub)
	}
	sub.Score = board.Score{}
	for {
		look, err := b.submit(ctx, ops.Submitting{Submission: sub, Look: true})
		if err != nil || look.Duplicate {
			return look.Change, err
		}
		var was board.Row
		if look.Was != nil {
			was = *look.Was
		}
		s, ok := score(was, look.Was != nil)
		if !ok {
			return look.Change, nil
		}
		with := sub
		with.Score = s
		done, err := b.submit(ctx, ops.Submitting{Submission: with, Expect: &ops.Expected{Row: look.Was}})
		if e := new(Error); errors.As(err, &e) && e.Code == "score_moved" {
			continue
		}
		return done.Change, err
	}
}

// SubmitAll is board.Board.SubmitAll.
func (b *remoteBoard) SubmitAll(ctx context.Context, subs []board.Submission) ([]board.Change, error) {
	args := ops.BatchArgs{OnBoard: b.on()}
	args.Body.Submissions = subs
	done, err := call(ctx, b.c, ops.SubmitBatch, args)
	return done.Changes, err
}

// Remove is board.Board.Remove.
func (b *remoteBoard) Remove(ctx context.Context, member string) ([]board.Removed, error) {
	done, err := call(ctx, b.c, ops.RemoveMember, b.of(member))
	return done.Removed, err
}

// SetMeta is board.Board.SetMeta.
func (b *remoteBoard) SetMeta(ctx context.Context, window, member string, meta []byte) error {
	args := ops.MetaArgs{OnWindow: b.in(window), About: ops.About{Member: member}}
	args.Body.Meta = append([]byte{}, meta...)
	return do(ctx, b.c, ops.SetMeta, args)
}

// Deadline is board.Board.Deadline.
func (b *remoteBoard) Deadline(ctx context.Context, t time.Time) (at time.Time, ok bool, err error) {
	return timeOf(call(ctx, b.c, ops.GetDeadline, ops.DeadlineArgs{OnBoard: b.on(), At: t}))
}

// timeOf returns a time that may not be there.
func timeOf(u ops.Until, err error) (time.Time, bool, error) {
	if u.At == nil {
		return time.Time{}, false, err
	}
	return *u.At, true, err
}

// Rebuild is board.Board.Rebuild.
func (b *remoteBoard) Rebuild(ctx context.Context) (corrected int, err error) {
	return b.RebuildPeriod(ctx, "", "")
}

// RebuildPeriod is board.Board.RebuildPeriod.
func (b *remoteBoard) RebuildPeriod(ctx context.Context, window, period string) (corrected int, err error) {
	n, err := call(ctx, b.c, ops.RebuildBoard, ops.RebuildArgs{OnBoard: b.on(), Window: window, Period: period})
	return n.N, err
}
