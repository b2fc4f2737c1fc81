package boardtest

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/rules"
)

// union takes the sources and the options of a union.
func (a *args) union() (spec board.UnionSpec) {
	for _, word := range a.rest() {
		source, err := parseSource(word)
		if err != nil {
			a.fail("source %q: %w", word, err)
		}
		spec.Sources = append(spec.Sources, source)
	}
	combine, _ := a.option("combine")
	spec.Combine = board.Op(combine)
	if columns, ok := a.option("columns"); ok {
		for op := range strings.SplitSeq(columns, ",") {
			spec.Columns = append(spec.Columns, board.Op(op))
		}
	}
	return spec
}

// parseSource reads a SOURCE: see the package's doc.
func parseSource(word string) (s board.UnionSource, err error) {
	word, weights, weighted := strings.Cut(word, "*")
	if weighted {
		for text := range strings.SplitSeq(weights, ",") {
			w, err := rules.ParseValue(text)
			if err != nil {
				return s, err
			}
			s.Weights = append(s.Weights, w)
		}
	}
	var ok bool
	if s.Board, word, ok = strings.Cut(word, ":"); !ok {
		return s, fmt.Errorf("want BOARD:WINDOW")
	}
	i := strings.IndexAny(word+"/", "/:~")
	s.Window = word[:i]
	switch rest := word[i:]; {
	case rest == "":
	case rest[0] == '~':
		s.Last, err = strconv.Atoi(rest[1:])
	case strings.HasPrefix(rest, ":base="):
		s.Baseline = rest[len(":base="):]
	case strings.Contains(rest, ".."):
		s.From, s.To, _ = strings.Cut(rest[1:], "..")
	default:
		s.Period = rest[1:]
	}
	return s, err
}

func parseUnion(a *args) action {
	name, spec := a.word("the pin's name"), a.union()
	return func(p *player) (string, error) {
		r, err := p.b.Union(context.Background(), spec)
		if err == nil {
			p.pins[name] = r
		}
		return "", err
	}
}

func parseStoreUnion(a *args) action {
	name, spec := a.word("the union's name"), a.union()
	return func(p *player) (string, error) { return "", p.b.StoreUnion(context.Background(), name, spec) }
}

func parseDropUnion(a *args) action {
	name := a.word("the union's name")
	return func(p *player) (string, error) { return "", p.b.DropUnion(context.Background(), name) }
}

func parseUnions(a *args) action {
	return func(p *player) (string, error) {
		stored, err := p.b.StoredUnions(context.Background())
		if err != nil {
			return "", err
		}
		return list(stored, func(u board.StoredUnion) string { return fmt.Sprintf("%s %d", quote(u.Name), u.Members) }), nil
	}
}
