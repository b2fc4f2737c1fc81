package wire

import (
	"net/http"
	"slices"

	"github.com/zrankdb/zrank/internal/boardjson"
	"github.com/zrankdb/zrank/internal/codes"
)

// CodeText is the code of boardjson.ErrText.
const CodeText = "text"

// known is the errors of the library that have a code, and those of this package.
var known = append(slices.Clone(codes.Known), []codes.Row{
	{Code: "score", Status: http.StatusUnprocessableEntity, Err: boardjson.ErrScore},
	{Code: CodeText, Status: http.StatusUnprocessableEntity, Err: boardjson.ErrText},
}...)

// Code returns the code and the status of an error, and false for one that has none.
func Code(err error) (code string, status int, ok bool) {
	row, ok := codes.In(known, err)
	return row.Code, row.Status, ok
}

// ErrorOf returns the error with a code, nil if there is none.
func ErrorOf(code string) error {
	for _, k := range known {
		if k.Code == code {
			return k.Err
		}
	}
	return nil
}

// Codes yields the codes with their statuses and what they mean, in the order of the table; a code that stands there twice comes once.
func Codes() []CodeRow {
	var rows []CodeRow
	seen := map[string]bool{}
	for _, k := range known {
		if !seen[k.Code] {
			seen[k.Code] = true
			rows = append(rows, CodeRow{k.Code, k.Status, k.Err.Error()})
		}
	}
	return rows
}

// CodeRow describes a code.
type CodeRow struct {
	Code   string
	Status int
	Text   string
}
