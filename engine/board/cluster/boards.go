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

	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/board/internal/specs"
)

// Boards is the boards of a cluster. Its methods may be called from any goroutine.
type Boards struct {
	servers
	own redis.UniversalClient // of Dial; nil if the caller has it

	mu     sync.Mutex
	boards map[string]*Board
}

// Open returns the boards of a cluster, or of a single server, that a client of go-redis speaks to. It does not connect. The caller closes the client after Close.
// Errors: ErrClient, ErrPartitions, of Options that are impossible.
func Open(client redis.UniversalClient, o Options) (*Boards, error) {
	o, err := o.complete()
	if err != nil {
		return nil, err
	}
	b := &Boards{servers: servers{client: client, o: o}, boards: map[string]*Board{}}
	switch c := client.(type) {
	case *redis.ClusterClient:
	case *redis.Client:
		options := *c.Options()
		options.MaxRetries, options.PushNotificationProcessor = -1, nil // which the other client has
		b.single = redis.NewClient(&options)
	default:
		return nil, fmt.Errorf("%w: it is a %T, want a redis.Client or a redis.ClusterClient", ErrClient, client)
	}
	return b, nil
}

// Close lets go of what Open or Dial has made. It does not close the client that Open was given.
func (b *Boards) Close() (err error) {
	if b.single != nil {
		err = b.single.Close()
	}
	if b.own != nil {
		err = errors.Join(err, b.own.Close())
	}
	return err
}

func (b *Boards) catalogKey() string { return b.o.Prefix + "boards" }

// Define makes a board, or returns the one that is stored with the same spec. Errors: board.ErrSpec, ErrUnsupported; board.ErrSpecChanged and ErrPartitions if it
// is stored in another way; those of the servers.
func (b *Boards) Define(spec specs.Spec) (*Board, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	spec = specs.WithDefaults(spec)
	if err := refuse(spec); err != nil {
		return nil, err
	}
	own := storedBoard{rand.Text(), b.o.Partitions, spec}
	text, err := own.encode()
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	if _, err := b.client.HSetNX(ctx, b.catalogKey(), spec.Name, text).Result(); err != nil {
		return nil, b.explain(err)
	}
	stored, err := b.read(ctx, spec.Name)
	switch {
	case err != nil:
		return nil, err
	case stored.partitions != own.partitions:
		return nil, fmt.Errorf("%w: %q has %d, not %d", ErrPartitions, spec.Name, stored.partitions, own.partitions)
	}
	if diff := spec.Differences(stored.spec); diff != nil {
		return nil, fmt.Errorf("%w: %q: %s", errs.ErrSpecChanged, spec.Name, strings.Join(diff, "; "))
	}
	return b.open(stored)
}

// read reads a board from the catalog. Error: board.ErrNoBoard.
func (b *Boards) read(ctx context.Context, name string) (storedBoard, error) {
	text, err := b.client.HGet(ctx, b.catalogKey(), name).Result()
	if errors.Is(err, redis.Nil) {
		err = fmt.Errorf("%w: %q", errs.ErrNoBoard, name)
	}
	if err != nil {
		return storedBoard{}, b.explain(err)
	}
	return decodeBoard(name, text)
}

// open returns a board of the catalog, the same one as long as its spec does not change.
func (b *Boards) open(stored storedBoard) (*Board, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	name := stored.spec.Name
	if old := b.boards[name]; old != nil && old.id == stored.id && old.st.Spec.Differences(stored.spec) == nil {
		return old, nil
	}
	board, err := newBoard(&b.servers, stored)
	if err == nil {
		b.boards[name] = board
	}
	return board, err
}

// Board returns a board. Errors: board.ErrNoBoard, those of the servers.
func (b *Boards) Board(name string) (*Board, error) {
	stored, err := b.read(context.Background(), name)
	if err != nil {
		return nil, err
	}
	return b.open(stored)
}

// All returns all boards in the order of their names. Errors: those of the servers.
func (b *Boards) All() (all []*Board, err error) {
	stored, err := b.client.HGetAll(context.Background(), b.catalogKey()).Result()
	if err != nil {
		return nil, b.explain(err)
	}
	for name, text := range stored {
		var s storedBoard
		if s, err = decodeBoard(name, text); err != nil {
			return nil, err
		}
		one, err := b.open(s)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	slices.SortFunc(all, func(x, y *Board) int { return strings.Compare(x.Name(), y.Name()) })
	return all, nil
}

// Drop deletes a board with all that is stored of it. A Drop that fails half-way is to be called again; until then the board has lost some of its members. For a day the
// partitions know that it is gone, so that submissions of other processes are refused. Errors: board.ErrNoBoard, those of the servers.
func (b *Boards) Drop(name string) error {
	one, err := b.Board(name)
	if err != nil {
		return err
	}
	ctx := context.Background()
	if err := one.clear(ctx); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.boards, name)
	return b.client.HDel(ctx, b.catalogKey(), name).Err()
}

// CloseDue closes the periods of all boards whose time is up, and returns how many had members. Somebody has to call it now and then; any number of processes may.
// Errors: those of the servers; what is closed by then stays closed.
func (b *Boards) CloseDue() (closed int, err error) {
	all, err := b.All()
	for _, one := range all {
		n, err := one.closeDue(context.Background())
		if closed += n; err != nil {
			return closed, err
		}
	}
	return closed, err
}
