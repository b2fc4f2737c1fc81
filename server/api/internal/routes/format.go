package routes

import (
	"io"
	"net/http"
	"sync"

	"github.com/zrankdb/zrank/internal/boardjson"

	"github.com/danielgtaylor/huma/v2"

	"github.com/zrankdb/zrank/internal/jsontext"
	"github.com/zrankdb/zrank/internal/problem"
	"github.com/zrankdb/zrank/internal/wire"
)

// buffers are for answers.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// maxBuffer is the most bytes of a buffer that is kept.
const maxBuffer = 64 << 10

// jsonFormat is the JSON of package boardjson.
var jsonFormat = huma.Format{Unmarshal: unmarshal, Marshal: func(w io.Writer, v any) error {
	buffer := buffers.Get().(*[]byte)
	text, err := boardjson.AppendAny((*buffer)[:0], v)
	if err == nil {
		_, err = w.Write(append(text, '\n'))
	}
	if *buffer = text; cap(text) <= maxBuffer {
		buffers.Put(buffer)
	}
	return err
}}

// Body returns the body of a request as JSON that encoding/json reads exactly, or the problem of one with a string that is no Unicode.
func Body(text []byte) ([]byte, *problem.Problem) {
	clean, err := jsontext.Clean(text)
	if err != nil {
		return nil, problem.New(http.StatusUnprocessableEntity, wire.CodeText, "the body: "+err.Error()+"; other bytes are base64: and base64url")
	}
	return clean, nil
}

// unmarshal reads JSON strictly: an unknown field is an error, and so is text behind the value.
func unmarshal(text []byte, v any) error {
	return boardjson.ReadStrict(text, v)
}
