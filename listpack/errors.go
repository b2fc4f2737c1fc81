package listpack

import "errors"

// ErrCorrupt is returned, wrapped with the offset and what was found there, when [Decode] is given bytes that are not a
// list.
var ErrCorrupt = errors.New("listpack: corrupt bytes")
