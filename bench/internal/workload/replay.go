package workload

import (
	"cmp"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
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
	adds    bool // values are added, not set
	members names
	boards  []uint32 // of each member
	sizes   []int    // of each board
	final   []float64
	event   []uint32 // the member of each event
	values  []float64
	fresh   []bool

	numbers      map[[2]string]uint32 // of the members, by board and name
	boardNumbers map[string]uint32
}

// Replay reads a file of events and returns the workload that replays it: the events in the order of the file, and then operations
// on its members, each member as often as it is in the file. name is that of the file, with columns of other names behind it if
// they have any, as "events.csv.gz?delta=delta_solved&member=team".
//
// The file is CSV, compressed if its name ends in ".gz". Its first line names the columns: "member"; either "delta", which is added to
// the score, or "score", which replaces it; "board" if there are several. All others are ignored. Errors name the line: a column
// that is not there, a member that is empty, what is no finite number; and fewer than 100 members.
func Replay(name string) (*Workload, error) {
	path, query, _ := strings.Cut(name, "?")
	p := &replay{numbers: map[[2]string]uint32{}, boardNumbers: map[string]uint32{}}
	renamed, err := url.ParseQuery(query)
	if err == nil {
		err = p.read(path, renamed)
	}
	n := len(p.boards)
	switch {
	case errors.As(err, new(*os.PathError)):
		return nil, fmt.Errorf("workload %w", err) // it names the file
	case err == nil && n == 0:
		err = errors.New("it has no events")
	case err == nil && n < minReplay:
		err = fmt.Errorf("it has %d members; %d or more are needed", n, minReplay)
	}
	if err != nil {
		return nil, fmt.Errorf("workload %s: %w", path, err)
	}
	return &Workload{
		Name: name, N: n, MemberBytes: (len(p.members.text) + n/2) / n,
		What: fmt.Sprintf("replay of %s: %d events of %d members on %d boards", filepath.Base(path), len(p.event), n, len(p.sizes)),
		Draw: func(_, ops int, seed uint64) *Load {
			r := rand.New(rand.NewPCG(seed, stream))
			return p.shape(r).load(r, n, ops)
		},
	}, nil
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
	if p.adds {
		s.delta = func() float64 { return p.values[anyEvent()] }
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
	return Events{Fresh: p.fresh, Adds: p.adds,
		Stream: s.stream(len(p.event), func(i int) int { return int(p.event[i]) }, func() float64 { next++; return p.values[next-1] })}
}

// The columns.
const (
	columnMember, columnBoard = "member", "board"
	columnDelta, columnScore  = "delta", "score"
)

func (p *replay) read(path string, renamed url.Values) error {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	var text io.Reader = in
	if strings.HasSuffix(path, ".gz") {
		if text, err = gzip.NewReader(in); err != nil {
			return fmt.Errorf("decompress: %w", err)
		}
	}
	r := csv.NewReader(text)
	header, err := r.Read()
	if errors.Is(err, io.EOF) {
		return errors.New("it is empty; the first line names the columns")
	}
	if err != nil {
		return err
	}
	c, err := p.columns(header, renamed)
	if err != nil {
		return err
	}
	r.ReuseRecord = true
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err // it names the line
		}
		if err := p.add(record, c); err != nil {
			line, _ := r.FieldPos(0)
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
func (p *replay) columns(header []string, renamed url.Values) (columns, error) {
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
		return slices.Index(header, cmp.Or(renamed.Get(name), name))
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
		p.adds, c.name = true, columnDelta
	}
	return c, nil
}

// add adds the event of a record, and numbers its member in the order of the file.
func (p *replay) add(record []string, c columns) error {
	member, board := record[c.member], ""
	if member == "" {
		return errors.New("the member is empty")
	}
	if c.board >= 0 {
		board = record[c.board]
	}
	value, err := strconv.ParseFloat(strings.TrimSpace(record[c.value]), 64)
	if err != nil || value-value != 0 {
		return fmt.Errorf("the %s %q is not a finite number", c.name, record[c.value])
	}
	m, there := p.numbers[[2]string{board, member}]
	if !there {
		m = p.newMember(board, member)
	}
	if !p.adds {
		p.final[m] = 0
	}
	if p.final[m] += value; p.final[m]-p.final[m] != 0 {
		return fmt.Errorf("the score of %q grows beyond every number", member)
	}
	p.event, p.fresh, p.values = append(p.event, m), append(p.fresh, !there), append(p.values, value+0) // -0 becomes 0
	return nil
}

func (p *replay) newMember(board, member string) uint32 {
	b, known := p.boardNumbers[board]
	if !known {
		b = uint32(len(p.sizes))
		p.boardNumbers[board] = b
		p.sizes = append(p.sizes, 0)
	}
	p.sizes[b]++
	m := uint32(len(p.boards))
	p.numbers[[2]string{board, member}] = m
	p.members.add(member)
	p.boards, p.final = append(p.boards, b), append(p.final, 0)
	return m
}
