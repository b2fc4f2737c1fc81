package remote

// Error is the answer of a server that has refused a request. errors.Is and errors.As find the errors of package board that the server has found:
// board.ErrNoBoard, *board.PeriodClosedError and the others.
type Error struct {
	Status    int    // of HTTP
	Code      string // what kind of error it is; "" if the answer was not from package api
	Detail    string // for people
	RequestID string // under which the server has logged it; may be ""
	wrapped   []error
}

// Error returns the detail.
func (e *Error) Error() string { return e.Detail }

// Unwrap returns the errors of package board.
func (e *Error) Unwrap() []error { return e.wrapped }
