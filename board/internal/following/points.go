package following

import (
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/membership"
	"github.com/zrankdb/zrank/board/internal/totals"
	"github.com/zrankdb/zrank/engine"
)

// keepsPoints reports whether points of members are stored.
func (p *period) keepsPoints() bool { return p.f.Totals.Derived.Points != board.Follow }

func (p *period) pointsKey(member []byte) string {
	return boardkey.Points(p.st.Name, p.t.Window.Name, p.slot.Name, string(member))
}

// readPoints reads what is stored of the points of a member.
func (p *period) readPoints(tx *engine.Tx, member []byte) (totals.Points, error) {
	stored, _, err := tx.Get(p.pointsKey(member))
	if err != nil {
		return totals.Points{}, err
	}
	return totals.DecodePoints(stored)
}

// moveBase forgets the base of a member whose entry is gone, or gives it to the member that has the entry. All that counts for the group of the first has a base of
// zero then, so that the other one can take its place in the group: see Source.Rename.
func (p *period) moveBase(tx *engine.Tx, g *membership.Group, c *Change) error {
	points, err := p.readPoints(tx, c.Member)
	if err != nil {
		return err
	}
	base := points.Base
	if base != nil {
		points.Base = nil
		if err := p.storePoints(tx, c.Member, points); err != nil {
			return err
		}
	}
	if c.To == nil {
		return nil
	}
	if g != nil && (base == nil || base.Number != g.Number) {
		zero, err := p.f.Totals.Difference(c.Before, c.Before)
		if err != nil {
			return err
		}
		base = &totals.Part{Number: g.Number, Score: zero}
	}
	to, err := p.readPoints(tx, c.To)
	if err != nil || base == nil {
		return err
	}
	to.Base = base
	return p.storePoints(tx, c.To, to)
}

// storePoints stores the points of a member.
func (p *period) storePoints(tx *engine.Tx, member []byte, x totals.Points) error {
	key, text := p.pointsKey(member), x.Encode()
	if len(text) == 0 {
		return tx.Delete(key)
	}
	return tx.Put(key, text)
}
