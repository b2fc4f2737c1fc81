package redisfile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/load"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/cmd/zrank/internal/mapping"
	"github.com/zrankdb/zrank/cmd/zrank/internal/specs"
	"github.com/zrankdb/zrank/internal/numbers"
	"github.com/zrankdb/zrank/rdb"
	"github.com/zrankdb/zrank/server/resp/rdbfile"
)

// mapped is what a map file makes of keys: periods of boards.
type mapped struct {
	ctx       context.Context
	rules     []*mapping.Rule
	now       time.Time
	store     load.Boards
	boards    map[string]*load.Loader
	templates map[string]board.Spec // by a name with {name}; each such board is begun by its first key
	places    map[string]*placed    // by the board of the rule and the window
	bad       map[string]*refused
	refs      int // members and keys that were refused
}

// placed is the periods of a window.
type placed struct {
	periods     int
	closed      int
	members     int
	key, sample string              // an example
	boards      map[string]struct{} // of a rule with {name}
}

// refused counts keys or members that were refused for a reason.
type refused struct {
	keys, members int
	example       string
}

// readMap reads a map file and the specs of its boards. Errors: those of the files; a rule whose board has no spec, or no such window.
func readMap(path, specPath string) (rs []*mapping.Rule, all []board.Spec, err error) {
	if rs, err = mapping.Read(path); err != nil {
		return nil, nil, err
	}
	if all, _, err = specs.ReadFile(specPath); err != nil {
		return nil, nil, err
	}
	for i, r := range rs {
		at := slices.IndexFunc(all, func(s board.Spec) bool { return s.Name == r.Board })
		if at < 0 {
			return nil, nil, fmt.Errorf("%s: rule %d: %s has no spec of the board %q", path, i+1, specPath, r.Board)
		}
		if len(all[at].Columns) > 1 {
			return nil, nil, fmt.Errorf("%s: rule %d: the board %q has %d columns, and a score of Redis is one number", path, i+1, r.Board, len(all[at].Columns))
		}
	}
	all = slices.DeleteFunc(all, func(s board.Spec) bool {
		return !slices.ContainsFunc(rs, func(r *mapping.Rule) bool { return r.Board == s.Name })
	})
	return rs, all, nil
}

// newMapped begins the boards of a map. Errors: those of package load; a rule whose window the board does not have, or that needs a period.
func newMapped(ctx context.Context, boards load.Boards, rs []*mapping.Rule, all []board.Spec, now time.Time) (m *mapped, err error) {
	m = &mapped{ctx: ctx, rules: rs, now: now, store: boards, boards: map[string]*load.Loader{}, templates: map[string]board.Spec{}, places: map[string]*placed{},
		bad: map[string]*refused{}}
	defer func() {
		if err != nil {
			err = errors.Join(err, m.discard())
		}
	}()
	for _, spec := range all {
		if _, err = m.begin(spec); err != nil {
			return m, err
		}
	}
	for i, r := range rs {
		if r.Window == "" {
			r.Window = m.boards[r.Board].Spec().Windows[0].Name
		}
		c, err := m.boards[r.Board].Calendar(r.Window)
		if err != nil {
			return m, fmt.Errorf("rule %d: %w", i+1, err)
		}
		if _, only := mapping.Only(c); !r.HasPeriod() && !only {
			return m, fmt.Errorf("rule %d: the key %q names no period, and the window %s has several", i+1, r.Key, r.Window)
		}
		if r.Names() {
			m.templates[r.Board] = m.boards[r.Board].Spec()
		}
	}
	for name := range m.templates {
		if err := m.boards[name].Discard(ctx); err != nil {
			return m, err
		}
		delete(m.boards, name)
	}
	return m, nil
}

// begin begins a board. Errors: those of package load.
func (m *mapped) begin(spec board.Spec) (*load.Loader, error) {
	l, err := load.New(m.ctx, m.store, spec, m.now)
	if err == nil {
		m.boards[spec.Name] = l
	}
	return l, err
}

