package report

// Section is what a page shows of a document.
type Section struct{}

// Section returns it.
func (r *Report) Section() (Section, error) { return Section{}, nil }

// Section returns it.
func (s *Sheet) Section() (Section, error) { return Section{}, nil }
