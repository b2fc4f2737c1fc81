package keyspace

// mayHave reports whether a key may have a plain value.
func (p *plain) mayHave(name string) bool {
	if p.n.Load() == 0 {
		return false
	}
	p.mu.RLock()
	defer p.mu.RUnlock()
	_, ok := p.keys[name]
	return ok
}

// add notes that a key may have a plain value, and its size.
func (p *plain) add(name string, bytes int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bytes.Add(int64(bytes - p.keys[name]))
	p.keys[name] = bytes
	p.n.Store(int64(len(p.keys)))
}

func (p *plain) remove(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bytes.Add(-int64(p.keys[name]))
	delete(p.keys, name)
	p.n.Store(int64(len(p.keys)))
}

// names returns the keys that may have plain values.
func (p *plain) names() []string {
	p.mu.RLock()
	defer p.mu.RUnlock()
	list := make([]string, 0, len(p.keys))
	for name := range p.keys {
		list = append(list, name)
	}
	return list
}

// plainKind returns the kind of a key's plain value.
func (t *Tx) plainKind(name string) (Kind, error) {
	v, err := t.PlainAt(name)
	return v.Kind, err
}

// plainPrefix is the prefix of the private keys of plain values; the name of the key follows.
const plainPrefix = "resp.plain\x00"

// PlainAt returns the plain value of a key; its kind is None if there is none, or it has expired.
func (t *Tx) PlainAt(name string) (v Plain, err error) {
	if !t.Space.plain.mayHave(name) {
		return v, nil
	}
	b, ok, err := t.tx.Get(plainPrefix + name)
	if err != nil || !ok {
		return v, err
	}
	if v, err = DecodePlain(b); err != nil || v.Expires.IsZero() || t.tx.Now().Before(v.Expires) {
		return v, err
	}
	return Plain{}, nil
}
