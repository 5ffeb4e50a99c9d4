package engine

// This file opens a playbook's runtime: its settings, its store and the client
// of its models.

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/beonauto/auto/engine/model"
	"github.com/beonauto/auto/engine/model/connect"
	"github.com/beonauto/auto/engine/playbook"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/engine/run"
	"github.com/beonauto/auto/engine/settings"
	"github.com/beonauto/auto/engine/store"
	"github.com/beonauto/auto/engine/value"
)

// The types of a runtime that a caller of this package meets.
type (
	// Lookup gives an environment variable and whether it is set.
	Lookup = settings.Lookup
	// SettingsError is settings that do not stand, with every fault.
	SettingsError = settings.InvalidError
	// Fact is what the settings say of one thing.
	Fact = settings.Fact
	// Log takes what the operator reads.
	Log = model.Log
)

// SettingsFile is the name of the file that makes a folder a playbook and holds
// its operator's settings.
const SettingsFile = settings.FileName

// CheckSettings gives every problem and warning of a settings file, sorted,
// without looking at the environment.
func CheckSettings(source []byte) []problem.Problem { return settings.Check(source) }

// PlaybookAround gives the playbook that a folder is in, and the folder itself
// when it is in none.
func PlaybookAround(folder string) string {
	if root, ok := playbook.Root(folder); ok {
		return root
	}
	return folder
}

// Options say where a runtime stands and what it is given of the world.
type Options struct {
	Folder  string        // the playbook's
	Store   string        // the store's file; empty for what the settings say
	Lookup  Lookup        // reads the environment
	Log     Log           // nil: nothing is logged
	Command string        // what this process is to those who meet its claims, such as auto run
	Version string        // of this program, as tool servers are told it
	Program string        // the path of this program, which a tool server's command auto stands for
	Now     Clock         // nil: the machine's
	NewID   func() string // of runs; nil: UUIDs of version 7
}

// Clock tells the time that runs are dated by.
type Clock = func() time.Time

// Runtime runs the functions of one playbook and keeps their record. It is safe
// for concurrent use. Nothing is opened before it is needed.
type Runtime struct {
	folder   string
	settings *settings.Settings // what stands of them; nil when the file cannot be read
	invalid  error              // why they do not stand; nil when they do
	store    *store.Store
	command  string
	client   func() *model.Client
	tools    *toolServers
	runner   func() *run.Runner

	lock  sync.Mutex
	owner *store.Owner
}

// Open opens a playbook's runtime. Settings that do not stand are no error yet:
// the record can be read without them, and SettingsError says what is wrong.
func Open(options Options) *Runtime {
	r := &Runtime{folder: options.Folder, command: options.Command}
	r.settings, r.invalid = settings.Load(options.Folder, options.Lookup)
	file := options.Store
	if file == "" && r.settings != nil {
		file = r.settings.StoreFile(options.Folder)
	} else if file == "" {
		file = (&settings.Settings{}).StoreFile(options.Folder)
	}
	r.store = store.At(file, store.Options{Now: options.Now})
	transport := model.TransportOf(options.Lookup)
	if options.Log != nil {
		transport.Warn = func(message string) { options.Log.Warn(message, value.NewObject(0)) }
	}
	r.client = sync.OnceValue(func() *model.Client {
		return model.New(connect.Configuration(r.settings, transport), model.Options{HTTP: model.NewHTTP(transport), Log: options.Log})
	})
	r.tools = &toolServers{runtime: r, version: options.Version, program: options.Program, transport: transport}
	r.runner = sync.OnceValue(func() *run.Runner {
		return run.New(run.Options{
			Store: r.store, Models: lazily{r}, Tools: r.tools, Window: lazily{r}.window, InputTokens: r.inputTokens(),
			OpenRequests: r.mostOpenRequests(), Playbook: r.Playbook(), Person: LocalDeveloper().ID, Owner: r.own, NewID: options.NewID,
		})
	})
	return r
}

// SettingsError says why the settings do not stand: a *SettingsError, or a file
// that cannot be read. It is nil when they do.
func (r *Runtime) SettingsError() error { return r.invalid }

// Facts say what is configured, from where, and what is missing, as far as the
// settings can be read.
func (r *Runtime) Facts() []Fact {
	if r.settings == nil {
		return nil
	}
	return r.settings.Facts()
}

// Folder is the playbook's folder.
func (r *Runtime) Folder() string { return r.folder }

// StoreFile is the store's file.
func (r *Runtime) StoreFile() string { return r.store.Path() }

// inputTokens is the most input tokens of one run; 0 while the settings cannot be
// read, and nothing runs.
func (r *Runtime) inputTokens() int64 {
	if r.settings == nil {
		return 0
	}
	return r.settings.MaxInputTokens()
}

// own makes the process an owner in the store, once.
func (r *Runtime) own() (*store.Owner, error) {
	r.lock.Lock()
	defer r.lock.Unlock()
	if r.owner == nil {
		owner, err := r.store.Own(r.command)
		if err != nil {
			return nil, err
		}
		r.owner = owner
	}
	return r.owner, nil
}

// Close ends the tool servers that were started, and gives up what the process
// holds in the store. A run that it started and did not end is cut off from then
// on.
func (r *Runtime) Close() error {
	r.tools.close()
	r.lock.Lock()
	defer r.lock.Unlock()
	if r.owner == nil {
		return nil
	}
	owner := r.owner
	r.owner = nil
	if err := owner.Close(); err != nil {
		return fmt.Errorf("closing the store %s: %w", r.store.Path(), err)
	}
	return nil
}

// lazily makes the client of models when a run first needs one.
type lazily struct{ runtime *Runtime }

func (l lazily) Call(ctx context.Context, call *model.Call) (*model.Outcome, error) {
	return l.runtime.client().Call(ctx, call)
}

func (l lazily) Resolve(reference string) (*model.Target, error) {
	return l.runtime.client().Resolve(reference)
}

func (l lazily) window(ctx context.Context, target *model.Target) int64 {
	return l.runtime.client().ContextWindow(ctx, target)
}
