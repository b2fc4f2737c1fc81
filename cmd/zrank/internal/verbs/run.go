package verbs

import (
	"errors"
	"reflect"
	"time"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/target"
)

// run runs the command.
func (k *command) run(c *cobra.Command, words []string) error {
	o := k.chosen(len(words))
	f, err := flags.ParseFormat(k.format)
	if err != nil {
		return err
	}
	args, l, err := k.arguments(o, words)
	if err != nil {
		return err
	}
	open := k.at.Open
	if o.op.Heading == ops.ClaimAward.Heading {
		open = func(fn func(target.Boards) error) error { return k.at.OpenSettled(c.Context(), fn) }
	}
	return open(func(d target.Boards) error {
		out := &output{Command: c, command: k, op: o.op, format: f, boards: d, args: args}
		if err := out.find(o, &l); err != nil {
			return err
		}
		if k.before != nil {
			if err := k.before(out); err != nil {
				return err
			}
		}
		result, err := out.do(o)
		switch {
		case err != nil && o.op != ops.EraseEverywhere.Op: // which has erased the member from some boards
			return err
		case k.write != nil:
			return errors.Join(k.write(out, result), err)
		}
		return errors.Join(out.write(result), err)
	})
}

// find finds the boards and the ranking that are meant, and the name of a period that is last or latest.
func (o *output) find(of *operation, l *ops.Locator) (err error) {
	ctx, on := o.Context(), o.args
	if of.op.IsRead() {
		on = l
	}
	b, is := on.(interface{ BoardName() string })
	switch {
	case !is:
		if of.op.Right == ops.ToModerate {
			o.named, err = target.All(ctx, o.boards)
		}
		return err
	case b.BoardName() == "" && o.command.All:
		o.named, err = target.All(ctx, o.boards)
		return err
	}
	named, err := o.boards.Board(ctx, b.BoardName())
	if err != nil {
		return err
	}
	o.named = []board.Board{named}
	if of.op.IsRead() {
		if o.ranking, err = o.rankingOf(l); err == nil {
			o.info, err = o.ranking.Info(ctx)
		}
		return err
	}
	return o.findPeriod(of, named, l)
}

// rankingOf returns the ranking of a read: that of the latest period that holds anybody, unless flags say another one.
func (o *output) rankingOf(l *ops.Locator) (k board.Ranking, err error) {
	ctx := o.Context()
	if l.Baseline == "" && !l.IsPast() {
		_, k, err = target.Ranking(ctx, o.boards, l.Board, l.Window, l.Period)
	} else {
		if l.Window == "" {
			l.Window = o.named[0].Spec().Windows[0].Name
		}
		if l.Period, err = target.PeriodName(ctx, o.named[0], l.Window, l.Period); err != nil {
			return nil, err
		}
		k, err = l.Ranking(ctx, o.env())
	}
	if errors.Is(err, ops.ErrSelect) {
		err = flags.Wrong(err)
	}
	if err != nil {
		return nil, err
	}
	return k.By(l.Mode), nil
}

// findPeriod puts names in place of what is left out, or is not a name, of a window and a period.
func (o *output) findPeriod(of *operation, b board.Board, l *ops.Locator) (err error) {
	ctx, window, period := o.Context(), of.argument("window"), of.argument("period")
	name := ""
	switch {
	case window != nil && of.option("window") != nil && window.Text(o.args) == "" && (period == nil || of.option("period").needed || isAmong(of.op)):
		err = window.Set(o.args, b.Spec().Windows[0].Name)
	case window == nil && b.Spec().Leagues != nil:
		name = b.Spec().Leagues.Window
	}
	if err != nil || period == nil {
		return err
	}
	if window != nil {
		name = window.Text(o.args)
	}
	if isAmong(of.op) {
		o.info = board.Info{Board: b.Name(), Window: name}
		mode := of.argument("mode")
		if err := mode.Set(o.args, o.command.ranks); err != nil {
			return err
		}
		if asOf := of.argument("asOf"); asOf.Text(o.args) != "" {
			return nil
		}
		if _, o.ranking, err = target.Ranking(ctx, o.boards, b.Name(), name, period.Text(o.args)); err == nil {
			o.info, err = o.ranking.Info(ctx)
		}
		if err != nil {
			return err
		}
		return period.Set(o.args, o.info.Period)
	}
	text, err := target.PeriodName(ctx, b, name, period.Text(o.args))
	if err != nil {
		return err
	}
	return period.Set(o.args, text)
}

// env returns what operations need. The number of rows is not bounded: whoever asks has the machine.
func (o *output) env() *ops.Env {
	return &ops.Env{Boards: o.boards, Now: time.Now, By: machineUser()}
}

// do does the operation, on a terminal with a progress bar if it may change closed periods.
func (o *output) do(of *operation) (result any, err error) {
	e := o.env()
	if of.op.Changes() && of.op.Right == ops.ToModerate {
		if by := of.argument("by"); by != nil && by.Text(o.args) == "" && e.By == "" {
			return nil, flags.Errorf("the user of the machine is unknown: --by is missing")
		}
		defer watch(o.Context(), o.ErrOrStderr(), o.named)()
	}
	switch {
	case o.command.do != nil:
		result, err = o.command.do(o, e)
	case o.command.All && len(of.places) == 1:
		result, err = o.doAll(of, e)
	case !of.op.IsRead():
		result, err = o.call(e, of.op)
	default:
		e.NoPeriods = true // they are known
		if result, err = o.call(e, of.op); isUncounted(result) {
			if err = o.boards.CountDue(o.Context()); err == nil {
				result, err = o.call(e, of.op)
			}
		}
	}
	if errors.Is(err, audit.ErrKind) {
		err = flags.Wrong(err)
	}
	return result, err
}

// call calls an operation.
func (o *output) call(e *ops.Env, op *ops.Op) (any, error) {
	result, err := op.NewResult(), error(nil)
	if op.IsRead() {
		err = op.Read(o.Context(), e, o.ranking, o.args, result)
	} else {
		err = op.Do(o.Context(), e, o.args, result)
	}
	return reflect.ValueOf(result).Elem().Interface(), err
}

// isUncounted reports whether a result is the row of a member before which others may have to be counted first.
func isUncounted(result any) bool {
	own, ok := result.(ops.Own)
	return ok && own.Row.Within == board.Unknown
}

// doAll does an operation on all boards that are meant.
func (o *output) doAll(of *operation, e *ops.Env) (any, error) {
	var all []ofBoard
	for _, b := range o.named {
		if err := of.argument("board").Set(o.args, b.Name()); err != nil {
			return nil, err
		}
		result, err := o.call(e, of.op)
		if err != nil {
			return nil, err
		}
		all = append(all, ofBoard{b.Name(), result})
	}
	return all, nil
}
