package archive

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/zrankdb/zrank/board/internal/relocation"
	"github.com/zrankdb/zrank/board/rules"
)

// writer writes the lines of a board.
type writer struct {
	ctx   context.Context
	w     *bufio.Writer
	enc   *json.Encoder
	src   relocation.Written
	rules *rules.Rules
	o     Options
	r     *Report
	lines int
}

// Write writes a board. Errors: board.ErrNoBoard, ErrLeftOut, ErrChanged, that of ctx, those of the engine and of w. O(bytes), with one period in
// memory at a time.
func Write(ctx context.Context, w io.Writer, boards Boards, name string, o Options) (r Report, err error) {
	a, err := archiveOf(boards)
	if err != nil {
		return r, err
	}
	src, err := a.Written(ctx, name)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, src.Close(ctx)) }()
	if r.LeftOut, err = src.LeftOut(ctx); err != nil {
		return r, err
	}
	if len(r.LeftOut) > 0 && !o.Partial {
		return r, fmt.Errorf("%w: of %q: %s", ErrLeftOut, name, strings.Join(r.LeftOut, ", "))
	}
	if o.Hold {
		defer func() { err = errors.Join(err, src.Release(ctx)) }()
		if err := src.Hold(ctx); err != nil {
			return r, err
		}
	}
	b := bufio.NewWriterSize(w, 1<<16)
	x := &writer{ctx: ctx, w: b, enc: json.NewEncoder(b), src: src, rules: src.Rules(), o: o, r: &r}
	x.enc.SetEscapeHTML(false)
	if err := x.board(name); err != nil {
		return r, err
	}
	changes, err := src.Changed(ctx)
	if err == nil && changes.Len() > 0 {
		err = fmt.Errorf("%w: %q", ErrChanged, name)
	}
	if errors.Is(err, relocation.ErrFellBehind) {
		err = fmt.Errorf("%w: %q", ErrChanged, name)
	}
	r.Boards = []string{name}
	return r, errors.Join(err, b.Flush())
}

func (x *writer) put(l line) error {
	x.lines++
	return x.enc.Encode(&l)
}

// board writes a whole board.
func (x *writer) board(name string) error {
	spec := x.src.Spec()
	h, err := x.src.Header(x.ctx)
	if err != nil {
		return err
	}
	if err := x.put(line{Board: &spec, Format: format}); err != nil {
		return err
	}
	for _, w := range h.Windows {
		if err := x.window(w); err != nil {
			return err
		}
	}
	for _, s := range h.Standings {
		n := nameOf(s.Member)
		if err := x.put(line{Standing: n, Banned: s.Banned, Hidden: s.Hidden}); err != nil {
			return err
		}
	}
	for _, a := range h.Audit {
		entry := a.Entry
		entry.Places, entry.Parts = 0, 0 // they follow from the list
		entry.Member, entry.To = "", ""  // AuditMember and AuditTo have them
		if err := x.put(line{Audit: &entry, AuditMember: *nameOf(a.Member), AuditTo: *nameOf(a.To), Places: a.List}); err != nil {
			return err
		}
	}
	if err := x.once(); err != nil {
		return err
	}
	x.lines++
	return x.enc.Encode(&line{Ended: &name, Lines: x.lines})
}

func (x *writer) window(w relocation.Window) error {
	l := line{Window: &w.Name}
	if w.Through != math.MinInt64 {
		m := moment(w.Through)
		l.Through = &m
	}
	err := x.put(l)
	if err == nil {
		err = x.src.Best(x.ctx, w.Name, func(member string, rank int64) error { return x.put(line{Best: nameOf(member), Rank: rank}) })
	}
	if err == nil {
		err = x.src.Tiers(x.ctx, w.Name, func(member string, tier int64) error { return x.put(line{Tiered: nameOf(member), Tier: tier}) })
	}
	for _, p := range w.Periods {
		if err == nil {
			err = x.period(w.Name, p)
		}
	}
	return err
}

// period writes the entries of a period, and what it awards.
func (x *writer) period(window string, p relocation.Period) error {
	l := line{Period: &p.Name, Start: at(p.Start), End: at(p.End)}
	if p.Record != nil {
		l.ClosedAt = at(p.Record.ClosedAt)
	}
	x.r.Periods++
	if err := x.put(l); err != nil {
		return err
	}
	at := relocation.Ranking{Window: window, Period: p.Name}
	err := x.src.Ordered(x.ctx, at, func(list []relocation.Entry) error {
		for i := range list {
			if err := x.entry(&list[i]); err != nil {
				return err
			}
		}
		if x.r.Entries += len(list); x.o.Progress != nil {
			x.o.Progress(x.r.Entries)
		}
		return x.ctx.Err()
	})
	if err != nil {
		return err
	}
	if err := x.src.Cohorts(x.ctx, at, func(c relocation.Cohort) error { return x.put(cohortLine(c)) }); err != nil {
		return err
	}
	if p.Record == nil {
		return x.src.Points(x.ctx, at, func(p relocation.Points) error { return x.put(pointsLine(p)) })
	}
	s, err := x.src.Settlement(x.ctx, at)
	if err != nil || s == nil {
		return err
	}
	return x.settlement(s)
}

// entry writes an entry. It refuses one that Read could not make again.
func (x *writer) entry(e *relocation.Entry) error {
	d := x.rules.Decode(e.Score, e.Tie)
	if score, tie := x.rules.Encode(nil, d); score != e.Score || !bytes.Equal(tie, e.Tie) {
		return fmt.Errorf("archive: the stored score of %q is none that its board can have", e.Member)
	}
	l := line{Member: nameOf(e.Member), Score: &d.Score, Hidden: e.Hidden, Meta: e.Meta}
	if x.rules.Ties() != rules.ByMember {
		m := moment(d.Reached)
		l.Reached = &m
	}
	l.Kept = e.Kept
	if kept, ok := x.rules.DecodeKept(e.Kept); ok && x.rules.K() > 0 && bytes.Equal(x.rules.AppendKept(nil, kept), e.Kept) {
		l.Kept = nil
		for _, k := range kept {
			l.Results = append(l.Results, result{k.Score, moment(k.At)})
		}
	}
	for _, r := range e.Rolled {
		l.Rolling = append(l.Rolling, rolledOf(x.rules, r))
	}
	return x.put(l)
}

func (x *writer) settlement(s *relocation.Settlement) error {
	text, err := s.State.Encode()
	if err == nil {
		err = x.put(line{Settlement: text})
	}
	for _, a := range s.Awards {
		if err != nil {
			return err
		}
		l := line{Award: nameOf(a.Member), Place: a.Place, Rank: int64(a.Rank), Revision: a.Revision, Due: bits(a.Due), Granted: bits(a.Granted), Failed: a.Failed, Withheld: a.Withheld,
			Failures: a.Failures, Reason: a.Reason}
		if a.Next != 0 {
			m := moment(a.Next)
			l.Next = &m
		}
		err = x.put(l)
	}
	return err
}

func (x *writer) once() error {
	return x.src.Once(x.ctx, func(keys []relocation.OnceKey) error {
		for _, k := range keys {
			m := moment(k.At * 1000)
			if err := x.put(line{Once: nameOf(k.Key), At: &m}); err != nil {
				return err
			}
		}
		return nil
	})
}
