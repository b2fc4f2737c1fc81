package command

import "strconv"

// Doc is the description of a command in COMMAND DOCS.
type Doc struct {
	Summary    string
	Since      string
	Group      string // sorted-set, generic, connection, server, transactions, set, string
	Complexity string
	Arguments  []Argument // nil: they follow from the rest of the row
}

// Argument is a word of a command, or several, in COMMAND DOCS.
type Argument struct {
	Name      string
	Type      string // string, integer, double, unix-time; pure-token: the token alone; oneof, block: of Arguments
	Token     string // the word before the value, "" for none
	Optional  bool
	Multiple  bool // there may be several, each with its token
	Arguments []Argument
}

// NewDoc returns a description. since is the version of Redis that had the command first, "" for a command that Redis lacks.
func NewDoc(summary, since, group, complexity string) Doc {
	return Doc{Summary: summary, Since: since, Group: group, Complexity: complexity}
}

// Flags say what a command does and where it may run.
type Flags uint16

// The flags of a command.
const (
	Write     Flags = 1 << iota // changes keys
	ReadOnly                    // reads keys
	DenyOOM                     // may make values bigger
	Fast                        // takes a time that does not grow with values, or with their logarithm only
	Admin                       // administrates the server
	Moderate                    // changes what boards keep of a member, or reads the audit log
	NoMulti                     // is refused between MULTI and EXEC
	NoAuth                      // is allowed before AUTH
	Blocking                    // may wait
	Movable                     // its keys are where Keys.Num says
	Direct                      // runs at once between MULTI and EXEC too
	Whole                       // is about all keys: a transaction that runs it must lock all of them, and have their names
	Dangerous                   // is in the category of Redis of this name
	Remote                      // connects to another server
)

// Keys says where the keys of a command stand among its words, as COMMAND INFO does: from First to Last, every Step; Last -1 is the last
// word, -2 the one before. The zero value is a command without keys. If Num is not 0, the word there is the number of keys that follow it.
type Keys struct{ First, Last, Step, Num int }

// Each calls f with the keys of a request. If the number of keys is not valid, it calls f with the keys before that number only.
func (k Keys) Each(a [][]byte, f func(key []byte)) {
	if k.First > 0 {
		last := k.Last
		if last < 0 {
			last += len(a)
		}
		for i := k.First; i <= last && i < len(a); i += k.Step {
			f(a[i])
		}
	}
	if k.Num > 0 && k.Num < len(a) {
		n, err := strconv.Atoi(string(a[k.Num]))
		if err != nil || n < 1 || n > len(a)-k.Num-1 {
			return
		}
		for _, key := range a[k.Num+1 : k.Num+1+n] {
			f(key)
		}
	}
}

// The places of keys that several commands share.
var (
	OneKey   = Keys{1, 1, 1, 0}
	TwoKeys  = Keys{1, 2, 1, 0}
	AllKeys  = Keys{1, -1, 1, 0}
	SubKey   = Keys{2, 2, 1, 0} // of a command whose name has two words
	NumKeys  = Keys{Num: 1}
	StoreNum = Keys{1, 1, 1, 2} // a destination, then the number of keys
)
