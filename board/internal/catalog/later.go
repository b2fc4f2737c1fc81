package catalog

// mostLater is the number of functions that Later keeps at most.
const mostLater = 1000

// Later keeps a function for MakeDue. It keeps none beyond the first thousand: what a function would do must be found due again, by the next call that
// meets it.
func (b *Board) Later(step func()) {
	b.dueMu.Lock()
	defer b.dueMu.Unlock()
	if len(b.due) < mostLater {
		b.due = append(b.due, step)
	}
}

// MakeDue calls the functions that Later has kept, once. The caller is in no transaction, and holds no lock of the board.
func (b *Board) MakeDue() {
	b.dueMu.Lock()
	steps := b.due
	b.due = nil
	b.dueMu.Unlock()
	for _, step := range steps {
		step()
	}
	b.MakeFollowersDue()
}

// MakeFollowersDue is MakeDue of the boards that follow the board: transactions of the board change them.
func (b *Board) MakeFollowersDue() {
	for _, d := range b.Followers() {
		d.MakeDue()
	}
}
