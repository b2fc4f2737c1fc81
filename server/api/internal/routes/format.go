package routes

import (
	"io"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"github.com/zrankdb/zrank/server/api/internal/wire"
)

// buffers are for answers that append themselves.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// maxBuffer is the most bytes of a buffer that is kept.
const maxBuffer = 64 << 10

// jsonFormat is JSON as huma writes it, but that answers which append themselves do so: reflection takes longer than reading the rows.
var jsonFormat = huma.Format{Unmarshal: huma.DefaultJSONFormat.Unmarshal, Marshal: func(w io.Writer, v any) error {
	a, ok := v.(wire.Appender)
	if !ok {
		return huma.DefaultJSONFormat.Marshal(w, v)
	}
	buffer := buffers.Get().(*[]byte)
	text, err := a.AppendJSON((*buffer)[:0])
	if err == nil {
		_, err = w.Write(append(text, '\n'))
	}
	if *buffer = text; cap(text) <= maxBuffer {
		buffers.Put(buffer)
	}
	return err
}}
