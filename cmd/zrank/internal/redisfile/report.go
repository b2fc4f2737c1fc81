package redisfile

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/internal/numbers"
	"github.com/zrankdb/zrank/server/resp/rdbfile"
)

// row is a line of a report.
type row struct {
	Type    string `json:"type"`
	What    string `json:"what"` // has become of the keys
	Keys    int    `json:"keys"`
	Members int    `json:"members"`
	Example string `json:"example"`
}

var rowList = show.List[row]{
	Columns: []string{"type", "what", "keys", "members", "example"},
	Right:   []int{3, 4},
	Cells: func(r row, people bool) []string {
		if !people {
			return []string{r.Type, r.What, strconv.Itoa(r.Keys), strconv.Itoa(r.Members), r.Example}
		}
		members := numbers.Count(r.Members)
		if r.Members == 0 {
			members = ""
		}
		keys := numbers.Count(r.Keys)
		if r.Keys == 0 {
			keys = ""
		}
		return []string{r.Type, show.Printable(r.What), keys, members, show.Printable(clip(r.Example))}
	},
	Empty: "no keys",
}

// clip shortens a key for a table.
func clip(key string) string {
	const most = 72
	if len(key) > most {
		return key[:most] + "…"
	}
	return key
}

// rowsOf returns rows of a table of tallies, by the number of keys.
func rowsOf(table map[string]*rdbfile.Tally, row func(what string, t rdbfile.Tally) row) (list []row) {
	for _, what := range slices.SortedFunc(maps.Keys(table), func(a, b string) int {
		return cmp.Or(cmp.Compare(table[b].Keys, table[a].Keys), cmp.Compare(a, b))
	}) {
		list = append(list, row(what, *table[what]))
	}
	return list
}

func rowOf(kind, what string, t rdbfile.Tally) row {
	return row{kind, what, t.Keys, t.Members, t.Example}
}

// importRows are the lines of what an import has done.
func importRows(r *rdbfile.ImportReport, dry bool) []row {
	stored, existing := "imported", "stay: they have a value"
	if dry {
		stored, existing = "would be imported", "would stay: they have a value"
	}
	list := rowsOf(r.Stored, func(kind string, t rdbfile.Tally) row { return rowOf(kind, stored, t) })
	list = append(list, rowsOf(r.Others, func(kind string, t rdbfile.Tally) row { return rowOf(kind, "left out: not kept here", t) })...)
	list = append(list, rowsOf(r.Refused, func(why string, t rdbfile.Tally) row { return rowOf("any", "refused: "+why, t) })...)
	for _, more := range []row{{Type: "function", What: "left out: libraries are not kept here", Keys: r.Unkeyed.Functions},
		{Type: "module", What: "left out: data of modules without a key", Keys: r.Unkeyed.ModuleAux}, rowOf("any", existing, r.Existing), rowOf("any", "left out: expired", r.Expired), {Type: "any", What: "left out: by --match and --db", Keys: r.Unasked}} {
		if more.Keys > 0 {
			list = append(list, more)
		}
	}
	return list
}

// importLine says in one line what was read.
func importLine(name string, r *rdbfile.ImportReport) string {
	text := fmt.Sprintf("%s: RDB version %d", name, r.Version)
	if ver := r.Aux["redis-ver"]; ver != "" {
		text += " of Redis " + ver
	}
	text += ", " + numbers.Plural(int(r.Keys), "key")
	if len(r.Databases) > 0 {
		var list []string
		for _, db := range slices.Sorted(maps.Keys(r.Databases)) {
			list = append(list, fmt.Sprintf("%d: %s", db, numbers.Count(r.Databases[db])))
		}
		text += "; databases " + strings.Join(list, ", ")
	}
	if r.Resumed > 0 {
		text += fmt.Sprintf("; went on behind key %s", numbers.Count(r.Resumed))
	}
	return show.Printable(text)
}

// writeImport writes what an import has done.
func writeImport(w io.Writer, f show.Format, line string, rows []row) error {
	if f == show.Table {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return rowList.Write(w, f, rows)
}

// exportRows are the lines of what an export has written.
func exportRows(r *rdbfile.ExportReport) []row {
	list := rowsOf(r.Written, func(kind string, t rdbfile.Tally) row { return rowOf(kind, "exported", t) })
	if r.Boards.Keys > 0 {
		list = append(list, rowOf("any", "left out: sets of boards, or with int64 scores", r.Boards))
	}
	return list
}
