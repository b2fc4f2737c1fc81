package resp_test

import (
	"bytes"
	"context"
	"encoding"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/internal/boardjson"
)

// defaultUser sends the commands that need no name of an operator.
const defaultUser = "default"

// twins is the API of the first store. It sends what each request asks for to the second store,
// too: as a command, if the words of commands can say it. What no command can say, and changes
// something, is done with the second store itself.
type twins struct {
	mu      sync.Mutex // both stores get the requests in the same order
	api     http.Handler
	mux     *http.ServeMux // knows the operations by their routes
	env     *ops.Env       // of the second store
	dial    func(user string) *redis.Client
	clients map[string]*redis.Client // by the user
	pins    map[string]pinned        // by the id
	places  map[string]string        // of the feed of the second store, by those of the first
	changes int                      // requests that may have changed something
	sent    *tally
	errs    []error // how the second store has differed
}

// pinned is what has been pinned. The second store answers the same as long as neither the store
// nor the clock have changed.
type pinned struct {
	ops.Locator
	changes int
	at      time.Time
}

// mostErrs is the most differences of a scenario that are told: others follow from the first.
const mostErrs = 3

func newTwins(
	api http.Handler, env *ops.Env, sent *tally, places map[string]string, dial func(user string) *redis.Client,
) *twins {
	t := &twins{api: api, mux: http.NewServeMux(), env: env, dial: dial, sent: sent,
		clients: map[string]*redis.Client{}, pins: map[string]pinned{}, places: places}
	const window = "/v1/boards/{board}/windows/{window}/"
	for _, op := range ops.All() {
		if op.IsRead() {
			t.mux.HandleFunc(op.Method()+" "+window+op.Path(), t.handle(op, t.readLocator))
			t.mux.HandleFunc(op.Method()+" /v1/pins/{pin}/"+op.Path(), t.handle(op, t.readPin))
		} else {
			t.mux.HandleFunc(op.Method()+" /v1"+op.Path(), t.handle(op, nil))
		}
	}
	t.mux.HandleFunc("POST "+window+"pin", t.pin)
	t.mux.HandleFunc("GET /v1/events", t.events)
	t.mux.Handle("/", api) // reads of unions, and what only drops a pin
	return t
}

// RoundTrip implements http.RoundTripper.
func (t *twins) RoundTrip(q *http.Request) (*http.Response, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if q = q.Clone(q.Context()); q.Body == nil {
		q.Body = http.NoBody
	}
	w := httptest.NewRecorder()
	t.mux.ServeHTTP(w, q)
	return w.Result(), nil
}

// close returns how the second store has differed.
func (t *twins) close() error {
	for _, c := range t.clients {
		_ = c.Close()
	}
	return errors.Join(t.errs...)
}

// request is a request of an operation.
type request struct {
	op      *ops.Op
	args    any
	locator *ops.Locator // of a read
	meta    bool         // META is asked for
}

// handle returns what answers requests of an operation. locate returns which ranking a read is of,
// nil if the second store cannot know.
func (t *twins) handle(op *ops.Op, locate func(q *http.Request) *ops.Locator) http.HandlerFunc {
	return func(w http.ResponseWriter, q *http.Request) {
		r := request{op: op, args: reflect.New(op.Args()).Interface()}
		body, err := io.ReadAll(q.Body)
		if to := ops.Body(r.args); to != nil && err == nil {
			err = boardjson.Read(body, to)
		}
		err = errors.Join(err, setParams(r.args, q))
		if locate != nil && err == nil {
			r.locator = locate(q)
		}
		q.Body = io.NopCloser(bytes.NewReader(body))
		t.api.ServeHTTP(w, q)
		if err == nil && (locate == nil || r.locator != nil) {
			err = t.ask(q.Context(), &r, w.(*httptest.ResponseRecorder))
		} else if err == nil {
			t.sent.skipped[op.ID]++
		}
		t.note(q, err)
		if op.Changes() {
			t.changes++
		}
	}
}

// note keeps an error that tells how the second store has differed.
func (t *twins) note(q *http.Request, err error) {
	if err != nil && len(t.errs) < mostErrs {
		t.errs = append(t.errs, fmt.Errorf("%s %s: %w", q.Method, q.URL, err))
	}
}

