package following

import (
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine/board/internal/specs"
	"github.com/zrankdb/zrank/engine/board/internal/totals"
)

// keepsPoints reports whether points of members are stored.
func (p *place) keepsPoints() bool { return p.f.Totals.Derived.Points != specs.Follow }

func (p *place) pointsKey(member []byte) string {
	return boardkey.Points(p.st.Name, p.t.Window.Name, p.slot.Name, string(member))
}

// readPoints reads what is stored of the points of a member.
func (p *place) readPoints(tx *engine.Tx, member []byte) (totals.Points, error) {
	stored, _, err := tx.Get(p.pointsKey(member))
	if err != nil {
		return totals.Points{}, err
	}
	return totals.DecodePoints(stored)
}

// storePoints stores the points of a member.
func (p *place) storePoints(tx *engine.Tx, member []byte, x totals.Points) error {
	key, text := p.pointsKey(member), x.Encode()
	if len(text) == 0 {
		return tx.Delete(key)
	}
	return tx.Put(key, text)
}
