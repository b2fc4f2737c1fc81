package layout

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/internal/auditlog"
)

// LastField is the field of the audit log of the first partition that has the last number.
const LastField = "last"

// EntryField returns the field of an entry of the audit log.
func EntryField(number uint64) string { return strconv.FormatUint(number, 10) }

// PlacesField returns the field of the places of an entry of the audit log.
func PlacesField(number uint64) string { return EntryField(number) + "/places" }

// EncodeEntry returns the stored forms of an entry of the audit log and of its places; the latter is "" without places. Error: of a time that JSON has not.
func EncodeEntry(e audit.Entry, places []board.Place) (entry, list string, err error) {
	e.Number, e.Places, e.Parts = 0, len(places), 0 // the field has the number
	text, err := auditlog.Encode(&e)
	if err != nil || len(places) == 0 {
		return string(text), "", err
	}
	all, err := json.Marshal(places)
	return string(text), string(all), err
}

// DecodeEntry reads an entry of the audit log with a key. Error: ErrCorrupt.
func DecodeEntry(key string, number uint64, text string) (e audit.Entry, err error) {
	if e, err = auditlog.Decode(key, []byte(text)); err != nil {
		return e, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	e.Number = number
	return e, nil
}

// DecodePlaces reads the places of an entry of the audit log with a key; "": none. Error: ErrCorrupt.
func DecodePlaces(key, text string) (list []board.Place, err error) {
	if text == "" {
		return nil, nil
	}
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return nil, fmt.Errorf("%w: stored as %q: places of the audit log: %w", ErrCorrupt, key, err)
	}
	return list, nil
}
