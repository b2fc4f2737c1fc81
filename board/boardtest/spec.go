package boardtest

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/board/window"
)

// spec takes a board's name and its options.
func (a *args) spec() board.Spec {
	s := board.Spec{Name: a.word("the board's name")}
	options := a.options
	a.options = nil
	for _, o := range options {
		if err := setField(&s, o.key, o.value); err != nil {
			a.fail("%s=%s: %w", o.key, o.value, err)
		}
	}
	return s
}

// setField sets a field of a spec from an option.
func setField(s *board.Spec, key, value string) (err error) {
	switch key {
	case "op":
		s.Op = board.Op(value)
	case "k":
		s.K, err = strconv.Atoi(value)
	case "ties":
		s.Ties = board.Ties(value)
	case "columns":
		for text := range strings.SplitSeq(value, ",") {
			column, err := parseColumn(text)
			if err != nil {
				return err
			}
			s.Columns = append(s.Columns, column)
		}
	case "windows":
		for text := range strings.SplitSeq(value, ",") {
			w, err := window.ParseShort(text)
			if err != nil {
				return err
			}
			s.Windows = append(s.Windows, w)
		}
	case "seasons", "event":
		w, err := parseSeasons(window.Kind(key), value)
		if err != nil {
			return err
		}
		s.Windows = append(s.Windows, w)
	case "awards":
		p, err := parsePlan(value)
		if err != nil {
			return err
		}
		s.Awards = append(s.Awards, p)
	case "meta":
		s.MaxMeta, err = strconv.Atoi(value)
	case "bestranks":
		s.BestRanks, err = strconv.ParseBool(value)
	case "oncefor":
		err = s.OnceFor.UnmarshalText([]byte(value))
	default:
		err = setKeeping(s, key, value)
	}
	return err
}

// setKeeping sets a field that says how a board is kept, and what follows from it.
func setKeeping(s *board.Spec, key, value string) (err error) {
	switch key {
	case "top":
		s.Top, err = parseTopN(value)
	case "parts":
		s.Parts, err = strconv.Atoi(value)
	case "partmembers":
		s.PartMembers, err = strconv.Atoi(value)
	case "journal":
		s.Journal, err = strconv.Atoi(value)
	case "leagues":
		s.Leagues, err = parseLeagues(value)
	case "derived":
		s.Derived, err = parseDerived(value)
	case "feed":
		s.Feed = new(board.Feed)
		s.Feed.Top, err = strconv.Atoi(value)
	default:
		err = fmt.Errorf("unknown option")
	}
	return err
}

// parseTopN reads N[+RESERVE][/SEGMENTS].
func parseTopN(text string) (*board.Top, error) {
	text, segments, _ := strings.Cut(text, "/")
	n, reserve, _ := strings.Cut(text, "+")
	t := new(board.Top)
	var err error
	if t.N, err = strconv.Atoi(n); err == nil && reserve != "" {
		t.Reserve, err = strconv.Atoi(reserve)
	}
	if err == nil && segments != "" {
		t.Segments, err = strconv.Atoi(segments)
	}
	return t, err
}

// parseLeagues reads WINDOW:TIER,TIER…:SIZE+UP-DOWN[:BAND,BAND…].
func parseLeagues(text string) (*board.Leagues, error) {
	parts := strings.Split(text, ":")
	if len(parts) < 3 || len(parts) > 4 {
		return nil, fmt.Errorf("leagues are %q, want WINDOW:TIER,TIER:SIZE+UP-DOWN[:BAND,BAND]", text)
	}
	l := &board.Leagues{Window: parts[0], Tiers: strings.Split(parts[1], ",")}
	size, rest, _ := strings.Cut(parts[2], "+")
	up, down, _ := strings.Cut(rest, "-")
	for i, text := range []string{size, up, down} {
		n, err := strconv.Atoi(text)
		if err != nil {
			return nil, err
		}
		*[]*int{&l.Size, &l.Up, &l.Down}[i] = n
	}
	for _, text := range parts[3:] {
		for limit := range strings.SplitSeq(text, ",") {
			n, err := strconv.ParseInt(limit, 10, 64)
			if err != nil {
				return nil, err
			}
			l.Bands = append(l.Bands, n)
		}
	}
	return l, nil
}