// board returns the board that a key belongs to. Errors: those of package load.
func (m *mapped) board(r *mapping.Rule, in mapping.Match) (*load.Loader, error) {
	if l := m.boards[r.BoardOf(in)]; l != nil {
		return l, nil
	}
	spec := m.templates[r.Board]
	spec.Name = r.BoardOf(in)
	return m.begin(spec)
}

// refuse counts a key, or a member of it, that is refused.
func (m *mapped) refuse(why string, keys, members int, example string) {
	x := m.bad[why]
	if x == nil {
		x = &refused{example: example}
		m.bad[why] = x
	}
	x.keys, x.members = x.keys+keys, x.members+members
	m.refs++
}

// take adds a key to its board, if a rule has one: rdbfile.ImportOptions.Take.
func (m *mapped) take(key *rdb.Key) (bool, error) {
	r, in := mapping.Find(m.rules, string(key.Name))
	if r == nil {
		return false, nil
	}
	l, err := m.board(r, in)
	if errors.Is(err, board.ErrSpec) { // only its name is another than that of the template
		m.refuse("no board can be called so", 1, 0, fmt.Sprintf("%s: %q", key.Name, r.BoardOf(in)))
		return true, key.Skip()
	}
	if err != nil {
		return true, err
	}
	c, err := l.Calendar(r.Window)
	if err != nil {
		return false, err
	}
	p, err := r.Period(c, in.Period)
	if err != nil {
		m.refuse("the key names no period of "+r.Board+"/"+r.Window, 1, 0, string(key.Name))
		return true, key.Skip()
	}
	entries, err := m.entries(r, l, c, p, key)
	if err != nil {
		return true, err
	}
	if err = l.Add(m.ctx, r.Window, p, entries); errors.Is(err, load.ErrPeriod) {
		m.refuse("another key has become this period, or it has not begun", 1, len(entries), string(key.Name)+" = "+r.BoardOf(in)+"/"+r.Window+" "+p.Name)
		return true, nil
	}
	if err == nil && len(entries) > 0 {
		m.place(r, l.Spec().Name, c, p, key, entries)
	}
	return true, err
}

// packed is a member with the score of Redis.
type packed struct {
	load.Entry
	score float64
}

// entries returns the entries that a key becomes, the best first as Redis shows them.
func (m *mapped) entries(r *mapping.Rule, l *load.Loader, c *window.Calendar, p window.Period, key *rdb.Key) ([]load.Entry, error) {
	column := l.Spec().Columns[0]
	var list []packed
	err := key.SortedSet(func(member []byte, score float64) error {
		e, why := m.entry(r, c, p, column, string(member), score)
		if why == nil {
			why = l.Check(e)
		}
		if why != nil {
			m.refuseMember(key, member, score, why)
			return nil
		}
		list = append(list, packed{e, score})
		return nil
	})
	down := 1
	if column.Order != rules.Asc { // the top ten are ZREVRANGE 0 9
		down = -1
	}
	slices.SortFunc(list, func(a, b packed) int {
		return down * cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.Member, b.Member))
	})
	entries := make([]load.Entry, len(list))
	for i := range list {
		entries[i] = list[i].Entry
		if i > 0 && entries[i].Member == entries[i-1].Member {
			return nil, fmt.Errorf("%w: %q of the key %q", rdbfile.ErrTwice, entries[i].Member, key.Name)
		}
	}
	return entries, err
}

// refuseMember counts a member that is refused. The reason is the same for all members that are refused for it.
func (m *mapped) refuseMember(key *rdb.Key, member []byte, score float64, why error) {
	example := fmt.Sprintf("%s: %q has %s", key.Name, member, strconv.FormatFloat(score, 'g', -1, 64))
	if several := new(mapping.AmbiguousError); errors.As(why, &several) {
		example += ": " + several.Error()
		why = several.Unwrap()
	}
	text := why.Error()
	if errors.Is(why, mapping.ErrAmbiguous) || errors.Is(why, mapping.ErrTooLarge) {
		text += `; "withoutTime": true in the rule takes the points only`
	}
	m.refuse(text, 0, 1, example)
}

