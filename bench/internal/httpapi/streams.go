package httpapi

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"runtime"
	"strings"
	"time"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/figure"
)

// streamSpot opens streams, waits until each has begun, and reads what memory they take.
func streamSpot(ctx context.Context, s *system, n int, line, path string) bench.Spot {
	each := 0.0
	return bench.Spot{Line: line, Run: func(int) error {
		before := inUse()
		conns, err := openStreams(ctx, s.addr, path, n)
		if err == nil {
			each = (inUse() - before) / float64(n)
		}
		for _, c := range conns {
			err = errors.Join(err, c.Close())
		}
		return err
	}, Figures: func() figure.Figures { return figure.Figures{figure.Live: each} }}
}

// openStreams opens streams and reads the head of each response.
func openStreams(ctx context.Context, addr, path string, n int) (conns []net.Conn, err error) {
	r := bufio.NewReader(nil)
	for range n {
		if ctx.Err() != nil {
			return conns, ctx.Err()
		}
		c, err := net.Dial("tcp", addr)
		if err != nil {
			return conns, err
		}
		conns = append(conns, c)
		if _, err := c.Write(get(path, "")); err != nil {
			return conns, err
		}
		r.Reset(c)
		status, err := r.ReadString('\n')
		if err != nil {
			return conns, err
		}
		if !strings.Contains(status, " 200 ") {
			return conns, fmt.Errorf("stream: %s", strings.TrimSpace(status))
		}
	}
	return conns, nil
}

// inUse returns the bytes of memory that the process has in use: heap and stacks, after collections that let pools go and stacks shrink.
func inUse() float64 {
	for range 4 {
		runtime.GC()
		<-time.After(50 * time.Millisecond) // what handlers still do
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapInuse + m.StackInuse)
}
