package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime"
	"time"

	"kontor.dev/kontor/assets"
	"kontor.dev/kontor/internal/agent"
	"kontor.dev/kontor/internal/bus"
	"kontor.dev/kontor/internal/calls"
	"kontor.dev/kontor/internal/catalogue"
	"kontor.dev/kontor/internal/hub"
	"kontor.dev/kontor/internal/inbox"
	"kontor.dev/kontor/internal/mcp/watchdog"
	"kontor.dev/kontor/internal/media"
	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/models"
	"kontor.dev/kontor/internal/oauth"
	"kontor.dev/kontor/internal/policy"
	"kontor.dev/kontor/internal/secret"
	"kontor.dev/kontor/internal/serverlog"
	"kontor.dev/kontor/internal/servers"
	"kontor.dev/kontor/internal/store"
	"kontor.dev/kontor/internal/web"
	"kontor.dev/kontor/internal/web/access"
	"kontor.dev/kontor/internal/web/wire"
)

// parts are everything that an App is made of.
type parts struct {
	log      *slog.Logger
	redactor *secret.Redactor
	store    *store.Store
	box      *secret.Box
	watchdog *watchdog.Watchdog
	bus      *bus.Bus
	hub      *hub.Hub
	logs     *serverlog.Log
	media    *media.Store
	inbox    *inbox.Inbox
	guards   guards
	oauth    *oauth.Service
	servers  *servers.Manager
	policy   *policy.Service
	calls    *calls.Service
	models   *models.Service
	agent    *agent.Service
	access   *access.Service
	web      *web.Server
	handler  http.Handler
	link     func() string
	demo     model.Server
}

// makeParts makes the parts, lower layers first. addr is the address listened on.
func makeParts(ctx context.Context, o Options, addr string) (_ *parts, err error) {
	p := &parts{redactor: &secret.Redactor{}, bus: bus.New(), hub: hub.New(hub.Options{Build: o.Version})}
	p.log = newLog(o, p.redactor)
	p.redactor.Set("environment", []string{o.Config.APIToken, o.Config.PasswordHash, o.Config.Key})
	defer func() {
		if err != nil {
			err = errors.Join(err, p.stop(ctx), p.shut())
		}
	}()
	if err := p.openData(ctx, o); err != nil {
		return nil, err
	}
	p.inbox = inbox.New(inbox.Options{Store: p.store, Publish: p.bus.Publish, Log: p.part("inbox")})
	if err := p.inbox.Restore(ctx); err != nil {
		return nil, fmt.Errorf("what waits for the person: %w", err)
	}
	shelf, err := catalogue.New(ctx, catalogue.Options{Pins: p.store, Price: toolPrice, Publish: p.bus.Publish, Log: p.part("catalogue")})
	if err != nil {
		return nil, fmt.Errorf("definitions of tools: %w", err)
	}
	p.policy = policy.New(ctx, policy.Options{Store: p.store, Publish: p.bus.Publish, Log: p.part("policy")})
	open := calls.NewRegistry(p.bus.Publish)
	p.oauth = p.newSignIn()
	p.servers = servers.New(servers.Options{
		Store: p.store, Catalogue: offers{shelf, p.policy}, Inbox: p.inbox, Questions: open, Log: p.logs,
		Redactor: p.redactor, Expander: expander(p.store), HTTPClient: p.serverClient, TrialClient: p.trialClient, SignIn: p.oauth, Guard: p.watchdog,
		Publish: p.bus.Publish, Version: o.Version, Logger: p.part("servers"),
	})
	p.calls = calls.New(calls.Options{
		Open: open, Server: p.servers.Server, Connect: p.connect, Rights: p.servers.AwaitRights, Catalogue: shelf,
		Policy: p.policy, Approvals: p.inbox, Local: p.makeConfigTools(open),
		Store: p.store, Media: p.media, Publish: p.bus.Publish, Log: p.part("calls"),
	})
	if err := p.makeAgents(ctx, o, shelf); err != nil {
		return nil, err
	}
	return p, p.makeWeb(ctx, o, addr, shelf)
}

