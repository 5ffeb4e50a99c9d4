package cli

// This file is auto mcp.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/mcp"
	"github.com/beonauto/auto/engine/mcp/server"
	"github.com/beonauto/auto/lint"
)

// tokenVariable names the variable that holds the token of the server over HTTP.
const tokenVariable = "AUTO_MCP_TOKEN"

type mcpFlags struct {
	runtimeFlags
	http      string
	tokenFile string
	noWork    bool
}

func newMCP(a *app) *cobra.Command {
	var flags mcpFlags
	command := &cobra.Command{
		Use:   "mcp [FOLDER]",
		Short: "Serve a playbook to agents over MCP",
		Long: "Serve the playbook around the working folder, or around FOLDER, to an agent over MCP: it\n" +
			"lists, reads and writes definitions, runs them, looks at runs and answers requests. An MCP\n" +
			"client starts the command and speaks with it over standard input and output; docs/mcp.md\n" +
			"has the settings of the common ones.\n\n" +
			"--http serves on an address of this machine instead, to whoever sends the token that\n" +
			tokenVariable + " or --token-file holds. Without either a new token is printed once.\n\n" +
			"While it serves it does the work of auto work. It ends when its input does, or with ctrl-c;\n" +
			"calls that are running are cancelled then, and are recorded. Standard output holds the\n" +
			"protocol alone; what an operator reads is on standard error.\n\n" +
			"Exits with 2 for wrong usage, such as a folder that is no playbook, and with 3 when the\n" +
			"address cannot be used or a stream breaks.",
		Example: "  auto mcp\n" +
			"  auto mcp ~/playbooks/campaigns --no-work\n" +
			"  auto mcp --http 127.0.0.1:4242 --token-file ~/.config/auto/mcp-token\n" +
			"  echo '{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/list\"}' | auto mcp",
		Args: arguments(0, 1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(command *cobra.Command, args []string) error {
			folder, named := a.folder(), "The working folder"
			if len(args) == 1 {
				folder, named = a.path(args[0]), args[0]
				if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
					return unmet("%s: No such file or folder%s", visible(named), guessed(command, args))
				}
			}
			root, ok := engine.PlaybookRoot(folder)
			if !ok {
				return unmet("%s; name the folder of one, as in auto mcp FOLDER, or make one with auto init", inNoPlaybook(visible(named)))
			}
			return a.mcp(command.Context(), flags, root)
		},
	}
	set := command.Flags()
	flags.runtimeFlags.add(command)
	set.StringVar(&flags.http, "http", "", "serve on an `ADDRESS` of this machine, such as 127.0.0.1:4242; port 0 takes a free one")
	set.StringVar(&flags.tokenFile, "token-file", "", "the `FILE` that holds the token of --http, in place of "+tokenVariable)
	command.RegisterFlagCompletionFunc("http", fixed())
	set.BoolVar(&flags.noWork, "no-work", false, "deliver no request, read no reply and expire nothing meanwhile")
	return command
}

func (a *app) mcp(ctx context.Context, flags mcpFlags, root string) (err error) {
	if flags.http == "" && flags.tokenFile != "" {
		return usage("--token-file: Expected --http with it")
	}
	if a.OutlivePipes != nil {
		a.OutlivePipes()
	}
	if a.Interruptible != nil {
		var stop context.CancelFunc
		ctx, stop = a.Interruptible(ctx)
		defer stop()
	}
	tell := &told{to: a.Err}
	runtime := a.runtimeOf(root, flags.runtimeFlags, "mcp", engine.NewTextLog(tell))
	defer closing(runtime, &err)
	serve, err := a.serving(server.New(server.Options{
		Operations: mcp.Operations(), Runtime: runtime, Version: thisBuild().Version, Warn: tell.line, Now: a.Now,
	}), flags, root, tell)
	if err != nil {
		return err
	}
	if wrong := runtime.SettingsError(); wrong != nil {
		tell.line("The settings do not stand, so that nothing can be run: " + wrong.Error())
	} else if !flags.noWork {
		defer a.working(ctx, runtime, tell)()
	}
	return serve(ctx)
}

// serving gives what serves, once everything that it needs is there.
func (a *app) serving(s *server.Server, flags mcpFlags, root string, tell *told) (func(context.Context) error, error) {
	if flags.http == "" {
		if a.InTerminal {
			tell.line("This speaks MCP with a program on its standard input, and not with a person; it is the command of a server in the settings of an MCP client. ctrl-d ends it")
		}
		return func(ctx context.Context) error { return s.Serve(ctx, a.In, a.Out) }, nil
	}
	token, fresh, err := a.mcpToken(flags.tokenFile)
	if err != nil {
		return nil, err
	}
	listener, err := server.Listen(flags.http)
	var wrong *server.AddressError
	if errors.As(err, &wrong) {
		return nil, usage("--http: %s", visible(wrong.Message))
	}
	if err != nil {
		return nil, err
	}
	tell.line(fmt.Sprintf("Serving %s at http://%s%s; ctrl-c ends it", root, listener.Addr(), server.Path))
	if fresh {
		tell.line("The token is " + token + "; it is shown this once, and a client sends it as Authorization: Bearer")
	}
	return func(ctx context.Context) error { return s.Web(token).Serve(ctx, listener) }, nil
}

// tokenSize is how much is read of a file that holds a token.
const tokenSize = 4 << 10

// mcpToken gives the token of the server over HTTP, and whether it was made for it.
func (a *app) mcpToken(file string) (token string, fresh bool, err error) {
	from := tokenVariable
	token = a.Env(tokenVariable)
	switch {
	case file != "":
		from = "--token-file"
		opened, err := os.Open(a.path(file))
		if err != nil {
			return "", false, unmet("--token-file: %s cannot be read: %v", visible(file), lint.WithoutPath(err))
		}
		defer opened.Close()
		text, err := io.ReadAll(io.LimitReader(opened, tokenSize))
		if err != nil {
			return "", false, unmet("--token-file: %s cannot be read: %v", visible(file), lint.WithoutPath(err))
		}
		token = strings.TrimSpace(string(text))
	case token == "":
		return server.NewToken(), true, nil
	}
	if err := server.CheckToken(token); err != nil {
		return "", false, usage("%s: %s", from, capitalized(err.Error()))
	}
	return token, false, nil
}

// working does the work on open requests at the side of the server, until what it
// gives is called.
func (a *app) working(ctx context.Context, runtime *engine.Runtime, tell *told) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		err := runtime.Work(ctx, engine.WorkOptions{Told: func(fact engine.WorkFact) { tell.line(a.workLine(&fact)) }})
		if err != nil && ctx.Err() == nil {
			tell.line("The work on requests has ended: " + err.Error())
		}
	}()
	return func() {
		cancel()
		<-done
	}
}

// told is standard error for several at once, each line whole.
type told struct {
	lock sync.Mutex
	to   io.Writer
}

func (t *told) Write(text []byte) (int, error) {
	t.lock.Lock()
	defer t.lock.Unlock()
	return t.to.Write(text)
}

// line writes a line that says who says it.
func (t *told) line(text string) {
	_, _ = fmt.Fprintf(t, "%s: %s\n", program, visible(text))
}
