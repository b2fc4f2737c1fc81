package pages

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/server/access"
)

// Spec is the page of a board's spec, and of what another one would change.
type Spec struct {
	Board       string
	Sections    Tabs
	Version     int
	Spec        string // as JSON
	Lines       int
	Asked       bool // a spec is proposed
	Problem     string
	Differences []string
	Entries     int // that would be ranked anew
	Periods     int
}

const mostLines = 40

// Spec reads the page of a spec: with the parameter spec, that of a proposed one.
func (s *Site) Spec(r Request) (any, error) {
	b, err := s.board(r)
	if err != nil {
		return nil, err
	}
	p := Spec{Board: b.Name(), Sections: sections(r, b.Name(), "spec"), Spec: r.Query.Get("spec"), Version: b.Version()}
	if p.Asked = p.Spec != ""; p.Asked {
		err = p.compare(r.Context, b)
	} else {
		var text []byte
		text, err = json.MarshalIndent(b.Spec(), "", "  ")
		p.Spec = string(text)
	}
	p.Lines = min(strings.Count(p.Spec, "\n")+2, mostLines)
	return p, err
}

// compare says what a migration of the board to the proposed spec would do.
func (p *Spec) compare(ctx context.Context, b board.Board) error {
	spec, err := proposed(b.Name(), p.Spec)
	if err != nil {
		p.Problem = err.Error()
		return nil
	}
	p.Differences = spec.Differences(b.Spec())
	for _, w := range windowsOf(b.Spec()) {
		all, err := b.Periods(ctx, w.Name)
		if err != nil {
			return err
		}
		p.Periods += len(all)
		for _, u := range all {
			p.Entries += u.Members
		}
	}
	return nil
}

// proposed reads a spec that is proposed for a board.
func proposed(name, text string) (board.Spec, error) {
	spec, err := board.ReadSpec(bytes.NewReader([]byte(text)))
	switch {
	case err != nil:
		return spec, err
	case spec.Name != name:
		return spec, errors.New("the name of a board cannot change")
	}
	return spec, spec.Validate()
}

// Migrate gives a board a spec. Errors: ErrHidden, ErrInput, those of Boards.Migrate.
func (s *Site) Migrate(ctx context.Context, who access.Principal, name, text string) error {
	if err := who.Need(access.All, ""); err != nil {
		return err
	}
	spec, err := proposed(name, text)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrInput, err)
	}
	_, err = s.Boards.Migrate(ctx, spec)
	return err
}
