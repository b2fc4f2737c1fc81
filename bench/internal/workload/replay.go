package workload

import (
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// minReplay is the fewest members a file may have.
const minReplay = 100

// replay is a file that was read.
type replay struct {
	file    *file
	members names
	boards  []uint32 // of each member
	sizes   []int    // of each board
	final   []float64
	event   []uint32 // the member of each event
	fresh   []bool
}

// Replay reads a file of events and returns the workload that replays it: the events in the order of the file, and then operations
// on its members, each member as often as it is in the file. name is that of the file, with columns of other names behind it if
// they have any, as "events.csv.gz?delta=delta_solved&member=team".
//
// The file is CSV, compressed if its name ends in ".gz". Its first line names the columns: "member"; either "delta", which is added to
// the score, or "score", which replaces it; "board" if there are several. All others are ignored. Errors name the line: a column
// that is not there, a member that is empty, what is no finite number; and fewer than 100 members.
func Replay(name string) (*Workload, error) {
	f, err := readFile(name)
	if err != nil {
		return nil, fmt.Errorf("workload %w", err)
	}
	p := &replay{file: f}
	if err := p.index(); err != nil {
		return nil, fmt.Errorf("workload %s: %w", f.path, err)
	}
	n := len(p.boards)
	if n < minReplay {
		return nil, fmt.Errorf("workload %s: it has %d members; %d or more are needed", f.path, n, minReplay)
	}
	return &Workload{
		Name: name, N: n, MemberBytes: (len(p.members.text) + n/2) / n,
		What: fmt.Sprintf("replay of %s: %d events of %d members on %d boards", filepath.Base(f.path), len(p.event), n, len(p.sizes)),
		Draw: func(_, ops int, seed uint64) *Load {
			r := rand.New(rand.NewPCG(seed, stream))
			return p.shape(r).load(r, n, ops)
		},
	}, nil
}

// index numbers the members in the order of the file, and computes their final scores.
func (p *replay) index() error {
	type place struct{ board, member string }
	members, boards := map[place]uint32{}, map[string]uint32{}
	for i, e := range p.file.events {
		at := place{e.board, e.member}
		m, there := members[at]
		if !there {
			b, known := boards[e.board]
			if !known {
				b = uint32(len(boards))
				boards[e.board] = b
				p.sizes = append(p.sizes, 0)
			}
			p.sizes[b]++
			m = uint32(len(members))
			members[at] = m
			p.members.add(e.member)
			p.boards, p.final = append(p.boards, b), append(p.final, 0)
		}
		if !p.file.adds {
			p.final[m] = 0
		}
		if p.final[m] += e.value; p.final[m]-p.final[m] != 0 {
			return fmt.Errorf("line %d: the score of %q grows beyond every number", p.file.lines[i], e.member)
		}
		p.event, p.fresh = append(p.event, m), append(p.fresh, !there)
	}
	if len(p.event) == 0 {
		return errors.New("it has no events")
	}
	return nil
}

// shape draws from the file: members as often as they are in it, scores of random members, and increments of random events.
func (p *replay) shape(r *rand.Rand) shape {
	anyEvent := func() int { return r.IntN(len(p.event)) }
	member := func(int) int { return int(p.event[anyEvent()]) }
	s := uniform(r, len(p.boards))
	s.names, s.boards, s.boardMembers = &p.members, p.boards, p.sizes
	s.pick, s.hot, s.churn = member, member, member
	next := 0
	s.built = func() float64 { next++; return p.final[next-1] }
	s.score = func() float64 { return p.final[r.IntN(len(p.final))] }
	if p.file.adds {
		s.delta = func() float64 { return p.file.events[anyEvent()].value }
	}
	for i := range s.order {
		s.order[i] = i
	}
	s.events = p.events
	return s
}

// events returns the events of the file as a stream.
func (p *replay) events(s *shape) Events {
	next := 0
	return Events{Fresh: p.fresh, Adds: p.file.adds,
		Stream: s.stream(len(p.event), func(i int) int { return int(p.event[i]) },
			func() float64 { next++; return p.file.events[next-1].value })}
}

// event is one record of a file.
type event struct {
	board, member string
	value         float64
}

// file holds the events of a file.
type file struct {
	path   string
	adds   bool // values are added, not set
	events []event
	lines  []int // of each event
}

// The columns.
const (
	columnMember, columnBoard = "member", "board"
	columnDelta, columnScore  = "delta", "score"
)

// readFile reads the file of a name as Replay takes it. Errors begin with the file's path.
func readFile(name string) (*file, error) {
	path, query, _ := strings.Cut(name, "?")
	f := &file{path: path}
	renamed, err := url.ParseQuery(query)
	if err == nil {
		err = f.read(renamed)
	}
	var already *os.PathError
	if err != nil && !errors.As(err, &already) {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return f, err
}

func (f *file) read(renamed url.Values) error {
	in, err := os.Open(f.path)
	if err != nil {
		return err
	}
	defer in.Close()
	var text io.Reader = in
	if strings.HasSuffix(f.path, ".gz") {
		if text, err = gzip.NewReader(in); err != nil {
			return fmt.Errorf("decompress: %w", err)
		}
	}
	r := csv.NewReader(text)
	r.ReuseRecord = true
	header, err := r.Read()
	if errors.Is(err, io.EOF) {
		return errors.New("it is empty; the first line names the columns")
	}
	if err != nil {
		return err
	}
	c, err := f.columns(slices.Clone(header), renamed)
	if err != nil {
		return err
	}
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err // it names the line
		}
		line, _ := r.FieldPos(0)
		if err := f.add(record, c, line); err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
	}
}

