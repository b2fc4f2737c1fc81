package keyspace

// A watched key has changed if the last commit of its sorted set is not the one at the time of WATCH. Every writer makes commits: a client, the
// Go program, a board. A set that has expired since has changed too. Plain values have no commit number: a transaction that stores one marks
// the watches of its key. So does a client's transaction that creates a sorted set, since a set that is created and dropped again leaves no
// commit number behind. WATCH does not notice a set that the Go program creates and drops again.
//
// W1: a transaction marks watches and EXEC reads the mark with the key locked. So EXEC sees every earlier change.

// Watch adds keys, which the transaction has locked, to a watch.
func (t *Tx) Watch(w *Watch, names []string) error {
	for _, name := range names {
		key, err := t.state(name)
		if err != nil {
			return err
		}
		w.Keys = append(w.Keys, key)
		t.Space.watchers.enter(name, w)
	}
	return nil
}

// state returns the state of a key's value, which differs from that of any earlier value.
func (t *Tx) state(name string) (w watched, err error) {
	stat, err := t.tx.Stat(name)
	if err != nil {
		return w, err
	}
	w.Name, w.seq = name, stat.LastSeq
	w.kind, err = t.plainKind(name)
	return w, err
}

// Changed reports whether a watched key has changed.
func (t *Tx) Changed(w *Watch) (bool, error) {
	for _, before := range w.Keys {
		if now, err := t.state(before.Name); err != nil || now != before {
			return true, err
		}
	}
	return w.changed.Load(), nil
}

// Unwatch removes all keys from a watch.
func (s *Space) Unwatch(w *Watch) {
	for _, key := range w.Keys {
		s.watchers.leave(key.Name, w)
	}
	w.Keys = nil
	w.changed.Store(false)
}

// Watching reports whether any client watches a key.
func (s *Space) Watching() bool { return s.watchers.n.Load() > 0 }

// Mark marks the watches of a key as changed.
func (s *Space) Mark(name string) { s.watchers.mark(name) }

func (w *watchers) enter(name string, by *Watch) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.of == nil {
		w.of = map[string]map[*Watch]struct{}{}
	}
	if w.of[name] == nil {
		w.of[name] = map[*Watch]struct{}{}
	}
	w.of[name][by] = struct{}{}
	w.n.Store(int64(len(w.of)))
}

func (w *watchers) leave(name string, by *Watch) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.of[name], by)
	if len(w.of[name]) == 0 {
		delete(w.of, name)
	}
	w.n.Store(int64(len(w.of)))
}

// mark marks the watches of a key as changed.
func (w *watchers) mark(name string) {
	if w.n.Load() == 0 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for by := range w.of[name] {
		by.changed.Store(true)
	}
}

// any reports whether a client watches the key.
func (w *watchers) any(name string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.of[name]) > 0
}

// AppendAbsent appends a key that is watched and holds no sorted set.
func (t *Tx) AppendAbsent(names []string, name string) []string {
	if !t.Space.watchers.any(name) {
		return names
	}
	if stat, err := t.tx.Stat(name); err == nil && !stat.Exists {
		names = append(names, name)
	}
	return names
}

// MarkCreated marks the watches of keys that held no sorted set and hold one now.
func (t *Tx) MarkCreated(absent []string) {
	for _, name := range absent {
		if stat, err := t.tx.Stat(name); err == nil && stat.Exists {
			t.Space.watchers.mark(name)
		}
	}
}
