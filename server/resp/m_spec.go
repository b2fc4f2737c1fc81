package resp

import "strconv"

// doc is what COMMAND DOCS says of a command.
type doc struct {
	summary    string
	since      string
	group      string // sorted-set, generic, connection, server, transactions, set, string
	complexity string
}

// flags say what a command is like.
type flags uint16

const (
	write    flags = 1 << iota // changes keys
	readonly                   // reads keys
	denyoom                    // may make sets bigger
	fast
	admin
	noMulti // refused between MULTI and EXEC
	noAuth  // allowed before AUTH
	blocking
	movable // keys are where keys.num says
	direct  // is done at once between MULTI and EXEC too
	whole   // is about all keys there are: a transaction must name them all (see Server.everything), and have them in txn.all
)

// keys says where the keys of a command stand among its words, as COMMAND INFO has it: from first to last, every step; last -1 is
// the last word, -2 the one before. The zero value is a command without keys. If num is not 0, the word there says how many keys
// follow it.
type keys struct{ first, last, step, num int }

// each calls f with the keys of a request. Of a request whose number of keys is none, it calls f with those before that.
func (k keys) each(a [][]byte, f func(key []byte)) {
	if k.first > 0 {
		last := k.last
		if last < 0 {
			last += len(a)
		}
		for i := k.first; i <= last && i < len(a); i += k.step {
			f(a[i])
		}
	}
	if k.num > 0 && k.num < len(a) {
		n, err := strconv.Atoi(string(a[k.num]))
		if err != nil || n < 1 || n > len(a)-k.num-1 {
			return
		}
		for _, key := range a[k.num+1 : k.num+1+n] {
			f(key)
		}
	}
}

// span returns where keys stand that are at fixed places, as COMMAND INFO has it: the first, the last, and the step.
func (k keys) span() (first, last, step int) { return k.first, k.last, k.step }

var (
	oneKey   = keys{1, 1, 1, 0}
	twoKeys  = keys{1, 2, 1, 0}
	allKeys  = keys{1, -1, 1, 0}
	numKeys  = keys{num: 1}
	storeNum = keys{1, 1, 1, 2} // a destination, then numkeys
)

// subKey is the key of a command whose name has two words.
var subKey = keys{2, 2, 1, 0}