// columns are indices of fields; board is -1 if there is none.
type columns struct {
	board, member, value int
	name                 string // of value
}

// columns finds them by the header.
func (f *file) columns(header []string, renamed url.Values) (columns, error) {
	header[0] = strings.TrimPrefix(header[0], "\ufeff")
	known := []string{columnMember, columnBoard, columnDelta, columnScore}
	for ours := range renamed {
		if !slices.Contains(known, ours) {
			return columns{}, fmt.Errorf("column %q is none of %s", ours, strings.Join(known, ", "))
		}
		if !slices.Contains(header, renamed.Get(ours)) {
			return columns{}, fmt.Errorf("it has no column %q; there are %s", renamed.Get(ours), strings.Join(header, ", "))
		}
	}
	find := func(name string) int {
		if renamed.Has(name) {
			name = renamed.Get(name)
		}
		return slices.Index(header, name)
	}
	delta, score := find(columnDelta), find(columnScore)
	c := columns{board: find(columnBoard), member: find(columnMember), value: max(delta, score), name: columnScore}
	switch {
	case c.member < 0:
		return c, fmt.Errorf("it has no column %q; there are %s", columnMember, strings.Join(header, ", "))
	case c.value < 0:
		return c, fmt.Errorf("it has no column %q or %q; there are %s", columnDelta, columnScore, strings.Join(header, ", "))
	case delta >= 0 && score >= 0:
		return c, fmt.Errorf("it has both a column %q and a column %q; one of them is needed", columnDelta, columnScore)
	}
	if delta >= 0 {
		f.adds, c.name = true, columnDelta
	}
	return c, nil
}

// add adds the event of a record, whose strings it keeps: the reader cuts them from a new string for each record.
func (f *file) add(record []string, c columns, line int) error {
	e := event{member: record[c.member]}
	if e.member == "" {
		return errors.New("the member is empty")
	}
	if c.board >= 0 {
		e.board = record[c.board]
	}
	var err error
	if e.value, err = strconv.ParseFloat(strings.TrimSpace(record[c.value]), 64); err != nil || e.value-e.value != 0 {
		return fmt.Errorf("the %s %q is not a finite number", c.name, record[c.value])
	}
	if e.value == 0 {
		e.value = math.Abs(e.value) // of -0
	}
	f.events, f.lines = append(f.events, e), append(f.lines, line)
	return nil
}
