package moving

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/cluster/internal/layout"
	"github.com/zrankdb/zrank/board/internal/relocation"
)

const (
	heldFor    = 30 * time.Second // how long changes wait if the process that holds them is gone
	renewAfter = heldFor / 6
	drained    = 1000 // how many changes are taken at once
)

// source is a board that leaves.
type source struct {
	contents
	c      Catalog
	token  string
	leaves relocation.Destination
	stop   func() // ends the renewal of Hold; nil: changes are not held
}

func newSource(ctx context.Context, c Catalog, b Board) (*source, error) {
	s := &source{contents: contents{c.Servers(), b}, c: c, token: rand.Text()}
	_, to, left, err := b.Look(ctx)
	if err != nil {
		return nil, err
	}
	if left {
		return nil, &board.RelocatedError{Board: b.State().Name, To: to.Address, Complete: true}
	}
	s.leaves = to
	_, err = each(ctx, s.v, b, note, s.token)
	return s, err
}

// Spec implements relocation.Source.
func (s *source) Spec() board.Spec { return s.b.State().Spec }

// LeavesTo implements relocation.Source.
func (s *source) LeavesTo() relocation.Destination { return s.leaves }

// LeftOut implements relocation.Source.
func (s *source) LeftOut(ctx context.Context) (list []string, err error) {
	hasBans, hasBaselines := false, false
	for k := range s.b.Keys().Partitions() {
		standings, err := s.v.Client.HKeys(ctx, s.b.Keys().Standings(k)).Result()
		if err != nil {
			return nil, err
		}
		hasBans = hasBans || slices.ContainsFunc(standings, func(field string) bool { _, ok := layout.MemberOf(field); return !ok })
		fields, err := s.v.Client.HKeys(ctx, s.b.Keys().Fence(k)).Result()
		if err != nil {
			return nil, err
		}
		hasBaselines = hasBaselines || slices.ContainsFunc(fields, func(field string) bool { return strings.HasPrefix(field, layout.BaselineKind+"/") })
	}
	if hasBans {
		list = append(list, "bans of erased members")
	}
	if hasBaselines {
		list = append(list, "baselines")
	}
	return list, nil
}

// Changed implements relocation.Source. It takes as many changes as there are when it begins, so it ends while more come.
func (s *source) Changed(ctx context.Context) (c relocation.Changes, err error) {
	for k := range s.b.Keys().Partitions() {
		n, err := s.v.Client.SCard(ctx, s.b.Keys().Changed(k)).Result()
		if err != nil {
			return c, err
		}
		for n >= 0 { // also if there seem to be none: the reply says whether the board is still this move's
			list, err := s.drain(ctx, k)
			if err == nil {
				err = s.add(ctx, &c, k, list)
			}
			if err != nil {
				return c, err
			}
			if n -= int64(len(list)); len(list) == 0 {
				break
			}
		}
	}
	return c, nil
}

// drain takes some changes of a partition.
func (s *source) drain(ctx context.Context, k int) ([]any, error) {
	reply, err := s.v.Run(ctx, drain, []string{s.b.Keys().Fence(k), s.b.Keys().Changed(k)}, s.token, drained)
	if err != nil {
		return nil, err
	}
	list, _ := reply.([]any)
	if len(list) == 0 || list[0] != "made" {
		return nil, fmt.Errorf("%w: %q", errLost, s.b.State().Name)
	}
	return list[1:], nil
}

// add adds changes of a partition.
func (s *source) add(ctx context.Context, c *relocation.Changes, k int, list []any) error {
	var once []string
	for _, x := range list {
		text, _ := x.(string)
		window, rest, _ := strings.Cut(text, "/")
		if window == "" {
			once = append(once, rest)
			continue
		}
		period, member, _ := strings.Cut(rest, "/")
		c.Add(relocation.Ranking{Window: window, Period: period}, member)
	}
	if len(once) == 0 {
		return nil
	}
	at := make([]*redis.FloatCmd, len(once))
	err := s.v.Ask(ctx, func(pipe redis.Pipeliner) {
		for i, key := range once {
			at[i] = pipe.ZScore(ctx, s.b.Keys().Once(k), key)
		}
	})
	if err != nil {
		return err
	}
	for i, key := range once {
		if at[i].Err() == nil { // else it has expired
			c.Once = append(c.Once, relocation.OnceKey{Key: key, At: int64(at[i].Val())})
		}
	}
	return nil
}

func (s *source) step(ctx context.Context, name string, argument any) error {
	_, err := each(ctx, s.v, s.b, step, s.token, name, argument)
	return err
}

// Hold implements relocation.Source. A script is whole or has not begun, so nothing is in progress afterwards.
func (s *source) Hold(ctx context.Context) error {
	if err := s.step(ctx, "hold", heldFor.Milliseconds()); err != nil {
		return err
	}
	renewing, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-time.After(renewAfter):
				_ = s.step(renewing, "hold", heldFor.Milliseconds()) // if it fails, Leave finds that changes have gone on
			case <-renewing.Done():
				return
			}
		}
	}()
	s.stop = func() {
		stop()
		<-done
	}
	return nil
}

// Release implements relocation.Source.
func (s *source) Release(ctx context.Context) error {
	if s.stop == nil {
		return nil
	}
	s.stop()
	s.stop = nil
	return s.step(ctx, "end", "")
}

// Leave implements relocation.Source.
func (s *source) Leave(ctx context.Context, to relocation.Destination) error {
	err := s.step(ctx, "leave", to.ID+" "+to.Address)
	if err == nil {
		s.leaves = to
	}
	return err
}

// Left implements relocation.Source.
func (s *source) Left(ctx context.Context) error {
	to := s.leaves.ID + " " + s.leaves.Address
	if err := s.step(ctx, "left", to); err != nil {
		return err
	}
	return s.v.Client.HSet(ctx, s.c.Key(), layout.LeftField(s.b.State().Name), s.b.Keys().ID+" "+s.leaves.Address).Err()
}

// Stay implements relocation.Source.
func (s *source) Stay(ctx context.Context) error { return s.step(ctx, "stay", "") }

// Close implements relocation.Source.
func (s *source) Close(ctx context.Context) error {
	err := s.Release(ctx)
	return errors.Join(err, s.step(ctx, "end", ""))
}
