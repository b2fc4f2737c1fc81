package rules

import "fmt"

// Mode says which rank members of equal score have. The numbers are the ranks of scores 50, 40, 40 and 30. Equal are scores
// whose columns are all equal. Its text is its name.
type Mode int

const (
	// Ordinal gives every member a rank of its own: 1 2 3 4. The tie rule decides. It is the mode of a new ranking.
	Ordinal Mode = iota
	// Competition gives equals the best rank among them, and leaves a gap after them: 1 2 2 4.
	Competition
	// Modified gives equals the worst rank among them, and leaves a gap before them: 1 3 3 4.
	Modified
	// Dense gives equals one rank and leaves no gap: 1 2 2 3.
	Dense
)

// modes has the name of each mode.
var modes = [...]string{Ordinal: "ordinal", Competition: "competition", Modified: "modified", Dense: "dense"}

// String returns the mode's name.
func (m Mode) String() string {
	if m.Validate() != nil {
		return fmt.Sprintf("Mode(%d)", int(m))
	}
	return modes[m]
}

// ParseMode returns the mode of a name. Error: ErrMode.
func ParseMode(name string) (Mode, error) {
	for mode := range modes {
		if modes[mode] == name {
			return Mode(mode), nil
		}
	}
	return 0, fmt.Errorf("%w: %q, want one of %v", ErrMode, name, modes)
}

// Validate returns an error that wraps ErrMode for a mode that does not exist.
func (m Mode) Validate() error {
	if m < 0 || int(m) >= len(modes) {
		return fmt.Errorf("%w: %d", ErrMode, int(m))
	}
	return nil
}

// MarshalText returns the mode's name. Error: ErrMode.
func (m Mode) MarshalText() ([]byte, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	return []byte(modes[m]), nil
}

// UnmarshalText is ParseMode.
func (m *Mode) UnmarshalText(text []byte) (err error) {
	*m, err = ParseMode(string(text))
	return err
}