// setParams sets the parameters of a request.
func setParams(args any, q *http.Request) (err error) {
	params := ops.ParamsOf(reflect.TypeOf(args).Elem())
	for i := range params {
		p := &params[i]
		text := q.PathValue(p.Name)
		switch p.In {
		case ops.InQuery:
			text = q.URL.Query().Get(p.Name)
		case ops.InHeader:
			text = q.Header.Get(p.Name)
		}
		err = errors.Join(err, p.Set(args, text))
	}
	return err
}

func (t *twins) readLocator(q *http.Request) *ops.Locator {
	l := &ops.Locator{}
	if setParams(l, q) != nil {
		return nil
	}
	if of, err := t.env.Boards.Board(q.Context(), l.Board); err == nil && of.Version() != l.Version {
		return nil // which a command cannot ask for
	}
	return l
}

func (t *twins) readPin(q *http.Request) *ops.Locator {
	p, ok := t.pins[q.PathValue("pin")]
	if !ok || p.changes != t.changes || !p.at.Equal(t.env.Now()) || setParams(&p.Moded, q) != nil {
		return nil
	}
	return &p.Locator
}

// pin remembers what is pinned.
func (t *twins) pin(w http.ResponseWriter, q *http.Request) {
	l := t.readLocator(q)
	t.api.ServeHTTP(w, q)
	var answer struct{ Pin string }
	if boardjson.ReadAny(w.(*httptest.ResponseRecorder).Body.Bytes(), &answer) == nil && l != nil {
		t.pins[answer.Pin] = pinned{*l, t.changes, t.env.Now()}
	}
}

// ask sends a request to the second store, and returns how the reply differs from the answer.
func (t *twins) ask(ctx context.Context, r *request, answer *httptest.ResponseRecorder) error {
	r.meta = t.sent.commands[r.op.ID]%2 == 0
	user, words, ok := r.words()
	if !ok {
		if !r.op.Changes() {
			t.sent.skipped[r.op.ID]++
			return nil
		}
		t.sent.plain[r.op.ID]++
		if err := r.op.Do(ctx, t.env, r.args, r.op.NewResult()); (err != nil) != (answer.Code >= 400) {
			return fmt.Errorf("the answer is %s, and the second store has the error %v", answer.Body, err)
		}
		return nil
	}
	reply, err := t.do(ctx, r.op.ID, user, words)
	if err := r.compare(answer, reply, err); err != nil {
		return fmt.Errorf("%q: %w", words, err)
	}
	return nil
}

// do sends a command.
func (t *twins) do(ctx context.Context, id, user string, words []any) (reply any, err error) {
	t.sent.commands[id]++
	if t.clients[user] == nil {
		t.clients[user] = t.dial(user)
	}
	if reply, err = t.clients[user].Do(ctx, words...).Result(); errors.Is(err, redis.Nil) {
		return nil, nil
	}
	return reply, err
}

// events sends BOARD.FEED for what is there of the feed. The stores have positions of their own.
func (t *twins) events(w http.ResponseWriter, q *http.Request) {
	t.api.ServeHTTP(w, q)
	query := q.URL.Query()
	after, ok := t.places[query.Get("after")]
	if !ok {
		t.note(q, errors.New("the position is none that the feed had"))
	}
	words := []any{"BOARD.FEED", after, "COUNT", 5000}
	filter := map[string]string{"boards": "BOARD", "windows": "WINDOW", "kinds": "KIND", "member": "MEMBER"}
	for name, word := range filter {
		for value := range strings.SplitSeq(query.Get(name), ",") {
			if value != "" {
				words = append(words, word, value)
			}
		}
	}
	reply, err := t.do(q.Context(), "events", defaultUser, words)
	if err = compareEvents(w.(*httptest.ResponseRecorder).Body.String(), reply, err, t.places); err != nil {
		t.note(q, fmt.Errorf("%q: %w", words, err))
	}
}

// words returns the command of a request, and who sends it; not ok if no command can say it.
func (r *request) words() (user string, words []any, ok bool) {
	if words = r.ownWords(); words != nil {
		return defaultUser, words, true
	}
	command, all := r.op.Words()
	s := sentence{words: []any{command}, args: r.arguments()}
	user, ok = defaultUser, true
	if by, ok := s.args["by"]; ok && r.op.Changes() {
		user = by.String()
		delete(s.args, "by")
	}
	for _, w := range all {
		if w.Choice != nil {
			given := slices.DeleteFunc(w.Choice, func(w ops.Word) bool { return s.args[w.Name].IsZero() })
			if len(given) != 1 {
				return "", nil, false
			}
			w = given[0]
		}
		s.say(w)
	}
	delete(s.args, "version") // it is that of the board
	for _, rest := range s.args {
		ok = ok && rest.IsZero()
	}
	return user, s.words, ok && command != "" && user != "" // a command has a user
}

