package transfer

import (
	"context"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/ranking"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// seals are the digests of the closed periods that a migration writes under the new rules.
type seals struct {
	owner    engine.Owner
	old, new int // versions of the board
	list     []seal
}

// seal is the digests of one period.
type seal struct {
	t      *state.Timeline // under the new spec
	period string
	was    uint64            // digest of the old ranking's entries
	is     uint64            // digest of the new ranking's entries
	vacant ranking.Vacancies // of the new ranking
}

// add notes the digests of a closed period, and its vacancies under the new rules. was is the digest of its old ranking.
func (s *seals) add(t *state.Timeline, period string, was uint64, vacant ranking.Vacancies) error {
	is, err := digestOf(s.owner, t.RankingKeys(period))
	s.list = append(s.list, seal{t: t, period: period, was: was, is: is, vacant: vacant})
	return err
}

// digestOf returns the sum of the digests of sets.
func digestOf(own engine.Owner, keys []string) (sum uint64, err error) {
	for _, key := range keys {
		is, err := own.Seal(key)
		if err != nil {
			return 0, err
		}
		sum += is.Digest
	}
	return sum, nil
}

// store stores the digests of the new rankings in the records of closed periods, beside those of the old rankings, which are valid until the
// new spec is committed. A failed migration leaves digests of a version that the board does not have; the next migration replaces them.
func (s *seals) store(ctx context.Context) error {
	var list []stored
	for _, x := range s.list {
		text, err := s.record(x)
		if err != nil {
			return err
		}
		list = append(list, stored{boardkey.Record(x.t.Board, x.t.Window.Name, x.period), text})
	}
	return storeKeys(ctx, s.owner, list)
}

// record returns the stored record of a period with the digest that its new ranking should have. If
// the old ranking differs from the digest of its closing, the new digest is off by the same amount,
// so that a check still reports the difference. The period is to be indexed again.
func (s *seals) record(x seal) ([]byte, error) {
	r := x.t.RecordOf(x.period)
	if closed, known := r.Digest(s.old); known {
		r.Digests = []state.Digest{{Version: s.old, Sum: closed}, {Version: s.new, Sum: x.is + closed - x.was}}
	} else {
		r.Digests = []state.Digest{{Version: s.new, Sum: x.is}}
	}
	if old := r.Vacancies[s.old]; len(old) > 0 {
		r.Vacancies = map[int]ranking.Vacancies{s.old: old, s.new: x.vacant}
	}
	r.Indexed, r.Removed = false, nil // places and entries are others under the new rules
	return r.Encode()
}
