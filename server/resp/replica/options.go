package replica

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// Options say what is copied.
type Options struct {
	// Address is that of the source, host and port.
	Address string
	// Username and Password authenticate. "": the source needs none; without a Username it is the default user.
	Username, Password string
	// TLS is for a source that speaks TLS. nil: it does not.
	TLS *tls.Config
	// Method is how the keys are copied.
	Method Method
	// Replace deletes keys of the engine that no Run has copied. Those of boards always stay.
	Replace bool
	// Patience is how long Run goes on after ctx has ended, to be in step. 0 means DefaultPatience.
	Patience time.Duration
	// Progress is called now and then, and when something changes, by one goroutine at a time. It must not block.
	Progress func(Status)
	// Logger gets connections that are lost and made. nil: nothing is logged.
	Logger *slog.Logger
}

// DefaultPatience is the default of Options.Patience.
const DefaultPatience = 10 * time.Second

var (
	// ErrOptions is returned for impossible options.
	ErrOptions = errors.New("replica: impossible options")
	// ErrSource is returned for a source that refuses to be copied: a wrong password, a user without rights, a server that is no Redis.
	ErrSource = errors.New("replica: the source refuses")
	// ErrNotEmpty is returned for an engine with keys that no Run has copied: see Options.Replace.
	ErrNotEmpty = errors.New("replica: the engine has keys of its own")
)

// ParseURL returns the options of a URL: redis://user:password@host:port, or rediss:// for TLS. Error: ErrOptions.
func ParseURL(text string) (Options, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "redis" && u.Scheme != "rediss" || u.Hostname() == "" || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" {
		return Options{}, fmt.Errorf("%w: want redis://user:password@host:port, or rediss:// for TLS; all databases are copied", ErrOptions)
	}
	o := Options{Address: net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), "6379")), Username: u.User.Username()}
	o.Password, _ = u.User.Password()
	if u.Scheme == "rediss" {
		o.TLS = &tls.Config{ServerName: u.Hostname(), MinVersion: tls.VersionTLS12}
	}
	return o, nil
}

func (o Options) validate() error {
	if _, _, err := net.SplitHostPort(o.Address); err != nil {
		return fmt.Errorf("%w: Address is %q, want host and port", ErrOptions, o.Address)
	}
	if o.Patience < 0 || o.Method < Auto || o.Method > Scan {
		return fmt.Errorf("%w: Patience is %v, Method %d", ErrOptions, o.Patience, o.Method)
	}
	return nil
}

func (o Options) withDefaults() Options {
	o.Patience = cmp.Or(o.Patience, DefaultPatience)
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

const (
	dialTimeout = 10 * time.Second
	firstWait   = 200 * time.Millisecond // before a lost connection is made again, then longer
	lastWait    = 5 * time.Second
	silence     = 60 * time.Second // without a byte, a connection is lost: a source sends a ping every 10 s
)

// dial connects to the source.
func (o Options) dial(ctx context.Context) (net.Conn, error) {
	d := &net.Dialer{Timeout: dialTimeout}
	if o.TLS != nil {
		conn, err := (&tls.Dialer{NetDialer: d, Config: o.TLS}).DialContext(ctx, "tcp", o.Address)
		if err != nil {
			return nil, fmt.Errorf("TLS to %s: %w", o.Address, err)
		}
		return conn, nil
	}
	return d.DialContext(ctx, "tcp", o.Address)
}

// client returns a client of the source, for commands.
func (o Options) client(db int) *redis.Client {
	return redis.NewClient(&redis.Options{Addr: o.Address, Username: o.Username, Password: o.Password, DB: db, TLSConfig: o.TLS, DisableIdentity: true, Protocol: 2,
		ReadTimeout: time.Minute, MaxRetries: 3})
}
