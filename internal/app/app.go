package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"golang.org/x/sync/errgroup"

	"kontor.dev/kontor/internal/config"
	"kontor.dev/kontor/internal/store"
)

// Options of New.
type Options struct {
	Config config.Config
	// Version and Revision name this build.
	Version, Revision string
	// Executable is this program, which the demo server is started with.
	Executable string
	// LogTo takes Kontor's own log. Secrets are masked in it.
	LogTo *os.File
}

// App is one Kontor on one data folder.
type App struct {
	o        Options
	log      *slog.Logger
	lock     *store.Lock
	parts    *parts
	listener net.Listener
	control  net.Listener
	server   *http.Server
}

// How long the parts may take to end, each.
const (
	drainRequests = 5 * time.Second
	drainCalls    = 5 * time.Second
)

// New opens the data folder and the address, and makes everything; nothing is
// connected to and nobody is answered before Run. On an error all is closed
// again.
func New(ctx context.Context, o Options) (_ *App, err error) {
	if err := o.Config.MakeFolder(); err != nil {
		return nil, err
	}
	a := &App{o: o}
	defer func() {
		if err != nil {
			err = errors.Join(err, a.close(context.WithoutCancel(ctx)))
		}
	}()
	if a.lock, err = store.LockFolder(o.Config.Data); err != nil {
		return nil, err
	}
	if a.listener, err = new(net.ListenConfig).Listen(ctx, "tcp", o.Config.Listen); err != nil {
		return nil, fmt.Errorf("listen on %s: %w", o.Config.Listen, err)
	}
	if a.parts, err = makeParts(ctx, o, a.listener.Addr().String()); err != nil {
		return nil, err
	}
	a.log = a.parts.log
	if err := a.parts.mayListen(ctx, o.Config); err != nil {
		return nil, err
	}
	if a.control, err = listenControl(o.Config.Socket()); err != nil {
		// Everything else works; the command line says that it finds nobody.
		a.log.Warn("the command line can't reach this Kontor", "err", err)
	}
	a.server = &http.Server{
		Handler: a.parts.handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 64 << 10, ErrorLog: slog.NewLogLogger(a.log.Handler(), slog.LevelDebug),
	}
	return a, nil
}

// Addr is the host:port that is listened on.
func (a *App) Addr() string { return a.listener.Addr().String() }

// Link is a new sign-in link.
func (a *App) Link() string { return a.parts.link() }

// Run answers until ctx ends, then takes everything down. It returns nil when
// that was asked for and went well.
func (a *App) Run(ctx context.Context) error {
	if err := a.parts.loadSignIns(context.WithoutCancel(ctx)); err != nil {
		return errors.Join(err, a.close(context.WithoutCancel(ctx)))
	}
	if err := a.parts.servers.Start(context.WithoutCancel(ctx)); err != nil {
		return errors.Join(err, a.close(context.WithoutCancel(ctx)))
	}
	if a.o.Config.Demo {
		if err := a.parts.addDemo(ctx); err != nil {
			a.log.Error("the demo server can't be added", "err", err)
		}
	}
	if err := a.parts.agent.Recover(context.WithoutCancel(ctx)); err != nil {
		return errors.Join(err, a.close(context.WithoutCancel(ctx)))
	}
	group, running := errgroup.WithContext(ctx)
	group.Go(func() error { return served(a.server.Serve(a.listener)) })
	if a.control != nil {
		group.Go(func() error { return a.serveControl(running) })
	}
	group.Go(func() error { a.parts.web.Run(running); return nil })
	group.Go(func() error { giveBackMemory(running); return nil })
	group.Go(func() error {
		<-running.Done()
		return a.close(context.WithoutCancel(ctx))
	})
	return group.Wait()
}

// close takes down what was made, in the order that lets each part finish: no new
// requests, the sockets, the turns and calls (whose requests then answer), the servers,
// the database.
func (a *App) close(ctx context.Context) error {
	var errs []error
	requests := make(chan error, 1)
	if a.server != nil {
		drain, cancel := context.WithTimeout(ctx, drainRequests)
		defer cancel()
		go func() { requests <- a.server.Shutdown(drain) }()
	} else {
		requests <- nil
		if a.listener != nil {
			errs = append(errs, a.listener.Close())
		}
	}
	if a.control != nil {
		errs = append(errs, ignoreClosed(a.control.Close()))
	}
	if a.parts != nil {
		errs = append(errs, a.parts.stop(ctx))
	}
	if err := <-requests; errors.Is(err, context.DeadlineExceeded) {
		errs = append(errs, a.server.Close())
	} else {
		errs = append(errs, err)
	}
	if a.parts != nil {
		errs = append(errs, a.parts.shut())
	}
	if a.lock != nil {
		errs = append(errs, a.lock.Release())
	}
	return errors.Join(errs...)
}

// served drops the error by which net/http says that it was told to stop.
func served(err error) error {
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

func ignoreClosed(err error) error {
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}
