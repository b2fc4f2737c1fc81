package redistest

import (
	"errors"
	"net"
	"os"
	"strconv"
	"sync/atomic"
)

// firstPort is the first port that servers get. The port of their bus is 10000 more, and must not be one that the system gives to clients, from 32768 on.
const firstPort, ports = 20000, 2500

// next is tried next.
var next atomic.Int64

func init() { next.Store(int64(os.Getpid()%200) * 10) }

// freePort returns a port that is free, and whose bus port is.
func freePort() (int, error) {
	for range ports {
		port := firstPort + int(next.Add(1)%ports)
		if isFree(port) && isFree(port+10000) {
			return port, nil
		}
	}
	return 0, errors.New("redistest: no port is free")
}

func isFree(port int) bool {
	l, err := net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(port))
	if err == nil {
		_ = l.Close()
	}
	return err == nil
}
