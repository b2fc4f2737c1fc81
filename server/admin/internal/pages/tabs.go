package pages

import (
	"fmt"
	"net/url"
	"strconv"

	"github.com/zrankdb/zrank/internal/numbers"
)

// Tabs is links of which one is where the reader is.
type Tabs struct {
	Label string
	Tabs  []Tab
}

// Tab is one of them.
type Tab struct {
	Text, URL string
	Current   bool
}

// Pager is links to the pages of a list before and after this one.
type Pager struct{ Previous, Next, Text string }

// to returns the URL of a page with parameters.
func to(page string, pairs ...string) string {
	q := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			q.Set(pairs[i], pairs[i+1])
		}
	}
	if len(q) == 0 {
		return page
	}
	return page + "?" + q.Encode()
}

// pager returns the links around items first to first+shown-1 of all, from 1, in steps of each. pairs are the other parameters of the page.
func pager(page string, first, shown, all, each int, pairs ...string) Pager {
	at := func(n int) string { return to(page, append(pairs[:len(pairs):len(pairs)], "from", strconv.Itoa(n))...) }
	p := Pager{Text: "none"}
	if shown > 0 {
		p.Text = fmt.Sprintf("%s to %s of %s", numbers.Count(first), numbers.Count(first+shown-1), numbers.Count(all))
	}
	if first > 1 {
		p.Previous = at(max(1, first-each))
	}
	if first+shown <= all {
		p.Next = at(first + shown)
	}
	return p
}

// cut returns the part of a list that begins at item first, from 1, with each items at most, and where it begins.
func cut[T any](list []T, first, each int) (part []T, begin int) {
	begin = min(max(first, 1), max(len(list), 1))
	return list[begin-1 : min(begin-1+each, len(list))], begin
}

// sections are the pages of one board that a reader may see.
func sections(r Request, name, current string) Tabs {
	t := Tabs{Label: "Of the board"}
	for _, x := range [][2]string{{"board", "Ranking"}, {"periods", "Periods"}, {"spec", "Spec"}, {"audit", "Audit"}} {
		if x[0] != "audit" || r.acts(name) {
			t.Tabs = append(t.Tabs, Tab{x[1], to(x[0], "board", name), x[0] == current})
		}
	}
	return t
}
