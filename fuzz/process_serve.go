package fuzz

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ServeProcess is the process that Processes talks to: an engine in a directory. It answers questions until in ends, and closes
// the engine then. Errors: a name that Processes has not, and those of the engine.
func ServeProcess(in io.Reader, out io.Writer, name, dir string) error {
	for _, k := range processKinds {
		if k.name != name {
			continue
		}
		m, err := newEngine(k.options, &disk{dir: dir}, k.group)
		if err != nil {
			return err
		}
		return errors.Join(serveProcess(in, gob.NewEncoder(out), m.(*engineMachine)), m.close())
	}
	return fmt.Errorf("fuzz: no process is called %q", name)
}

func serveProcess(in io.Reader, out *gob.Encoder, m *engineMachine) error {
	if err := out.Encode(told{Safe: true}); err != nil {
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
func (q question) answer(m *engineMachine) (a told, err error) {
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
