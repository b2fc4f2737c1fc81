package fuzz

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ServeProcess is the process that Processes talks to: an engine in a directory. It answers questions until in ends, and closes
// the engine then. Errors: arguments that Processes does not make, and those of the engine.
func ServeProcess(in io.Reader, out io.Writer, args ...string) error {
	if len(args) != 3 {
		return fmt.Errorf("fuzz: a process has 3 arguments, not %d", len(args))
	}
	name, dir, passed := args[0], args[1], args[2]
	for _, k := range processKinds {
		if k.name != name {
			continue
		}
		m := engineOn(k.options, &disk{dir: dir}, k.group)
		if err := m.clock.set(passed); err != nil {
			return err
		}
		if err := m.open(); err != nil {
			return err
		}
		return errors.Join(serveProcess(in, gob.NewEncoder(out), m), m.close())
	}
	return fmt.Errorf("fuzz: no process is called %q", name)
}

func serveProcess(in io.Reader, out *gob.Encoder, m *engineMachine) error {
	if err := out.Encode(said{Safe: true}); err != nil {
		return err
	}
	for questions := gob.NewDecoder(in); ; {
		var q question
		if err := questions.Decode(&q); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		a, err := q.answer(m)
		if err != nil {
			a.Error = err.Error()
		}
		a.Safe, a.Evicted = m.promised(), m.evicted()
		if err := out.Encode(a); err != nil {
			return err
		}
	}
}

// answer runs the block that is asked for.
func (q question) answer(m *engineMachine) (a said, err error) {
	b := block{end: q.End}
	if b.ops, err = Parse(strings.Join(q.Ops, "\n")); err != nil {
		return a, err
	}
	switch op := b.first(); {
	case op == "keys":
		a.Replies, err = m.keys()
	case op != "" && b.ops[0].is(between):
		err = m.between(b.ops[0])
	default:
		a.Replies, err = m.run(b)
	}
	return a, err
}
