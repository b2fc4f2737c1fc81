package boardkey

import (
	"strconv"
	"strings"
)

// Key is the key of a set of a board, taken apart.
type Key struct {
	Board   string // its name
	Kind    string // the name of a window, or .once, .best.WINDOW or .base.WINDOW
	Period  string // the period's name, or the baseline's; "all" where there is none
	Version int    // of the board, see Migrate
}

// Prefix begins the keys of all sets of boards.
const Prefix = "board/"

// kinds that are not windows, whose names cannot begin with a dot
const (
	OnceKind     = ".once"
	BestKind     = ".best."
	BaselineKind = ".base."
	NoPeriod     = "all"
)

// String returns the key: board/<name>/<kind>/<period>/v<version>.
func (k Key) String() string {
	return Prefix + k.Board + "/" + k.Kind + "/" + k.Period + "/v" + strconv.Itoa(k.Version)
}

// Parse is the inverse of Key.String, and false for another key. O(length).
func Parse(key string) (k Key, ok bool) {
	rest, ok := strings.CutPrefix(key, Prefix)
	if !ok {
		return Key{}, false
	}
	rest, version, ok := cutLast(rest)
	if !ok || !strings.HasPrefix(version, "v") {
		return Key{}, false
	}
	n, err := strconv.Atoi(version[1:])
	if err != nil || n < 1 || strconv.Itoa(n) != version[1:] {
		return Key{}, false
	}
	k.Version = n
	if rest, k.Period, ok = cutLast(rest); !ok {
		return Key{}, false
	}
	k.Board, k.Kind, ok = cutLast(rest)
	return k, ok && k.Board != "" && k.Kind != "" && k.Period != ""
}

// cutLast cuts a text at its last slash.
func cutLast(s string) (before, after string, ok bool) {
	i := strings.LastIndexByte(s, '/')
	if i < 0 {
		return "", "", false
	}
	return s[:i], s[i+1:], true
}

// Private keys. Zero bytes divide them, which names cannot contain; the member comes last, which can.

func Spec(name string) string { return "board.spec\x00" + name }

// Window has how far a window is closed.
func Window(name, window string) string { return WindowPrefix(name) + window }

// WindowPrefix begins those of a board, or of all without a name.
func WindowPrefix(name ...string) string { return "board.window\x00" + Join(name) }

// Record has the record of a closed period.
func Record(name, window, period string) string { return RecordPrefix(name, window) + period }

// RecordPrefix begins those of a board, or of a window, or all.
func RecordPrefix(nameWindow ...string) string { return "board.period\x00" + Join(nameWindow) }

// Meta has the metadata of an entry.
func Meta(name, window, period, member string) string {
	return MetaPrefix(name, window, period) + member
}

// MetaPrefix begins those of a board, of a window, or of a period.
func MetaPrefix(nameWindowPeriod ...string) string {
	return "board.meta\x00" + Join(nameWindowPeriod)
}

// goneKey marks what a commit has taken away, and has the key of a period's set: see sweep.
func Deletion(name, window, period string) string {
	return DeletionPrefix(name) + window + "\x00" + period
}

// gonePrefix begins those of a board, or all.
func DeletionPrefix(name ...string) string { return "board.gone\x00" + Join(name) }

// Join writes parts of a key with a zero byte after each.
func Join(parts []string) string {
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, "\x00") + "\x00"
}
