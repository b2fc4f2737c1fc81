package verbs

import (
	"errors"
	"reflect"

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
	if h := o.op.Heading; h == ops.ClaimAward.Heading || h == ops.GetLeague.Heading {
		open = func(fn func(target.Boards) error) error { return k.at.OpenSettled(c.Context(), fn) }
	}
	return open(func(d target.Boards) error {
		out := &output{Command: c, command: k, op: o.op, format: f, boards: d, args: args, all: k.All && len(words) == 0}
		if err := out.find(o, &l); err != nil {
			return err
		}
		if k.before != nil {
			if err := k.before(out); err != nil {
				return err
			}
		}
		result, err := out.do(o)
		some, _ := result.(board.Erased) // it may have ended after some boards
		switch {
		case err != nil && len(some.Boards)+len(some.Unions)+len(some.Groups) == 0:
			return err
		case k.write != nil:
			return errors.Join(k.write(out, result), err)
		}
		return out.write(result)
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
	case o.all:
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
	return o.findPeriod(of, named)
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
func (o *output) findPeriod(of *operation, b board.Board) error {
	period := of.argument("period")
	window, err := o.findWindow(of, b)
	switch {
	case err != nil || period == nil:
		return err
	case isAmong(of.op):
		return o.findAmong(of, b.Name(), window)
	}
	if window == "" {
		return nil // the operation says what is missing
	}
	name, err := target.PeriodName(o.Context(), b, window, period.Text(o.args))
	if err != nil {
		return err
	}
	return period.Set(o.args, name)
}

// findWindow returns the window of an operation: the first one of the board, where it must have one and none is named; that of the leagues, where it has no
// argument for it.
func (o *output) findWindow(of *operation, b board.Board) (string, error) {
	window, period := of.argument("window"), of.option("period")
	if window == nil {
		if l := b.Spec().Leagues; l != nil {
			return l.Window, nil
		}
		return "", nil
	}
	if must := period == nil || period.needed || isAmong(of.op); must && of.option("window") != nil && window.Text(o.args) == "" {
		if err := window.Set(o.args, b.Spec().Windows[0].Name); err != nil {
			return "", err
		}
	}
	return window.Text(o.args), nil
}

// findAmong finds the ranking in which the members of a group are ranked, as that of a read.
func (o *output) findAmong(of *operation, name, window string) (err error) {
	if err := of.argument("mode").Set(o.args, o.command.ranks); err != nil {
		return err
	}
	period := of.argument("period")
	if _, o.ranking, err = target.Ranking(o.Context(), o.boards, name, window, period.Text(o.args)); err == nil {
		o.info, err = o.ranking.Info(o.Context())
	}
	if err != nil {
		return err
	}
	return period.Set(o.args, o.info.Period)
}

// env returns what operations need. The number of rows is not bounded: whoever asks has the machine.
func (o *output) env() *ops.Env {
	return &ops.Env{Boards: o.boards, Now: o.boards.Now, By: machineUser()}
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
