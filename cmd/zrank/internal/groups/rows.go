package groups

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/board"
)

// row is a row of a file: a member that joins a group.
type row struct {
	board.Joining
	line int
}

// readFile reads the rows of a file; "-" is standard input. Errors name the file and the line.
func readFile(path string, in io.Reader) ([]row, error) {
	if path == "-" {
		return readRows("standard input", in)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readRows(path, f)
}

// readRows reads rows of CSV, whose first row names the columns member and group, in any order. Other columns are ignored.
func readRows(file string, r io.Reader) (rows []row, err error) {
	in := csv.NewReader(r)
	header, err := in.Read()
	if len(header) > 0 {
		header[0] = strings.TrimPrefix(header[0], "\ufeff") // as spreadsheets write it
	}
	if errors.Is(err, io.EOF) {
		err = errors.New("is empty: the first row must name the columns member and group")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	member, group := slices.Index(header, "member"), slices.Index(header, "group")
	if member < 0 || group < 0 {
		return nil, fmt.Errorf("%s: the first row is %q, and must name the columns member and group", file, header)
	}
	for {
		fields, err := in.Read()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		line, _ := in.FieldPos(0)
		rows = append(rows, row{board.Joining{Member: fields[member], Group: fields[group]}, line})
	}
}
