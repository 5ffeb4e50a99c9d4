package cli

// This file answers what people type who know other programs: commands and flags
// that are not there, each with the command that does it.

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/beonauto/auto/engine/problem"
)

// guess is a command that is not there, and the one that does what it asks for.
type guess struct {
	under string   // the command that it stands below; empty for the program itself
	words []string // what is typed there
	// Instead is the command that does it. A … at its end stands for what was typed
	// after the word.
	instead string
	about   string // what that does, where its name does not say so
}

// guesses are the commands that are not there.
var guesses = []guess{
	{"", []string{"list", "ls", "get"}, "runs", "lists runs; auto interactions lists requests, auto tools tools and auto models models"},
	{"", []string{"show", "describe", "view", "inspect"}, "runs show …", "shows a run, and auto interactions show a request"},
	{"", []string{"cancel", "stop", "abort", "kill"}, "runs cancel …", "ends a run that waits"},
	{"", []string{"delete", "rm", "remove", "prune", "purge"}, "runs delete …", "deletes runs with their history"},
	{"", []string{"log", "logs", "history", "trace"}, "events", "prints the history, and auto runs events that of one run"},
	{"", []string{"status", "ps", "jobs"}, "runs", "lists runs and how they stand"},
	{"", []string{"definitions", "definition", "functions", "function", "playbook", "playbooks", "prompts", "agents"}, "lint", "checks the definitions, which are the files of a playbook; auto new adds one"},
	{"", []string{"check", "validate", "verify", "test", "analyze", "vet"}, "lint …", "checks definitions"},
	{"", []string{"fmt", "format"}, "lint …", "checks definitions; nothing rewrites them"},
	{"", []string{"create", "add", "generate", "scaffold"}, "new …", "adds a function"},
	{"", []string{"exec", "execute", "invoke", "start", "prompt", "ask", "chat"}, "run …", "runs a function"},
	{"", []string{"call"}, "tools call …", "calls a tool, and auto run a function"},
	{"", []string{"preview", "template", "dry-run", "plan"}, "render …", "prints what a run would send"},
	{"", []string{"requests", "request", "approvals", "tasks", "pending", "queue", "waiting"}, "interactions", "lists the requests that wait for an answer"},
	{"", []string{"reply", "respond", "approve", "resolve"}, "answer …", "answers a request"},
	{"", []string{"serve", "server", "api", "http"}, "mcp …", "serves a playbook to agents over MCP"},
	{"", []string{"worker", "daemon", "watch", "deliver", "poll"}, "work", "delivers requests and reads the replies to them"},
	{"", []string{"config", "settings", "setting", "env", "info", "providers", "login", "auth", "setup", "diagnose"}, "doctor", "says what is configured, from where, and what is missing; auto.yaml and variables set it"},
	{"", []string{"db", "database", "backup", "compact"}, "store", "checks, backs up and compacts the record of runs"},
	{"", []string{"servers", "connections"}, "tools", "lists the tools of each tool server"},
	{"", []string{"ui", "tui", "open"}, "inbox", "shows the requests that wait"},

	{"runs", []string{"get", "view", "describe", "inspect"}, "runs show …", ""},
	{"runs", []string{"ls"}, "runs list", ""},
	{"runs", []string{"logs", "log", "history", "trace"}, "runs events …", ""},
	{"runs", []string{"stop", "abort", "kill"}, "runs cancel …", "ends a run that waits; ctrl-c ends one in its terminal"},
	{"runs", []string{"rm", "remove", "prune", "purge"}, "runs delete …", ""},
	{"runs", []string{"create", "start", "new", "run", "rerun", "retry"}, "run", "runs a function; with --run-id of a run that failed it is made again"},
	{"runs", []string{"answer", "reply"}, "answer …", ""},
	{"runs", []string{"watch", "wait"}, "run --wait", "waits until the person or the agent that is asked has answered"},

	{"interactions", []string{"answer", "reply", "respond", "approve", "resolve"}, "answer …", ""},
	{"interactions", []string{"cancel", "close", "delete", "rm", "remove", "stop", "reject"}, "runs cancel …", "ends the run, and its request with it"},
	{"interactions", []string{"get", "view", "describe", "inspect"}, "interactions show …", ""},
	{"interactions", []string{"ls"}, "interactions list", ""},
	{"interactions", []string{"send", "resend", "deliver", "retry", "work"}, "work --once", "sends what is due"},
	{"interactions", []string{"create", "new"}, "run", "runs a function, which asks"},
	{"interactions", []string{"events", "logs", "history"}, "runs events …", ""},

	{"inbox", []string{"list", "ls"}, "interactions list", ""},
	{"inbox", []string{"show", "view", "get"}, "interactions show …", ""},
	{"inbox", []string{"answer", "reply"}, "answer …", ""},
	{"inbox", []string{"count"}, "inbox --count", ""},

	{"events", []string{"list", "ls", "tail"}, "events", ""},
	{"events", []string{"get", "view", "describe"}, "events show …", ""},
	{"tools", []string{"list", "ls"}, "tools", "lists every tool"},
	{"tools", []string{"find"}, "tools search …", ""},
	{"tools", []string{"get", "view", "describe", "inspect"}, "tools show …", ""},
	{"tools", []string{"run", "exec", "execute", "test"}, "tools call …", ""},
	{"models", []string{"list", "ls"}, "models", ""},
	{"models", []string{"test", "call"}, "doctor --call", "calls each configured provider once"},
	{"doctor", []string{"call", "test"}, "doctor --call", ""},
	{"store", []string{"restore"}, "store", "has no command for it: put the backup in the place of .auto/runs.db"},
	{"store", []string{"verify", "fsck", "repair"}, "store check", "says what is wrong; a backup is the repair"},
	{"store", []string{"vacuum", "gc", "prune"}, "store compact", "gives back the room that auto runs delete left"},
	{"mcp", []string{"serve", "start", "server", "run"}, "mcp", "serves a playbook"},
	{"work", []string{"once"}, "work --once", ""},

	// What is typed in the place of a name.
	{"run", []string{"list", "ls"}, "runs list", "lists recorded runs"},
	{"run", []string{"show", "get", "view"}, "runs show …", "shows a recorded run"},
	{"run", []string{"cancel", "stop"}, "runs cancel …", "ends a run that waits"},
	{"run", []string{"delete", "rm"}, "runs delete …", "deletes runs with their history"},
	{"run", []string{"events", "logs"}, "runs events …", "prints the history of a run"},
}

