package cluster

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/cluster/internal/commit"
	"github.com/zrankdb/zrank/board/cluster/internal/layout"
	"github.com/zrankdb/zrank/board/cluster/internal/servers"
)

// Boards is the boards of a cluster: a board.Store. Its methods may be called from any goroutine.
type Boards struct {
	unsupportedOfAll
	servers *servers.Servers
	o       Options
	own     redis.UniversalClient // of Dial; nil if the caller has it

	mu     sync.Mutex
	boards map[string]*clusterBoard
}

var _ board.Store = (*Boards)(nil)

// Open returns the boards of a cluster, or of a single server, that a client of go-redis speaks to. It does not connect. The caller closes the client after Close.
// Errors: ErrClient, ErrPartitions, of Options that are impossible.
func Open(client redis.UniversalClient, o Options) (*Boards, error) {
	o, err := o.complete()
	if err != nil {
		return nil, err
	}
	s, err := servers.New(client, servers.Options{Replicas: o.Replicas, ReplicaTimeout: o.ReplicaTimeout})
	if err != nil {
		return nil, err
	}
	return &Boards{servers: s, o: o, boards: map[string]*clusterBoard{}}, nil
}

// Close lets go of what Open or Dial has made. It does not close the client that Open was given.
func (b *Boards) Close() (err error) {
	err = b.servers.Close()
	if b.own != nil {
		err = errors.Join(err, b.own.Close())
	}
	return err
}

func (b *Boards) catalogKey() string { return layout.CatalogKey(b.o.Prefix) }

// Define makes a board, or returns the one that is stored with the same spec. Errors: board.ErrSpec, ErrUnsupported; board.ErrSpecChanged and ErrPartitions if it
// is stored in another way; board.ErrIncoming, board.ErrRelocated; those of the servers.
func (b *Boards) Define(ctx context.Context, spec board.Spec) (board.Board, error) {
	own, err := b.newStored(spec)
	if err != nil {
		return nil, err
	}
	text, err := own.Encode()
	if err != nil {
		return nil, err
	}
	if err := commit.Define(ctx, b.servers, b.catalogKey(), spec.Name, text); err != nil {
		return nil, err
	}
	stored, err := b.read(ctx, spec.Name)
	switch {
	case err != nil:
		return nil, err
	case stored.Partitions != own.Partitions:
		return nil, fmt.Errorf("%w: %q has %d, not %d", ErrPartitions, spec.Name, stored.Partitions, own.Partitions)
	}
	if diff := own.Spec.Differences(stored.Spec); diff != nil {
		return nil, fmt.Errorf("%w: %q: %s", board.ErrSpecChanged, spec.Name, strings.Join(diff, "; "))
	}
	return b.public(stored)
}

// newStored returns what is stored of a new board. Errors: board.ErrSpec, ErrUnsupported.
func (b *Boards) newStored(spec board.Spec) (layout.Board, error) {
	if err := spec.Validate(); err != nil {
		return layout.Board{}, err
	}
	spec = spec.WithDefaults()
	return layout.Board{ID: rand.Text(), Partitions: b.o.Partitions, Spec: spec}, refuse(spec)
}

// read reads a board from the catalog. Errors: board.ErrNoBoard, board.ErrRelocated.
func (b *Boards) read(ctx context.Context, name string) (layout.Board, error) {
	s, leftFor, err := b.readAny(ctx, name)
	if err == nil && leftFor != "" {
		err = &board.RelocatedError{Board: name, To: leftFor, Complete: true}
	}
	return s, err
}

// readAny is read, also of a board that has left for an address.
func (b *Boards) readAny(ctx context.Context, name string) (s layout.Board, leftFor string, err error) {
	found, err := b.servers.Client.HMGet(ctx, b.catalogKey(), name, layout.LeftField(name)).Result()
	if err != nil {
		return s, "", b.servers.Explain(err)
	}
	text, ok := found[0].(string)
	if !ok {
		return s, "", fmt.Errorf("%w: %q", board.ErrNoBoard, name)
	}
	if s, err = layout.DecodeBoard(name, text); err != nil {
		return s, "", err
	}
	left, _ := found[1].(string)
	return s, layout.LeftFor(s.ID, left), nil
}

// open returns a board of the catalog, the same one as long as its spec does not change.
func (b *Boards) open(stored layout.Board) (*clusterBoard, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	name := stored.Spec.Name
	if old := b.boards[name]; old != nil && old.keys.ID == stored.ID && old.st.Spec.Differences(stored.Spec) == nil {
		return old, nil
	}
	arena, err := newBoard(b.servers, b.o, stored)
	if err == nil {
		b.boards[name] = arena
	}
	return arena, err
}

// public is open for callers of this package.
func (b *Boards) public(stored layout.Board) (board.Board, error) {
	one, err := b.open(stored)
	if err != nil {
		return nil, err
	}
	return one, nil
}

// Board returns a board. Errors: board.ErrNoBoard, those of the servers.
func (b *Boards) Board(ctx context.Context, name string) (board.Board, error) {
	stored, err := b.read(ctx, name)
	if err != nil {
		return nil, err
	}
	return b.public(stored)
}

// all returns all boards in the order of their names, without those that have left. Errors: those of the servers.
func (b *Boards) all(ctx context.Context) (all []*clusterBoard, err error) {
	stored, err := b.servers.Client.HGetAll(ctx, b.catalogKey()).Result()
	if err != nil {
		return nil, b.servers.Explain(err)
	}
	for name, text := range stored {
		if !layout.IsBoard(name) {
			continue
		}
		var s layout.Board
		if s, err = layout.DecodeBoard(name, text); err != nil {
			return nil, err
		}
		if layout.LeftFor(s.ID, stored[layout.LeftField(name)]) != "" {
			continue
		}
		one, err := b.open(s)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	slices.SortFunc(all, func(x, y *clusterBoard) int { return strings.Compare(x.Name(), y.Name()) })
	return all, nil
}

// Names returns the names of all boards, in order. O(boards). Errors: those of the servers.
func (b *Boards) Names(ctx context.Context) ([]string, error) {
	all, err := b.all(ctx)
	names := make([]string, len(all))
	for i, x := range all {
		names[i] = x.Name()
	}
	return names, err
}

// Drop deletes a board with all that is stored of it. A Drop that fails half-way is to be called again; until then the board has lost some of its members. For a day the
// partitions know that it is gone, so that submissions of other processes are refused. Errors: board.ErrNoBoard, those of the servers.
func (b *Boards) Drop(ctx context.Context, name string) error {
	stored, _, err := b.readAny(ctx, name)
	if err != nil {
		return err
	}
	one, err := newBoard(b.servers, b.o, stored)
	if err != nil {
		return err
	}
	if err := one.clear(ctx); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.boards, name)
	return b.servers.Client.HDel(ctx, b.catalogKey(), name, layout.LeftField(name)).Err()
}

// CloseDue closes the periods of all boards whose time is up, and returns how many had members. Somebody has to call it now and then; any number of processes may.
// Errors: those of the servers; what is closed by then stays closed.
func (b *Boards) CloseDue(ctx context.Context) (closed int, err error) {
	all, err := b.all(ctx)
	for _, one := range all {
		n, err := one.closeDue(ctx)
		if closed += n; err != nil && !errors.Is(err, board.ErrRelocated) {
			return closed, err
		}
	}
	return closed, err
}
