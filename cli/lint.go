package cli

// This file is auto lint.

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/beonauto/auto/engine"
	"github.com/beonauto/auto/engine/problem"
	"github.com/beonauto/auto/lint"
	"github.com/beonauto/auto/lint/report"
)

type lintFlags struct {
	format        string
	typeName      string
	stdinFilename string
	all           bool
	strict        bool
	ignore        []string
	connect       bool
}

func newLint(a *app) *cobra.Command {
	var flags lintFlags
	command := &cobra.Command{
		Use:   "lint [PATH…]",
		Short: "Report every problem in definitions, each on its line",
		Long: "Check definitions and report every problem on its line. PATH is a file, a folder, or -\n" +
			"for standard input; the working folder when left out.\n\n" +
			"A folder stands for the definitions in it and below. What .gitignore leaves out is\n" +
			"passed over, as are hidden folders and node_modules; a file named directly never is.\n\n" +
			"With --connect the tool servers of auto.yaml are asked for their tools, so that a tool that\n" +
			"is not there is found, and a call of one of the wrong kind, and a request without a way to\n" +
			"its party is told the ways there are. A server that cannot be asked is named on standard\n" +
			"error and refuses nothing.\n\n" +
			"Exits with 1 when a document has problems, with 2 when a path is wrong, and with 3 when\n" +
			"a file could not be read. Warnings do not count unless --strict is given; those of a\n" +
			"rule that --ignore names are left out.",
		Example: "  auto lint\n" +
			"  auto lint playbooks reasoning/review.md\n" +
			"  auto lint --connect\n" +
			"  auto lint --strict --ignore schema-portable\n" +
			"  auto lint --format json | jq '.summary'\n" +
			"  auto lint - --stdin-filename reasoning/review.md < draft.md",
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveDefault
		},
		RunE: func(command *cobra.Command, args []string) error {
			return a.lint(command.Context(), flags, args)
		},
	}
	set := command.Flags()
	set.StringVar(&flags.format, "format", report.Formats[0].Name, "how to report, as `FORMAT`: "+listFormats())
	set.BoolVar(&flags.all, "all", false, "report every problem of a document, not only the first 20")
	set.BoolVar(&flags.connect, "connect", false, "ask the configured tool servers for their tools too")
	set.BoolVar(&flags.strict, "strict", false, "fail on warnings too")
	set.StringArrayVar(&flags.ignore, "ignore", nil, "leave out the warnings of this `RULE`, or of several with commas (repeatable)")
	set.StringVar(&flags.typeName, "type", "", "check every file as this `TYPE`: "+problem.AnyOf(engine.Types()))
	set.StringVar(&flags.stdinFilename, "stdin-filename", "", "the `NAME` that standard input goes by, which also tells its type")
	command.RegisterFlagCompletionFunc("format", fixed(describedFormats()...))
	command.RegisterFlagCompletionFunc("ignore", fixed(describedWarnings()...))
	command.RegisterFlagCompletionFunc("type", types)
	return command
}

// describedWarnings lists the rules that may warn for a shell, each with what
// breaks it.
func describedWarnings() []string {
	var list []string
	for _, of := range problem.Rules {
		if slices.Contains(problem.WarningRules(), of.Rule) {
			list = append(list, string(of.Rule)+"\t"+of.About)
		}
	}
	return list
}

// ignored gives the rules that --ignore names, each time one or several with commas.
func ignored(names []string) ([]problem.Rule, error) {
	var rules []problem.Rule
	var known []string
	for _, rule := range problem.WarningRules() {
		known = append(known, string(rule))
	}
	for _, name := range strings.FieldsFunc(strings.Join(names, ","), func(r rune) bool { return r == ',' || r == ' ' }) {
		refuses := slices.ContainsFunc(problem.Rules, func(of problem.RuleText) bool { return string(of.Rule) == name })
		warn := "; the rules that warn are " + strings.Join(known, ", ")
		switch meant := didYouMean(name, "", known); {
		case slices.Contains(known, name):
			rules = append(rules, problem.Rule(name))
		case refuses:
			return nil, usage("--ignore: %s cannot be ignored: what breaks it is refused, and no warning%s", name, warn)
		case meant != "":
			return nil, usage("--ignore: Unknown rule %s%s", name, meant)
		default:
			return nil, usage("--ignore: Unknown rule %s%s", name, warn)
		}
	}
	return rules, nil
}

// describedFormats lists the formats for a shell, each with what it is for.
func describedFormats() []string {
	var list []string
	for _, format := range report.Formats {
		list = append(list, format.Name+"\t"+format.About)
	}
	return list
}

func listFormats() string {
	var list []string
	for _, format := range report.Formats {
		list = append(list, fmt.Sprintf("%s (%s)", format.Name, format.About))
	}
	return strings.Join(list, ", ")
}