// openData opens what is in the data folder, and settles what the last run left
// open: nobody waits for it any more.
func (p *parts) openData(ctx context.Context, o Options) (err error) {
	c := o.Config
	p.store, err = store.Open(ctx, store.Options{Path: c.Database(), Log: p.part("store"), Unlock: p.unlock(c.Data, c.Key)})
	if err != nil {
		return err
	}
	now := time.Now().UTC()
	settled, err := p.store.SettleOpenCalls(ctx, now)
	if err != nil {
		return fmt.Errorf("settle open calls: %w", err)
	}
	if settled > 0 {
		p.log.Warn("calls were on their way when Kontor ended: their outcome is unknown", "calls", settled)
	}
	if _, err := p.store.SettleOpenItems(ctx, now); err != nil {
		return fmt.Errorf("settle open items: %w", err)
	}
	if _, err := p.store.DeleteExpiredWebSessions(ctx, now); err != nil {
		return fmt.Errorf("delete expired sessions: %w", err)
	}
	if p.media, err = media.Open(c.Media(), 0); err != nil {
		return err
	}
	p.logs, err = serverlog.Open(serverlog.Options{
		Dir: c.ServerLogs(), Redact: p.redactor.Redact,
		Publish: func(l model.LogLine) { p.bus.Publish(l) },
	})
	if err != nil {
		return err
	}
	p.watchdog, err = watchdog.Start(func(line string) { p.part("watchdog").Info(line) })
	return err
}

func (p *parts) unlock(dir, env string) func(store.KeyState) (store.Sealer, error) {
	return func(state store.KeyState) (store.Sealer, error) {
		box, err := secret.OpenKey(secret.KeyOptions{
			Dir: dir, Env: env, Check: state.Check, Sealed: state.Sealed, Log: p.part("secret"),
		})
		p.box = box
		return box, err
	}
}

func (p *parts) makeWeb(ctx context.Context, o Options, addr string, shelf *catalogue.Catalogue) (err error) {
	p.access, err = access.New(access.Options{
		Store: p.store, PasswordHash: o.Config.PasswordHash, APIToken: o.Config.APIToken,
		Changed: func() { p.bus.Publish(model.SettingsChanged{}) },
	})
	if err != nil {
		return err
	}
	p.demo = demoServer(o.Executable)
	p.web, p.handler, err = web.New(ctx, web.Options{
		Access: p.access, Servers: p.servers, SignIn: p.oauth, Catalogue: shelf, Calls: p.calls, Inbox: p.inbox,
		Chat: p.agent, Models: p.models, Policies: p.policy, Secrets: p.store, Settings: p.store, Media: p.media, Logs: p.logs, Bus: p.bus, Hub: p.hub,
		ListenAddr: addr, BaseURL: o.Config.BaseURL, AllowedHosts: o.Config.AllowedHosts,
		Assets: assets.Dist(), DevURL: o.Config.Vite, Log: p.part("web"),
		Demo: p.demo, LinkCommand: o.Config.Command(o.Executable, "link"),
		About: wire.About{
			Version: o.Version, Revision: o.Revision, Go: runtime.Version(),
			Platform: runtime.GOOS + "/" + runtime.GOARCH, DataDir: o.Config.Data, Key: p.keyState(ctx),
		},
	})
	if err != nil {
		return err
	}
	p.link = func() string {
		code, _ := p.access.NewLink()
		return p.web.SignInLink(code)
	}
	return nil
}

// part is the log of one component.
func (p *parts) part(name string) *slog.Logger { return p.log.With("component", name) }

// connect is servers.Manager's Conn as calls sees it: a nil *Conn must not become
// an interface that isn't nil.
func (p *parts) connect(ctx context.Context, server string) (calls.Conn, error) {
	conn, err := p.servers.Conn(ctx, server)
	if err != nil {
		return nil, err
	}
	return conn, nil
}

// stop ends what is going on: the sockets, the turns and calls, the servers.
func (p *parts) stop(ctx context.Context) error {
	p.hub.Close()
	var errs []error
	drain, cancel := context.WithTimeout(ctx, drainCalls)
	defer cancel()
	if p.agent != nil {
		p.agent.Pause() // so that no turn sees its calls end
	}
	if p.calls != nil {
		errs = append(errs, p.calls.Close(drain))
	}
	if p.agent != nil {
		errs = append(errs, p.agent.Close(drain))
	}
	if p.servers != nil {
		errs = append(errs, p.servers.Close())
	}
	if p.oauth != nil {
		errs = append(errs, p.oauth.Close())
	}
	return errors.Join(errs...)
}

// shut closes the database and the watchdog, when nothing uses them any more.
func (p *parts) shut() error {
	p.bus.Close()
	var errs []error
	if p.store != nil {
		errs = append(errs, p.store.Close())
	}
	if p.watchdog != nil {
		errs = append(errs, p.watchdog.Close())
	}
	return errors.Join(errs...)
}
