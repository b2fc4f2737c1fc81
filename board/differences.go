package board

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/board/window"
)

// Differences returns one text for each value of s that differs from stored. The text names the stored value first: "op is sum, not best",
// "column penalty: order is asc, not desc", "window day is new". nil means that there are no differences. Columns and windows are matched by name.
// The board's name and the order of windows do not matter, nor whether a default is written out. Both specs are valid. O((columns + windows)^2 +
// seasons).
func (s Spec) Differences(stored Spec) []string {
	s, stored = s.WithDefaults(), stored.WithDefaults()
	diff := differences(columnNames(s.Columns), columnNames(stored.Columns), "column", func(i, j int) []string {
		return columnDifferences(s.Columns[i], stored.Columns[j])
	})
	if want, have := columnOrder(s, stored), columnOrder(stored, s); want != have {
		diff = append(diff, differs("order of columns", want, have)...)
	}
	diff = append(diff, differs("op", s.Op, stored.Op)...)
	diff = append(diff, differs("k", s.K, stored.K)...)
	diff = append(diff, differs("ties", s.Ties, stored.Ties)...)
	diff = append(diff, differences(windowNames(s.Windows), windowNames(stored.Windows), "window", func(i, j int) []string {
		return s.Windows[i].Differences(stored.Windows[j])
	})...)
	diff = append(diff, topDifferences(s.Top, stored.Top)...)
	diff = append(diff, differs("maxMeta", s.MaxMeta, stored.MaxMeta)...)
	diff = append(diff, differs("bestRanks", s.BestRanks, stored.BestRanks)...)
	diff = append(diff, differs("parts", s.Parts, stored.Parts)...)
	diff = append(diff, differs("partMembers", s.PartMembers, stored.PartMembers)...)
	diff = append(diff, differs("journal", s.Journal, stored.Journal)...)
	diff = append(diff, differs("feed", s.Feed.String(), stored.Feed.String())...)
	diff = append(diff, planDifferences(s, stored)...)
	diff = append(diff, leagueDifferences(s.Leagues, stored.Leagues)...)
	diff = append(diff, s.Derived.Differences(stored.Derived)...)
	return append(diff, differs("onceFor", s.OnceFor, stored.OnceFor)...)
}

// Differences returns one text for each value that differs from stored, as Spec.Differences. Either may be nil.
func (d *Derived) Differences(stored *Derived) []string {
	switch {
	case d == nil && stored == nil:
		return nil
	case d == nil:
		return []string{"derived is stored, not given"}
	case stored == nil:
		return []string{"derived is new"}
	}
	d, stored = d.withDefaults(), stored.withDefaults()
	diff := differs("derived.from", d.From, stored.From)
	diff = append(diff, differs("derived.groups", d.Groups, stored.Groups)...)
	diff = append(diff, differs("derived.op", d.Op, stored.Op)...)
	diff = append(diff, differs("derived.k", d.K, stored.K)...)
	diff = append(diff, differs("derived.least", d.Least, stored.Least)...)
	return append(diff, differs("derived.points", d.Points, stored.Points)...)
}

// differs returns the text of a value that is not as stored.
func differs[T comparable](field string, want, have T) []string {
	if want == have {
		return nil
	}
	return []string{fmt.Sprintf("%s is %v, not %v", field, have, want)}
}

// differences returns the differences of two lists of names: new names, missing names, and the differences that inside returns for the pair of
// want[i] and have[j], which have the same name.
func differences(want, have []string, kind string, inside func(i, j int) []string) (diff []string) {
	for i, name := range want {
		j := slices.Index(have, name)
		if j < 0 {
			diff = append(diff, fmt.Sprintf("%s %s is new", kind, name))
			continue
		}
		for _, text := range inside(i, j) {
			diff = append(diff, fmt.Sprintf("%s %s: %s", kind, name, text))
		}
	}
	for _, name := range have {
		if !slices.Contains(want, name) {
			diff = append(diff, fmt.Sprintf("%s %s is gone", kind, name))
		}
	}
	return diff
}

// columnDifferences returns the differences of one column.
func columnDifferences(c, stored rules.Column) []string {
	op := func(o rules.Op) string {
		if o == "" {
			return "the board's"
		}
		return string(o)
	}
	bound := func(v *rules.Value) string {
		if v == nil {
			return "none"
		}
		return v.String()
	}
	return slices.Concat(
		differs("kind", c.Kind, stored.Kind),
		differs("decimals", c.Decimals, stored.Decimals),
		differs("order", c.Order, stored.Order),
		differs("op", op(c.Op), op(stored.Op)),
		differs("min", bound(c.Min), bound(stored.Min)),
		differs("max", bound(c.Max), bound(stored.Max)),
		differs("absent", cmp.Or(string(c.Absent), "refused"), cmp.Or(string(stored.Absent), "refused")),
		differs("of", sumText(c.Of), sumText(stored.Of)))
}

// sumText returns the text of a computed column's sum: "likes*1+gifts*10", none for a column that is submitted.
func sumText(of map[string]rules.Value) string {
	var terms []string
	for _, name := range slices.Sorted(maps.Keys(of)) {
		terms = append(terms, name+"*"+of[name].String())
	}
	return cmp.Or(strings.Join(terms, "+"), "none")
}

// columnOrder lists the columns that both specs have, in the order of s.
func columnOrder(s, other Spec) string {
	others := columnNames(other.Columns)
	alone := func(name string) bool { return !slices.Contains(others, name) }
	return strings.Join(slices.DeleteFunc(columnNames(s.Columns), alone), ", ")
}

func columnNames(columns []rules.Column) []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
	}
	return names
}

func windowNames(windows []window.Window) []string {
	names := make([]string, len(windows))
	for i, w := range windows {
		names[i] = w.Label()
	}
	return names
}

// topDifferences returns the differences of two Tops.
func topDifferences(t, stored *Top) []string {
	text := func(t *Top) string {
		if t == nil {
			return "none"
		}
		text := fmt.Sprintf("%d with a reserve of %d", t.N, t.Reserve)
		if t.Segments > 0 {
			text += fmt.Sprintf(" and %d segments", t.Segments)
		}
		return text
	}
	return differs("top", text(t), text(stored))
}

// planDifferences returns the differences of the plans of awards of two specs.
func planDifferences(s, stored Spec) (diff []string) {
	text := func(p *awards.Plan) string {
		if p == nil {
			return "none"
		}
		b, err := json.Marshal(p)
		if err != nil {
			return err.Error()
		}
		return string(b)
	}
	for _, w := range s.Windows {
		diff = append(diff, differs(fmt.Sprintf("awards of %s", w.Label()), text(s.PlanOf(w.Label())), text(stored.PlanOf(w.Label())))...)
	}
	return diff
}

// leagueDifferences returns the differences of the leagues of two specs.
func leagueDifferences(l, stored *Leagues) []string {
	text := func(l *Leagues) string {
		if l == nil {
			return "none"
		}
		b, err := json.Marshal(l)
		if err != nil {
			return err.Error()
		}
		return string(b)
	}
	return differs("leagues", text(l), text(stored))
}
