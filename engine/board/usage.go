package board

// Usage describes a period, and the memory and disk space that it takes.
type Usage struct {
	Info
	Members int
	Memory  int64 // bytes, in the engine's keyspace too; near 0 if the period is not in memory
	Disk    int64 // about what it takes on the disk in bytes, as of the last snapshot
}

// periodsOf returns the periods of a window that have members: see Board.Periods.
func periodsOf(b *core, window string) ([]Usage, error) {
	st, t, err := b.timeline(window)
	if err != nil {
		return nil, err
	}
	if err := b.in().checkOutside(); err != nil {
		return nil, err
	}
	return appendUsage(nil, b, st, t)
}

// usageOf returns the periods of all windows that have members: see Board.Usage.
func usageOf(b *core) (all []Usage, err error) {
	if err := b.in().checkOutside(); err != nil {
		return nil, err
	}
	st, err := b.readable()
	if err != nil {
		return nil, err
	}
	for _, t := range st.timelines {
		if all, err = appendUsage(all, b, st, t); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// appendUsage appends the periods of a window that have members, in order of time. It does not load their sets.
func appendUsage(dst []Usage, b *core, st *state, t *timeline) ([]Usage, error) {
	for _, p := range t.periods() {
		u, ok, err := b.engine().Usage(t.key(p.Name))
		if err != nil {
			return nil, err
		}
		if ok {
			dst = append(dst, Usage{st.info(t, p.Period), u.Members, int64(u.Memory + u.Keyspace), u.Disk})
		}
	}
	return dst, nil
}
