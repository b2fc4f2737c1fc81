package wire

import "github.com/zrankdb/zrank/server/resp/internal/budget"

// Bounds are the limits of a Writer.
type Bounds struct {
	Account *budget.Account       // counts all blocks but the last
	Reply   int                   // bytes that a reply may have
	Grow    func(bytes int) error // allows a reply of so many bytes another block, or returns an error; nil: always
}

// A Writer builds replies. Its methods append to Buf and allocate only when that must grow. The zero Writer speaks RESP2.
//
// A Writer with Bounds writes into blocks: see blocks.go.
type Writer struct {
	Buf      []byte    // the bytes written, or with Bounds their end: see blocks.go
	Protocol int       // 3 for RESP3; anything else is RESP2
	Scores   ScoreText // the text of Double
	Bounds   *Bounds   // nil: Buf grows without bounds
	blocks
}

// blocks are the memory of a Writer with Bounds.
type blocks struct {
	full   []*budget.Block
	before int           // bytes in full
	block  *budget.Block // of Buf, nil if nothing has been written
	limit  int           // bytes that Buf may have
	start  int           // where the current reply begins
	err    error         // why the current reply is cut off
}