func (a *app) lint(ctx context.Context, flags lintFlags, paths []string) error {
	format, options, err := a.lintOptions(flags, paths)
	if err != nil {
		return err
	}
	printer := format.New(a.Out, report.Options{Colour: a.useColour(), Version: thisBuild().Version})
	targets, err := a.found(options, printer)
	if err != nil {
		return err
	}
	if a.Env("GOGC") == "" {
		// A check makes much garbage and keeps little of it: at this rate it takes
		// an eighth less time for a few megabytes more.
		debug.SetGCPercent(200)
	}
	var asked *askedServers
	if flags.connect {
		if a.Interruptible != nil {
			var stop context.CancelFunc
			ctx, stop = a.Interruptible(ctx)
			defer stop()
		}
		asked = &askedServers{app: a}
		options.Connect = asked.ask
	}
	summary, err := lint.Run(ctx, options, targets, func(file *lint.File) error {
		if file.Err != nil {
			printError(a.Err, fmt.Errorf("%s: Cannot be read: %w", report.Visible(file.Path), file.Err))
		}
		return printer.File(file)
	})
	switch {
	case ctx.Err() != nil:
		return errReported // whoever stopped it knows
	case err != nil:
		return err
	}
	if err := printer.Close(summary); err != nil {
		return err
	}
	asked.remark()
	return verdict(summary, flags.strict)
}

// lintOptions gives what the flags ask for, and the format to report it in.
func (a *app) lintOptions(flags lintFlags, paths []string) (format report.Format, options lint.Options, err error) {
	format, ok := report.ByName(flags.format)
	if !ok {
		return format, options, usage("--format: Expected one of %s", strings.Join(report.Names(), ", "))
	}
	if err := checkType(flags.typeName); err != nil {
		return format, options, err
	}
	if flags.stdinFilename != "" && !slices.Contains(paths, "-") {
		return format, options, usage("--stdin-filename: Expected the path - beside it")
	}
	ignore, err := ignored(flags.ignore)
	return format, lint.Options{
		Dir: a.Dir, Paths: paths, Type: flags.typeName, Ignore: ignore,
		Stdin: a.In, StdinFilename: flags.stdinFilename,
		All: flags.all, Excerpts: format.Excerpts,
	}, err
}

// found gives what is to be checked, and says on standard error, and in a report that
// takes remarks, what is not.
func (a *app) found(options lint.Options, printer report.Printer) ([]lint.Target, error) {
	remarker, remarks := printer.(report.Remarker)
	options.PassedOver = func(path, meant string) {
		reason := "Not checked: " + lint.NoDefinition() + problem.DidYouMean(meant)
		fmt.Fprintf(a.Err, "%s: %s: %s\n", program, report.Visible(path), report.Visible(reason))
		if remarks {
			remarker.Remark(path, reason, false)
		}
	}
	targets, err := lint.Find(options)
	switch {
	case err != nil && remarks:
		remarkFaults(remarker, err)
		printer.Close(lint.Summary{})
	case err == nil && len(targets) == 0:
		fmt.Fprintf(a.Err, "%s: No definitions found; a definition is a file such as reasoning/review.md or review.reasoning.md\n", program)
	}
	return targets, err
}

// remarkFaults tells a report of each path that nothing can be checked at.
func remarkFaults(remarker report.Remarker, err error) {
	wrong := []error{err}
	if joined, several := err.(interface{ Unwrap() []error }); several {
		wrong = joined.Unwrap()
	}
	for _, one := range wrong {
		var path *lint.ArgumentError
		if errors.As(one, &path) {
			remarker.Remark(path.Path, path.Reason, true)
		}
	}
}

// askedServers asks the tool servers of playbooks, and keeps which could not be.
type askedServers struct {
	app *app

	lock   sync.Mutex
	silent map[string][]string // by the playbook's folder
}

func (s *askedServers) ask(ctx context.Context, playbook string) engine.Surroundings {
	runtime := s.app.runtimeOf(playbook, runtimeFlags{}, "lint", nil)
	defer runtime.Close()
	around := runtime.Ask(ctx)
	s.lock.Lock()
	defer s.lock.Unlock()
	for _, connection := range around.Connections {
		if connection.Unusable != "" {
			if s.silent == nil {
				s.silent = map[string][]string{}
			}
			s.silent[playbook] = append(s.silent[playbook], connection.Unusable)
		}
	}
	return around
}

// remark says which servers could not be asked.
func (s *askedServers) remark() {
	if s == nil {
		return
	}
	for _, playbook := range slices.Sorted(maps.Keys(s.silent)) {
		for _, text := range s.silent[playbook] {
			fmt.Fprintf(s.app.Err, "%s: %s: %s\n", program, report.Visible(filepath.Base(playbook)), visible(text))
		}
	}
}

// verdict turns what was found into how the command ends. A file that could
// not be read counts most: the answer is not whole.
func verdict(summary lint.Summary, strict bool) error {
	switch {
	case summary.Unreadable > 0:
		return errReported
	case summary.Problems > 0, strict && summary.Warnings > 0:
		return errFound
	}
	return nil
}

// checkType refuses a value of --type that is no type.
func checkType(name string) error {
	if name == "" || slices.Contains(engine.Types(), name) {
		return nil
	}
	return usage("--type: Expected one of %s", strings.Join(engine.Types(), ", "))
}
