package layout

import (
	"fmt"
	"strings"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/state"
)

// Board is a board in the catalog.
type Board struct {
	ID         string
	Partitions int
	Spec       board.Spec
}

// Encode returns the stored form. Error: that of a spec that JSON has not.
func (b *Board) Encode() (string, error) {
	text, err := state.EncodeSpec(b.Spec, 1)
	return fmt.Sprintf("%s %d %s", b.ID, b.Partitions, text), err
}

// DecodeBoard reads the stored form. Errors: ErrCorrupt, that of a spec that cannot be read.
func DecodeBoard(name, stored string) (b Board, err error) {
	id, rest, _ := strings.Cut(stored, " ")
	number, text, _ := strings.Cut(rest, " ")
	b.ID = id
	if _, err := fmt.Sscan(number, &b.Partitions); err != nil || b.Partitions < 1 || b.Partitions > MaxPartitions {
		return b, fmt.Errorf("%w: board %q has %q partitions", ErrCorrupt, name, number)
	}
	b.Spec, _, err = state.DecodeSpec([]byte(text))
	return b, err
}

// CatalogKey returns the key of the catalog, a hash. A field with the name of a board has what is stored of it; IsBoard tells it from other fields.
func CatalogKey(prefix string) string { return prefix + "boards" }

// IsBoard reports whether a field of the catalog is one of a board that everybody sees.
func IsBoard(field string) bool { return !strings.HasPrefix(field, "\x00") }

// ComingField returns the field of the catalog that has what is stored of a board that comes.
func ComingField(name string) string { return "\x00coming\x00" + name }

// LeftField returns the field of the catalog that says where a board has left for: the id of the board, a space, and the address.
func LeftField(name string) string { return "\x00left\x00" + name }

// LeftFor returns where a board has left for by the value of LeftField; "" if it has not, or the value is that of an earlier board of the name.
func LeftFor(id, value string) (address string) {
	of, address, _ := strings.Cut(value, " ")
	if of != id {
		return ""
	}
	return address
}
