package groups

import (
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
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

// storePoints stores the points of a member.
func (p *period) storePoints(tx *engine.Tx, member []byte, x totals.Points) error {
	key, text := p.pointsKey(member), x.Encode()
	if len(text) == 0 {
		return tx.Delete(key)
	}
	return tx.Put(key, text)
}