// parseColumn reads NAME[:asc|desc|int64|float64|op=OP|decimals=N|min=N|max=N|absent=first|last|of=COLUMN*WEIGHT+...]...
func parseColumn(text string) (c board.Column, err error) {
	parts := strings.Split(text, ":")
	c.Name = parts[0]
	for _, part := range parts[1:] {
		key, value, _ := strings.Cut(part, "=")
		switch key {
		case "asc", "desc":
			c.Order = board.Order(key)
		case "int64", "float64":
			c.Kind = board.ColumnKind(key)
		case "op":
			c.Op = board.Op(value)
		case "decimals":
			if c.Decimals, err = strconv.Atoi(value); err != nil {
				return c, err
			}
		case "absent":
			c.Absent = board.Absence(value)
		case "of":
			if c.Of, err = parseSum(value); err != nil {
				return c, err
			}
		case "min", "max":
			bound, err := rules.ParseValue(value)
			if err != nil {
				return c, err
			}
			if key == "min" {
				c.Min = &bound
			} else {
				c.Max = &bound
			}
		default:
			return c, fmt.Errorf("column %s: unknown word %q", c.Name, part)
		}
	}
	return c, nil
}

// parseSum reads COLUMN*WEIGHT+...; of= names no columns.
func parseSum(text string) (map[string]board.Value, error) {
	of := map[string]board.Value{}
	for term := range strings.SplitSeq(text, "+") {
		if term == "" {
			continue
		}
		name, weight, _ := strings.Cut(term, "*")
		w, err := rules.ParseValue(weight)
		if err != nil {
			return nil, err
		}
		of[name] = w
	}
	return of, nil
}

// parseSeasons reads NAME[@ZONE][+GRACE][#KEEP] and, behind commas, [SEASON:]START..END.
func parseSeasons(kind window.Kind, text string) (w board.Window, err error) {
	head, list, _ := strings.Cut(text, ",")
	end := strings.IndexAny(head+"@", "@+#")
	w, err = window.ParseShort(head[:end] + "=day" + head[end:]) // day stands for the kind: ParseShort takes no seasons
	if err != nil {
		return w, err
	}
	type season struct {
		Name  string `json:"name,omitempty"`
		Start string `json:"start"`
		End   string `json:"end"`
	}
	spec := map[string]any{"name": w.Name, "kind": kind, "zone": w.TimeZone, "grace": w.Grace, "keep": w.Keep}
	var seasons []season
	for part := range strings.SplitSeq(list, ",") {
		name, times := "", part
		if before, after, found := strings.Cut(part, ":"); found && !strings.ContainsAny(before, "-.") {
			name, times = before, after
		}
		start, stop, _ := strings.Cut(times, "..")
		seasons = append(seasons, season{name, start, stop})
	}
	spec["seasons"] = seasons
	b, err := json.Marshal(spec)
	if err != nil {
		return w, err
	}
	w = board.Window{}
	return w, json.Unmarshal(b, &w)
}

// submission is a submission of a scenario. Its time may depend on the clock.
type submission struct {
	board.Submission
	at moment
}

// resolve returns the submission with its time computed from now.
func (s submission) resolve(now time.Time) board.Submission {
	if s.at != nil {
		s.At = s.at(now)
	}
	return s.Submission
}

// submission takes a member, a score if the command has one, and options.
func (a *args) submission(hasScore bool) (s submission) {
	s.Member = a.word("the member")
	if hasScore {
		s.Score = a.score(a.rest())
	}
	s.Once, _ = a.option("once")
	if text, ok := a.option("windows"); ok {
		s.Windows = strings.Split(text, ",")
	}
	if meta, ok := a.option("meta"); ok {
		s.Meta = []byte(meta)
	}
	s.Near, s.Overtaken = a.count("near", 0), a.count("overtaken", 0)
	if text, ok := a.option("skill"); ok {
		skill, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			a.fail("skill: %w", err)
		}
		s.Skill = skill
	}
	if text, ok := a.option("at"); ok {
		at, err := parseMoment(text)
		if err != nil {
			a.fail("%w", err)
		}
		s.at = at
	}
	conditions := map[string]board.Condition{"": board.Always, "new": board.IfNew, "ranked": board.IfRanked, "better": board.IfBetter}
	text, _ := a.option("if")
	condition, ok := conditions[text]
	if !ok {
		a.fail("if=%s: want new, ranked or better", text)
	}
	s.If = condition
	return s
}

// score parses a score: one word for each column.
func (a *args) score(words []string) board.Score {
	values := make([]board.Value, len(words))
	for i, word := range words {
		switch f, err := strconv.ParseFloat(word, 64); {
		case err == nil && (f-f != 0): // NaN, +Inf, -Inf
			values[i] = board.Float(f)
		default:
			v, err := rules.ParseValue(word)
			if err != nil {
				a.fail("score: %w", err)
			}
			values[i] = v
		}
	}
	return board.Values(values...)
}
