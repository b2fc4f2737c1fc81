package peers

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/internal/model"
)

// checkSizes are the boards Check builds: one that stays a listpack in zset, and one that does not.
var checkSizes = []int{40, 700}

const (
	checkSteps  = 2000
	checkEvery  = 500 // steps between comparisons of everything
	checkScores = 60  // so few that many members share one
)

// Check runs a small script on the peer and on the oracle and returns the first difference.
// dir is as that of Start.
func Check(p Peer, dir string) (err error) {
	running, err := p.Start(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, running.Close()) }()
	for _, n := range checkSizes {
		if err := checkSize(running.New(), n, !p.Unordered); err != nil {
			return fmt.Errorf("%s differs from the model at n=%d: %w", p.Name, n, err)
		}
	}
	return nil
}

// script is one run of Check.
type script struct {
	board   Board
	ordered bool
	oracle  *model.Set
	keys    workload.Stream
	r       *rand.Rand
}

func checkSize(b Board, n int, ordered bool) error {
	s := &script{board: b, ordered: ordered, oracle: model.New(), r: rand.New(rand.NewPCG(1, uint64(n)))}
	// One member more than the board will hold: the last is absent.
	s.keys = workload.NewStream(n+1, func(i int) int { return i * 7919 % (n + 1) }, s.score)
	for i := range n {
		s.board.Insert(s.keys.Key(i), s.keys.Score(i))
		s.oracle.Put(model.Entry{Score: s.keys.Score(i), Member: s.keys.Key(i).Name})
	}
	if err := s.everything(); err != nil {
		return fmt.Errorf("after the build: %w", err)
	}
	for step := range checkSteps {
		s.step()
		if (step+1)%checkEvery == 0 {
			if err := s.everything(); err != nil {
				return fmt.Errorf("after step %d: %w", step, err)
			}
		}
	}
	return nil
}

func (s *script) score() float64 { return float64(s.r.IntN(checkScores)) }

// step removes a member, adds one that is absent, or changes a score, in both.
func (s *script) step() {
	k := s.keys.Key(s.r.IntN(s.keys.Len() - 1))
	e, there := s.oracle.Get(k.Name)
	switch {
	case there && s.r.IntN(4) == 0:
		s.board.Remove(k)
		s.oracle.Remove(k.Name)
		return
	case !there:
		e = model.Entry{Score: s.score(), Member: k.Name}
		s.board.Insert(k, e.Score)
	case !s.ordered:
		return
	case s.r.IntN(3) == 0:
		delta := s.score()
		e.Score += delta
		s.board.Incr(k, delta)
	default:
		e.Score = s.score()
		s.board.Set(k, e.Score)
	}
	s.oracle.Put(e)
}

// everything compares all scores and, if the board has an order, all ranks, a few pages and a few walks.
func (s *script) everything() error {
	if got, want := s.board.Len(), s.oracle.Len(); got != want {
		return fmt.Errorf("length %d, want %d", got, want)
	}
	for i := range s.keys.Len() {
		k := s.keys.Key(i)
		got, ok := s.board.Score(k)
		want, there := s.oracle.Get(k.Name)
		if ok != there || got != want.Score {
			return fmt.Errorf("score of %q is %v %v, want %v %v", k.Name, got, ok, want.Score, there)
		}
	}
	if !s.ordered {
		return nil
	}
	if err := s.ranks(); err != nil {
		return err
	}
	return s.pages()
}

func (s *script) ranks() error {
	for i := range s.keys.Len() {
		k := s.keys.Key(i)
		got, ok := s.board.Rank(k)
		want, there := s.oracle.Rank(k.Name)
		if ok != there || ok && got != want {
			return fmt.Errorf("rank of %q is %d %v, want %d %v", k.Name, got, ok, want, there)
		}
	}
	return nil
}

func (s *script) pages() error {
	b, n := s.board, s.board.Len()
	for _, lo := range []int{0, n / 3, n / 2, n - 1} {
		hi := min(lo+workload.PageLen, n)
		want := s.oracle.Range(lo, hi)
		if got := b.Page(lo, hi); got != len(want) {
			return fmt.Errorf("page [%d, %d) has %d rows, want %d", lo, hi, got, len(want))
		}
		var sum uint64
		for i, e := range want {
			if member, score := b.Row(i); member != e.Member || score != e.Score {
				return fmt.Errorf("page [%d, %d) row %d is %q %v, want %q %v", lo, hi, i, member, score, e.Member, e.Score)
			}
			sum = fold(sum, e.Score, e.Member)
		}
		if got := b.Walk(lo, hi); got != sum {
			return fmt.Errorf("walk [%d, %d) folds to %d, want %d", lo, hi, got, sum)
		}
		if err := encoded(b, lo, hi, want); err != nil {
			return fmt.Errorf("encode [%d, %d): %w", lo, hi, err)
		}
	}
	return nil
}

// encoded compares a page in every format with the entries that it should have.
func encoded(b Board, lo, hi int, want []model.Entry) error {
	text := fmt.Sprintf("*%d\r\n", 2*len(want))
	for _, e := range want {
		score := strconv.FormatFloat(e.Score, 'g', -1, 64)
		text += fmt.Sprintf("$%d\r\n%s\r\n$%d\r\n%s\r\n", len(e.Member), e.Member, len(score), score)
	}
	if got := string(b.Encode(nil, lo, hi, RESP)); got != text {
		return fmt.Errorf("%q, want %q", got, text)
	}
	var got []model.Entry // its fields have the names of JSON's, in any case
	page := b.Encode([]byte(" "), lo, hi, JSON)
	if err := json.Unmarshal(page, &got); err != nil || !slices.Equal(got, want) {
		return fmt.Errorf("%q (%v), want %v", page, err, want)
	}
	return nil
}
