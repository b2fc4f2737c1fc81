package window

// run is a period in Unix time: [from, to).
type run struct {
	name     string
	from, to int64
}

// cut is how a kind cuts time.
type cut interface {
	at(unix int64) (run, bool)     // the run that a moment lies in
	after(unix int64) (run, bool)  // the first run that ends after a moment
	before(unix int64) (run, bool) // the last run that begins before a moment
	parse(name string) (run, bool) // the run with a name
	like() string                  // an example of a name, or all names
}