// ownWords returns the commands that only this door has, nil for the others.
func (r *request) ownWords() (words []any) {
	switch args := r.args.(type) {
	case *ops.JoinAllArgs:
		words = []any{"GROUP.JOIN", args.Kind}
		for _, j := range args.Body.Joinings {
			words = append(words, j.Member, j.Group)
		}
	case *ops.OnBoard:
		if r.op == ops.GetBoard.Op {
			words = []any{"BOARD.INFO", args.Board}
		}
	case *ops.NoArgs:
		if r.op == ops.ListBoards.Op {
			words = []any{"BOARD.INFO"}
		}
	}
	return words
}

// arguments returns the arguments of a request by their names.
func (r *request) arguments() map[string]reflect.Value {
	all := map[string]reflect.Value{}
	add := func(args any) {
		for _, p := range ops.ArgumentsOf(reflect.TypeOf(args).Elem()) {
			all[p.Name] = reflect.ValueOf(p.Value(args))
		}
	}
	if r.locator != nil {
		add(r.locator)
	}
	add(r.args)
	isMeta := func(w ops.Word) bool { return w.Keyword == "META" && w.Flag }
	if _, words := r.op.Words(); slices.ContainsFunc(words, isMeta) {
		all["meta"] = reflect.ValueOf(r.meta)
	}
	if row, at := all["row"], all["asOf"]; row.IsValid() && at.IsValid() && !row.IsNil() { // ASOF has either
		all["asOf"] = reflect.ValueOf("#" + textOf(row))
		delete(all, "row")
	}
	return all
}

// sentence is a command that is being said.
type sentence struct {
	words []any
	args  map[string]reflect.Value // those that are not said yet
}

// say says a word with its argument, unless it is an option that need not be there.
func (s *sentence) say(w ops.Word) {
	v := s.args[w.Name]
	delete(s.args, w.Name)
	switch {
	case w.Optional && v.IsZero() && v.Kind() != reflect.Int: // an absent number has a default
	case w.Columns:
		for _, column := range strings.FieldsFunc(textOf(v), func(c rune) bool { return c == ',' }) {
			s.words = append(s.words, column)
		}
	case w.Repeated:
		for i := range v.Len() {
			s.words = append(s.words, w.Keyword, textOf(v.Index(i)))
		}
	case w.Flag, w.Name == "":
		s.words = append(s.words, w.Keyword)
	case w.Keyword != "":
		s.words = append(s.words, w.Keyword, textOf(v))
	default:
		s.words = append(s.words, textOf(v))
	}
}

// textOf writes an argument as a word of a command: names and metadata are what they are.
func textOf(v reflect.Value) string {
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	switch x := v.Interface().(type) {
	case time.Time:
		return x.Format(time.RFC3339Nano)
	case board.Score:
		return boardjson.ScoreText(x)
	case encoding.TextMarshaler:
		text, _ := x.MarshalText() // of names of the contract
		return string(text)
	case []byte:
		return string(x)
	}
	return fmt.Sprint(v.Interface())
}

// tally counts the requests of each operation, by its ID.
type tally struct {
	commands map[string]int // that were sent
	plain    map[string]int // done with the second store itself
	skipped  map[string]int // reads of which there is no command
}

func newTally() *tally { return &tally{map[string]int{}, map[string]int{}, map[string]int{}} }

// missing returns the operations that have a command, of which none was sent.
func (n *tally) missing() (ids []string) {
	for _, op := range ops.All() {
		if op.Command != "" && n.commands[op.ID] == 0 {
			ids = append(ids, op.ID)
		}
	}
	return ids
}

// String tells the sums, and what no command could say.
func (n *tally) String() string {
	sum := func(counts map[string]int) (sum int) {
		for _, n := range counts {
			sum += n
		}
		return sum
	}
	return fmt.Sprintf("%d commands of %d operations; %d changes without one: %v; %d reads without one: %v",
		sum(n.commands), len(n.commands), sum(n.plain), slices.Sorted(maps.Keys(n.plain)), sum(n.skipped), n.skipped)
}
