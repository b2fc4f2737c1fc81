package events

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"io"
	"os"
	"sync/atomic"
)

// sourceBuffer is the size of each buffer between the disk and the rows.
const sourceBuffer = 64 << 10

var (
	gzipMagic = []byte{0x1f, 0x8b}
	utf8BOM   = []byte{0xef, 0xbb, 0xbf}
)

// counter counts the raw bytes that are read. Other goroutines may read the count.
type counter struct {
	src io.Reader
	n   atomic.Int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.src.Read(p)
	c.n.Add(int64(n))
	return n, err
}

// unpack returns the text inside raw: unzipped if raw begins with gzip's magic bytes, and without a byte order mark. zipped is valid also
// with an error.
func unpack(raw io.Reader) (text io.Reader, zipped bool, err error) {
	plain := bufio.NewReaderSize(raw, sourceBuffer)
	// A short Peek means a short input, or an error that the next Read returns again.
	if start, _ := plain.Peek(len(gzipMagic)); bytes.Equal(start, gzipMagic) {
		unzip, err := gzip.NewReader(plain)
		if err != nil {
			return nil, true, err
		}
		plain, zipped = bufio.NewReaderSize(unzip, sourceBuffer), true
	}
	if start, _ := plain.Peek(len(utf8BOM)); bytes.Equal(start, utf8BOM) {
		plain.Discard(len(utf8BOM))
	}
	return plain, zipped, nil
}

// identify reads all of f and seeks back to its start.
func identify(f *os.File) (FileID, error) {
	id, err := digest(f)
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	return id, err
}

// digest reads r to its end. Memory: 1 MiB.
func digest(r io.Reader) (FileID, error) {
	sum := sha256.New()
	size, err := io.CopyBuffer(sum, struct{ io.Reader }{r}, make([]byte, 1<<20))
	return FileID{Size: size, Digest: [sha256.Size]byte(sum.Sum(nil))}, err
}
