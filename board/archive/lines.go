package archive

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/zrankdb/zrank/board/internal/relocation"
	"github.com/zrankdb/zrank/internal/jsontext"
)

// format is the number of the form of the lines.
const format = 1

// errLong is why a line cannot be read.
var errLong = fmt.Errorf("the line is longer than %d bytes", MaxLine)

// readLine returns a line without its end. Error: io.EOF at the end of the file, also behind a line that has no end.
func readLine(r *bufio.Reader) ([]byte, error) {
	var whole []byte
	for {
		part, err := r.ReadSlice('\n')
		if err == nil && whole == nil {
			return part[:len(part)-1], nil
		}
		if len(whole)+len(part) > MaxLine {
			return nil, errLong
		}
		if whole = append(whole, part...); err == nil {
			return whole[:len(whole)-1], nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return whole, err
		}
	}
}

// decode reads a line. Error: one that is no object with one kind, or that has fields that this version does not know.
func decode(text []byte) (l relocation.Line, err error) {
	if err := jsontext.Check(text); err != nil {
		return l, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&l); err != nil {
		return l, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return l, errors.New("there is more than one object in the line")
	}
	if n := l.Kinds(); n != 1 {
		return l, fmt.Errorf("the line says %d things that it is", n)
	}
	return l, nil
}
