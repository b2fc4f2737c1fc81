package resp_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http/httptest"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/internal/boardjson"
)

// The comparison of a reply of RESP with the answer of HTTP knows neither the types of the results
// nor how replies are written: it goes by the rules that the documentation of BOARD.* has.

// object and list are JSON.
type (
	object = map[string]any
	list   = []any
)

// compare returns how a reply differs from an answer.
func (r *request) compare(answer *httptest.ResponseRecorder, reply any, err error) error {
	result, bad := parse(answer.Body.String())
	if bad != nil {
		return bad
	}
	switch {
	case answer.Code >= 400:
		return r.compareError(result.(object), reply, err)
	case err != nil:
		return fmt.Errorf("the reply is an error, and the answer is %s: %w", answer.Body, err)
	case r.op == ops.JoinGroup.Op:
		return same(json.Number("1"), reply)
	case r.op.Result() == nil:
		return same("OK", reply)
	}
	switch info, _ := reply.(map[any]any); {
	case r.op == ops.GetEnd.Op:
		return nil // each store has positions and commits of its own
	case r.op == ops.GetBoard.Op:
		return compareInfo(result.(object), info)
	}
	want := r.shape(result)
	if o, ok := want.(object); ok && reflect.TypeOf(reply) != reflect.TypeFor[map[any]any]() {
		want = alone(o)
	}
	if bad := same(want, reply); bad != nil {
		return fmt.Errorf("the reply is %v, and the answer is %s: %w", reply, answer.Body, bad)
	}
	return nil
}

// compareInfo compares a reply of BOARD.INFO, which has the spec as JSON, and the windows besides.
func compareInfo(want object, got map[any]any) error {
	spec, err := parse(fmt.Sprint(got["spec"]))
	if err == nil && !reflect.DeepEqual(spec, want["spec"]) {
		err = fmt.Errorf("the spec is %v in place of %v", spec, want["spec"])
	}
	return errors.Join(err, same(want["name"], got["board"]), same(want["version"], got["version"]))
}

