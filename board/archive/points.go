package archive

import (
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/relocation"
)

// pointsLine returns the line of the points of a member.
func pointsLine(p relocation.Points) line {
	l := line{Points: nameOf(p.Member)}
	if p.Base != nil {
		l.Base = &part{*nameOf(p.Base.Group), p.Base.Score}
	}
	for _, x := range p.Left {
		l.Left = append(l.Left, part{*nameOf(x.Group), x.Score})
	}
	return l
}

// pointsOf is the inverse of pointsLine.
func pointsOf(l *line) (p relocation.Points, err error) {
	if *l.Points == "" || len(*l.Points) > board.MaxMember {
		return p, fmt.Errorf("%.64q is no member", *l.Points)
	}
	p.Member = string(*l.Points)
	if l.Base != nil {
		p.Base = &relocation.Part{Group: string(l.Base.Group), Score: l.Base.Score}
	}
	for _, x := range l.Left {
		p.Left = append(p.Left, relocation.Part{Group: string(x.Group), Score: x.Score})
	}
	return p, nil
}
