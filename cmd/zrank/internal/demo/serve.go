package demo

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/zrankdb/zrank/server/access"

	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/cmd/zrank/internal/feed"
	"github.com/zrankdb/zrank/cmd/zrank/internal/season"
	"github.com/zrankdb/zrank/server/admin"
)

const (
	commitsPerSecond = 4 // of a season that is served
	headerTimeout    = 10 * time.Second
	stopTimeout      = 5 * time.Second
)

// show plays the season, and serves its pages if that is wanted. It returns the time that the engine took.
func (d *demo) show(ctx context.Context, db *datadir.Data, s *season.Season) (took time.Duration, err error) {
	if !d.serve {
		return d.play(ctx, db, s, stage{demoSpecs, demoBatch, func(ctx context.Context, _ []feed.Item, _ float64) error {
			if ctx.Err() != nil {
				return errStopped
			}
			return nil
		}})
	}
	if err := db.Clock.Claim(ctx, db.Engine); err != nil {
		return 0, err
	}
	db.Clock.Move(s.Start()) // whoever looks before the first result sees the boards as of then
	stop, err := d.open(db)
	if err != nil {
		return 0, err
	}
	g, err := newGuilds(ctx, db.Boards)
	if err == nil {
		batch := int(float64(d.config.Results) / max(d.lasts.Seconds()*commitsPerSecond, 1))
		took, err = d.play(ctx, db, s, stage{servedSpecs, min(max(batch, 1), demoBatch), g.before(d.lasts)})
	}
	if err == nil {
		fmt.Fprintln(d.out, "\nThe season is over. The pages stay until Ctrl-C.")
		<-ctx.Done()
	}
	return took, errors.Join(err, stop())
}

// open serves the pages until stop is called.
func (d *demo) open(db *datadir.Data) (stop func() error, err error) {
	secret := rand.Text()
	h, err := admin.New(db.Boards, admin.Options{Title: "zrank demo", Local: db.Boards, Open: true, Keys: []access.Key{{Name: "demo", Secret: secret, Rights: access.All}}})
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", d.addr)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("--addr: %w", err), h.Close())
	}
	mux := http.NewServeMux()
	mux.Handle("/admin/", http.StripPrefix("/admin", h))
	mux.Handle("/{$}", http.RedirectHandler("admin/", http.StatusFound))
	server := &http.Server{Handler: mux, ReadHeaderTimeout: headerTimeout}
	server.RegisterOnShutdown(func() { _ = h.Close() })
	go func() { _ = server.Serve(l) }()
	fmt.Fprintf(d.out, "Look at http://%s/admin/ and sign in as demo with %s to moderate\n\n", l.Addr(), secret)
	return func() error {
		ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
		defer cancel()
		return cmp.Or(server.Shutdown(ctx), h.Close())
	}, nil
}