// parse reads JSON, if there is any.
func parse(text string) (v any, err error) {
	if text == "" {
		return nil, nil
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

// compareEvents returns how a reply differs from server-sent events. It adds their positions to
// places.
func compareEvents(stream string, reply any, err error, places map[string]string) error {
	var events list
	for line := range strings.Lines(stream) {
		if data, ok := strings.CutPrefix(line, "data: "); ok && err == nil {
			var e any
			e, err = parse(data)
			events = append(events, e)
		}
	}
	got, _ := reply.([]any)
	for i := range min(len(events), len(got)) {
		is, want := got[i].(map[any]any), events[i].(object)
		places[want["position"].(string)] = is["position"].(string)
		delete(is, "position")
		delete(want, "position")
	}
	if err == nil {
		err = same(events, got)
	}
	if err != nil {
		err = fmt.Errorf("the reply is %v, and the answer is %s: %w", reply, stream, err)
	}
	return err
}

// ownWords are those of the server where it does not use the text of the board's error.
var ownWords = regexp.MustCompile(`^ERR (no such (board|window|kind of groups) '|` +
	`value is not|value is out of range|wrong number of arguments)`)

// compareError returns how a reply differs from a problem.
func (r *request) compareError(problem object, reply any, err error) error {
	code, _ := problem["code"].(string)
	detail, _ := problem["detail"].(string)
	isNull := code == "not_ranked" && (r.op.IsRead() || r.op == ops.GetBestRank.Op) || code == "not_in_group" && r.op == ops.GetGroupOf.Op
	switch {
	case isNull && (err != nil || reply != nil):
		return fmt.Errorf("the answer is %s, and the reply is not null but %v: %w", code, reply, err)
	case isNull:
		return nil
	case err == nil:
		return fmt.Errorf("the answer is the error %s, and the reply is %v", code, reply)
	case code != "invalid_request" && !strings.Contains(err.Error(), detail) && !ownWords.MatchString(err.Error()):
		return fmt.Errorf("the answer is the error %s: %s, and the reply is another one: %w", code, detail, err)
	}
	return nil
}

// shape returns a result as far as the reply tells it.
func (r *request) shape(result any) any {
	o, ok := result.(object)
	if !ok {
		return result
	}
	switch r.op {
	case ops.Submit.Op:
		moves, _ := o["moves"].(list)
		for i, m := range moves {
			moves[i] = shapeMove(m.(object))
		}
		delete(o, "moves")
		o["windows"] = moves
	case ops.Page.Op:
		if o["done"] == true {
			return list{nil, o["rows"]}
		}
		return list{o["next"], o["rows"]}
	case ops.ListPeriods.Op:
		for _, p := range o["periods"].(list) {
			shapePeriod(p.(object))
		}
	}
	if boards, ok := o["boards"].(object); ok { // BANALL, ERASEALL
		for _, m := range boards {
			r.shapeModerated(m.(object))
		}
	}
	r.shapeModerated(o)
	return o
}

// shapeModerated makes a change of a member what replies tell of it: the places in dry runs only,
// else their number.
func (r *request) shapeModerated(m object) {
	if traces, ok := m["traces"].(list); ok {
		m["traces"] = countTraces(traces)
	}
	if places, ok := m["places"]; ok && r.isDry() {
		m["changes"] = places
	}
}

// countTraces returns how much of each kind was erased.
func countTraces(traces list) object {
	sums := map[string]int64{}
	for _, t := range traces {
		count, _ := t.(object)["count"].(json.Number).Int64()
		sums[t.(object)["kind"].(string)] += count
	}
	kinds := object{}
	for kind, n := range sums {
		kinds[kind] = json.Number(strconv.FormatInt(n, 10))
	}
	return kinds
}

// isDry reports whether the request only asks what it would change.
func (r *request) isDry() bool {
	dry := r.arguments()["dryRun"]
	return dry.IsValid() && dry.Bool()
}

// shapePeriod makes a period what replies tell of it: they have the key of its sorted set, here
// without the version of the board.
func shapePeriod(p object) {
	p["key"] = fmt.Sprintf("board/%s/%s/%s", p["board"], p["window"], p["period"])
	for _, name := range []string{"board", "window", "mode", "memory", "waiting", "disk"} {
		delete(p, name)
	}
}

// version is that of the board, behind the key of a sorted set.
var version = regexp.MustCompile(`/v[0-9]+$`)

// shapeMove returns what a submission did in a window as replies tell it.
func shapeMove(m object) object {
	before, _ := m["before"].(object)
	after, _ := m["after"].(object)
	m["was"], m["rank"], m["score"] = rankOf(before), rankOf(after), after["score"]
	for _, name := range []string{"before", "after", "hidden", "ranked"} {
		delete(m, name)
	}
	return m
}

// rankOf returns the rank of a row: a number, the text of one that is not known exactly, or nil.
func rankOf(row object) any {
	rank, _ := row["rank"].(json.Number)
	within, known := row["within"].(json.Number)
	n, _ := rank.Int64()
	switch {
	case n == 0:
		return nil
	case row["beyond"] == true && !known:
		return fmt.Sprint("beyond ", n-1)
	case row["beyond"] == true && within != "0":
		return fmt.Sprintf("%d±%s", n, within)
	}
	return rank
}

// same returns how a reply differs from JSON.
func same(want, got any) error {
	ok := false
	switch got := got.(type) {
	case nil:
		ok = isNothing(want)
	case bool:
		ok = want == any(got)
	case int64:
		ok = sameInt(want, got)
	case float64:
		n, isNumber := want.(json.Number)
		f, err := n.Float64()
		ok = isNumber && err == nil && f == got
	case string:
		ok = sameText(want, got)
	case []any:
		return sameList(want, got)
	case map[any]any:
		return sameMap(want, got)
	}
	if !ok {
		return fmt.Errorf("%v (%T) is not %v", got, got, want)
	}
	return nil
}

// isNothing reports whether JSON has no value where a reply has null.
func isNothing(v any) bool {
	return v == nil || v == any("") || v == any(json.Number("0")) || reflect.DeepEqual(v, list{})
}

// sameInt reports whether a number is that of JSON, the seconds of a time, or the length of a list
// of which only that is told.
func sameInt(want any, got int64) bool {
	switch want := want.(type) {
	case json.Number:
		return want.String() == strconv.FormatInt(got, 10)
	case string:
		t, err := time.Parse(time.RFC3339Nano, want)
		return err == nil && t.Unix() == got
	case list:
		return int64(len(want)) == got
	}
	return false
}

// hash is what stands for an erased member: each store has salt of its own.
var hash = regexp.MustCompile(`^[0-9a-f]{64}$`)

func sameText(want any, got string) bool {
	text, ok := want.(string)
	var name boardjson.Text
	if !ok || name.UnmarshalText([]byte(text)) != nil {
		return false
	}
	return string(name) == got || hash.MatchString(string(name)) && hash.MatchString(got)
}

// sameList compares a list, or an object that replies have as one.
func sameList(want any, got []any) error {
	all, isList := want.(list)
	if o, ok := want.(object); ok {
		all, isList = rowOf(o, got)
	}
	if !isList && want != nil {
		return fmt.Errorf("%v is no list like %v", want, got)
	}
	if len(all) != len(got) {
		return fmt.Errorf("%d elements in place of %d: %v is not %v", len(got), len(all), got, want)
	}
	for i := range got {
		if err := same(all[i], got[i]); err != nil {
			return err
		}
	}
	return nil
}

// alone returns the only value of an object beside the period.
func alone(o object) any {
	o = maps.Clone(o)
	delete(o, "period")
	delete(o, "more")
	for name := range o {
		delete(o, name+"Text")
	}
	for _, v := range o {
		if len(o) == 1 {
			return v
		}
	}
	return nil
}

// rowOf returns a row, or a tier of an award, as a reply has it, and whether the object is one.
func rowOf(o object, got []any) (row list, ok bool) {
	if name, ok := o["name"]; ok {
		payload, _ := o["payload"].(string)
		return list{name, payload}, true
	}
	columns, ok := o["score"].(list)
	if _, isRow := o["member"]; !ok || !isRow {
		return nil, false
	}
	if local, ok := o["local"]; ok {
		row := maps.Clone(o)
		delete(row, "local")
		return list{local, row}, true
	}
	if zone, ok := o["zone"]; ok {
		return slices.Concat(list{o["rank"], zone, o["member"]}, columns), true
	}
	row = slices.Concat(list{rankOf(o), o["member"]}, columns)
	if len(got) > len(row) {
		row = append(row, o["meta"])
	}
	return row, true
}

// zeros are the values of fields that JSON leaves out: null, nothing, the mode ordinal, no duration.
var zeros = map[string]bool{"<nil>": true, "false": true, "0": true, "": true, "[]": true, "map[]": true,
	"ordinal": true, "0s": true}

// sameMap compares the fields of an object: a reply has all of them.
func sameMap(want any, got map[any]any) error {
	o, ok := want.(object)
	if !ok {
		return fmt.Errorf("%v is no object like %v", want, got)
	}
	rest := maps.Clone(o)
	for key, value := range got {
		name := camel(key.(string))
		if name == "key" {
			value = version.ReplaceAllString(value.(string), "")
		}
		field, ok := o[name]
		if !ok && zeros[fmt.Sprint(value)] {
			continue
		}
		if err := same(field, value); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		delete(rest, name)
		delete(rest, name+"Text")
	}
	if len(rest) > 0 {
		return fmt.Errorf("the reply lacks %v", slices.Sorted(maps.Keys(rest)))
	}
	return nil
}

// camel returns new-rank as newRank.
func camel(name string) string {
	parts := strings.Split(name, "-")
	for i := 1; i < len(parts); i++ {
		if parts[i] != "" {
			parts[i] = strings.ToUpper(parts[i][:1]) + parts[i][1:]
		}
	}
	return strings.Join(parts, "")
}
