package processes

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/zrankdb/zrank/fuzz/internal/engines"
	"github.com/zrankdb/zrank/fuzz/internal/script"
)

// Serve is the main function of a child process: it opens an engine in a directory, answers questions until in ends, and closes the
// engine. Errors: arguments that Configs does not pass, and those of the engine.
func Serve(in io.Reader, out io.Writer, args ...string) error {
	if len(args) != 3 {
		return fmt.Errorf("fuzz: a process has 3 arguments, not %d", len(args))
	}
	name, dir, passed := args[0], args[1], args[2]
	for _, k := range processKinds {
		if k.name != name {
			continue
		}
		m := engines.NewIn(dir, k.options, k.group)
		if err := m.Clock.Set(passed); err != nil {
			return err
		}
		if err := m.Open(); err != nil {
			return err
		}
		return errors.Join(serveProcess(in, gob.NewEncoder(out), m), m.Close())
	}
	return fmt.Errorf("fuzz: no process is called %q", name)
}

// serveProcess answers questions until in ends. Its first answer says that the engine is open.
func serveProcess(in io.Reader, out *gob.Encoder, m *engines.Machine) error {
	if err := out.Encode(answer{Safe: true, Found: m.Found(), Seq: m.Seq()}); err != nil {
		return err
	}
	for questions := gob.NewDecoder(in); ; {
		var q question
		if err := questions.Decode(&q); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		a, err := q.run(m)
		if err != nil {
			a.Error = err.Error()
		}
		a.Safe, a.Evicted, a.Found, a.Seq = m.Promised(), m.Evicted(), m.Found(), m.Seq()
		if err := out.Encode(a); err != nil {
			return err
		}
	}
}

// run runs the block of a question.
func (q question) run(m *engines.Machine) (a answer, err error) {
	b := script.Block{End: q.End}
	if b.Ops, err = script.Parse(strings.Join(q.Ops, "\n")); err != nil {
		return a, err
	}
	switch op := b.Kind(); {
	case op == "keys":
		a.Replies, err = m.Keys()
	case op != "" && b.Ops[0].Is(script.Between):
		err = m.Between(b.Ops[0])
	default:
		a.Replies, err = m.Run(b)
	}
	return a, err
}
