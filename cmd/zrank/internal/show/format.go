package show

import "fmt"

// Format is a way to write a ranking.
type Format uint8

const (
	// Table is for people.
	Table Format = iota
	// CSV has one header line and one line a row.
	CSV
	// JSON has one object a line.
	JSON
)

var formatNames = [...]string{Table: "table", CSV: "csv", JSON: "json"}

// String returns the name that ParseFormat reads.
func (f Format) String() string {
	if int(f) >= len(formatNames) {
		return fmt.Sprintf("Format(%d)", uint8(f))
	}
	return formatNames[f]
}

// ParseFormat reads the name of a format. The error lists the choices.
func ParseFormat(text string) (Format, error) {
	for f, name := range formatNames {
		if text == name {
			return Format(f), nil
		}
	}
	return Table, fmt.Errorf("unknown format %q: choose table, csv or json", text)
}