// guessed gives what to say of a word that stands below a command, with the words
// after it; empty when nobody would guess it.
func guessed(command *cobra.Command, args []string) string {
	under := strings.TrimPrefix(strings.TrimPrefix(command.CommandPath(), program), " ")
	for i := range guesses {
		g := &guesses[i]
		if g.under != under || !slices.Contains(g.words, args[0]) {
			continue
		}
		instead, takes := strings.CutSuffix(program+" "+g.instead, " …")
		if takes {
			for _, word := range args[1:] {
				instead += " " + shellWord(word)
			}
		}
		if g.about != "" {
			return "; " + instead + " " + g.about
		}
		return problem.DidYouMean(instead)
	}
	return ""
}

// flagGuess is a flag that is not there, and what does what it asks for.
type flagGuess struct {
	words   []string // the flag's name, of one letter or more
	instead string   // a flag that the command must have for the guess to count
	say     string
}

// flagGuesses are the flags that are not there.
var flagGuesses = []flagGuess{
	{[]string{"output", "o"}, "json", "--json"},
	{[]string{"output", "o"}, "format", "--format json"},
	{[]string{"f", "output-format"}, "format", "--format FORMAT"},
	{[]string{"disable", "skip", "suppress"}, "ignore", "--ignore RULE"},
	{[]string{"arg", "args", "var", "param", "field", "data", "p", "v"}, "set", "--set path=value"},
	{[]string{"file", "f", "input-file", "i"}, "input", "--input @FILE"},
	{[]string{"id", "name"}, "run-id", "--run-id ID"},
	{[]string{"y", "force", "no-confirm", "assume-yes"}, "yes", "--yes"},
	{[]string{"n", "max", "count", "all", "a"}, "limit", "--limit NUMBER"},
	{[]string{"n", "tail", "limit"}, "last", "--last NUMBER"},
	{[]string{"status", "state"}, "status", "--status STATUS"},
	{[]string{"from", "after"}, "since", "--since TIME"},
	{[]string{"assignee", "party", "user"}, "to", "--to PARTY"},
	{[]string{"port", "addr", "address", "listen", "host"}, "http", "--http 127.0.0.1:4242"},
	{[]string{"dry-run", "preview"}, "run-id", "auto render"},
	{[]string{"db", "database"}, "store", "--store FILE"},
	{[]string{"no-color", "no-colour", "colour"}, "color", "--color never"},
}

// guessedFlag is the end of a message about an unknown flag that people know from
// other programs; empty when nobody would guess it.
func guessedFlag(command *cobra.Command, name string) string {
	for _, g := range flagGuesses {
		if slices.Contains(g.words, name) && command.Flags().Lookup(g.instead) != nil {
			return problem.DidYouMean(g.say)
		}
	}
	return ""
}

// guessedName is an error about a name, with the command that was meant where one
// is often typed in the place of a name.
func guessedName(command *cobra.Command, name string, err error) error {
	var wrong *UsageError
	if meant := guessed(command, []string{name}); meant != "" && errors.As(err, &wrong) {
		return unmet("No definition is named %s%s", name, meant)
	}
	return err
}