// entry unpacks a score. why is the reason if it cannot be, or if its time is not in the period.
func (m *mapped) entry(r *mapping.Rule, c *window.Calendar, p window.Period, column board.Column, member string, score float64) (e load.Entry, why error) {
	e = load.Entry{Member: member, Reached: m.now}
	if !p.Start.IsZero() {
		e.Reached = p.Start
	}
	f := r.Formula()
	if !f.Packed() && column.Kind == rules.Float64 {
		e.Score = board.Floats(score)
		return e, nil
	}
	points, at, err := f.Unpack(score)
	if err != nil {
		return e, err
	}
	e.Score = board.Ints(points)
	if at.IsZero() {
		return e, nil
	}
	closes, ends := c.Closes(p)
	if !p.Start.IsZero() && (at.Before(p.Start) || !at.Before(p.End) && (!ends || !at.Before(closes))) {
		return e, errors.New("the time in the score is not in the period")
	}
	if at.After(m.now) {
		return e, errors.New("the time in the score has not come yet")
	}
	e.Reached = at
	return e, nil
}

// place counts a period.
func (m *mapped) place(r *mapping.Rule, boardName string, c *window.Calendar, p window.Period, key *rdb.Key, entries []load.Entry) {
	name := r.Board + "/" + r.Window
	x := m.places[name]
	if x == nil {
		first := entries[0]
		x = &placed{key: string(key.Name) + " = " + p.Name, boards: map[string]struct{}{}}
		x.sample = fmt.Sprintf("%q has %s", first.Member, first.Score)
		if r.Formula().HasTime() {
			x.sample += ", reached " + first.Reached.UTC().Format(time.RFC3339Nano)
		}
		m.places[name] = x
	}
	if r.Names() {
		x.boards[boardName] = struct{}{}
	}
	x.periods, x.members = x.periods+1, x.members+len(entries)
	if at, ends := c.Closes(p); ends && !m.now.Before(at) {
		x.closed++
	}
}

// finish stores the boards.
func (m *mapped) finish() error {
	for name, l := range m.boards {
		if _, err := l.Finish(m.ctx); err != nil {
			return fmt.Errorf("board %q: %w", name, err)
		}
		delete(m.boards, name)
	}
	return nil
}

// discard gives up the boards that are not stored.
func (m *mapped) discard() (err error) {
	for _, l := range m.boards {
		err = errors.Join(err, l.Discard(context.WithoutCancel(m.ctx)))
	}
	return err
}

// refusedCount says how many keys and members were refused.
func (m *mapped) refusedCount() string {
	keys, members := 0, 0
	for _, x := range m.bad {
		keys, members = keys+x.keys, members+x.members
	}
	return fmt.Sprintf("%s and %s are refused", numbers.Plural(keys, "key"), numbers.Plural(members, "member"))
}

// sortedKeys returns the keys of a table in order.
func sortedKeys[T any](table map[string]T) []string { return slices.Sorted(maps.Keys(table)) }

// rows are the lines of what has become of the keys.
func (m *mapped) rows(dry bool) (list []row) {
	become := "became"
	if dry {
		become = "would become"
	}
	for _, name := range sortedKeys(m.places) {
		x := m.places[name]
		what := fmt.Sprintf("%s %s of %s", become, numbers.Plural(x.periods, "period"), name)
		if len(x.boards) > 0 {
			what += ", " + numbers.Plural(len(x.boards), "board")
		}
		if x.closed > 0 {
			what += fmt.Sprintf(", %s closed", numbers.Count(x.closed))
		}
		list = append(list, row{"zset", what, x.periods, x.members, x.key}, row{Type: "", What: "for example", Example: x.sample})
	}
	for _, why := range sortedKeys(m.bad) {
		x := m.bad[why]
		list = append(list, row{"zset", "refused: " + why, x.keys, x.members, x.example})
	}
	return list
}
