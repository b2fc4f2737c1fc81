package rules

// fault returns the error of a value in column i.
func (c *Column) fault(i int, v Value, reason error) error {
	e := &ScoreError{Column: i, Name: c.Name, Value: v, Reason: reason}
	if reason == ErrBounds {
		e.Min, e.Max = c.Min.copy(), c.Max.copy()
		if end := int64(v.bits); c.isReserved(v) && end < 0 && e.Min == nil {
			e.Min = new(Value{v.bits + 1, v.kind})
		} else if c.isReserved(v) && end > 0 && e.Max == nil {
			e.Max = new(Value{v.bits - 1, v.kind})
		}
	}
	return e
}
