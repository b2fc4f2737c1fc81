package campaigns

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/fuzz/internal/machine"
	"github.com/zrankdb/zrank/fuzz/internal/script"
)

// Saved is a script in a file: a hard case, or a script that has found a bug.
//
//	# What it is about.
//	# config engine/memory
//	add a m 1
//
// It runs under the configurations that its config lines name, or under all.
type Saved struct {
	About   string
	Configs []string // names; none: all
	Script  []script.Op
}

// ParseSaved reads the text of a saved script. Errors: those of Parse, and of a text whose first line does not begin with "# ".
func ParseSaved(text string) (Saved, error) {
	about, _, _ := strings.Cut(text, "\n")
	about, ok := strings.CutPrefix(about, "# ")
	if !ok {
		return Saved{}, errors.New("fuzz: the first line must say what the script is about, behind #")
	}
	s := Saved{About: about}
	for line := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(line, "# config "); ok {
			s.Configs = append(s.Configs, strings.TrimSpace(name))
		}
	}
	var err error
	s.Script, err = script.Parse(text)
	return s, err
}

// Choose returns the configurations that the script runs under. Errors: a name that no configuration has.
func (s Saved) Choose(all []machine.Config) (chosen []machine.Config, err error) {
	if len(s.Configs) == 0 {
		return all, nil
	}
	for _, name := range s.Configs {
		i := slices.IndexFunc(all, func(c machine.Config) bool { return c.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("fuzz: no configuration is called %q", name)
		}
		chosen = append(chosen, all[i])
	}
	return chosen, nil
}

// String returns the text that ParseSaved reads.
func (s Saved) String() string {
	text := "# " + s.About + "\n"
	for _, name := range s.Configs {
		text += "# config " + name + "\n"
	}
	return text + script.Print(s.Script)
}
