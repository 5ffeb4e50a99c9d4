package liquid

// This file holds what other template languages write, each with what does the same
// here.

import "strings"

// handlebars gives the message for an output that is a tag of Handlebars or
// Mustache, such as {{#each input.items}}; empty for any other.
func handlebars(markup string) string {
	sign, size := markup, 0
	if len(markup) > 1 {
		sign, size = markup[:1], 1
	}
	word := strings.TrimLeft(markup[size:], " ")
	if end := strings.IndexFunc(word, func(c rune) bool { return c < 'a' || c > 'z' }); end >= 0 {
		word = word[:end]
	}
	found := "; found {{" + sign + word
	switch sign {
	case "#":
		switch word {
		case "each":
			return "Expected {% for item in list %}" + found
		case "if", "unless":
			return "Expected {% " + word + " condition %}" + found
		}
		return "Expected a tag between {% and %}" + found
	case "/":
		switch word {
		case "each":
			word = "for"
		case "if", "unless":
		default:
			return "Expected an end between {% and %}, such as {% endif %}" + found
		}
		return "Expected {% end" + word + " %}" + found
	case "^":
		return "Expected {% unless condition %}" + found
	case ">":
		return "A template holds all of its text: there are no others to put in" + found
	case "!":
		return "Expected {% # words %} for a comment" + found
	case "@":
		if word == "index" {
			return "Expected forloop.index0" + found
		}
	}
	return ""
}

const straightQuotes = "straight quotes"

// foreignSigns are signs of other languages and of word processors, each with
// what a template takes in its place.
var foreignSigns = []struct{ written, expected string }{
	{"&&", "and"}, {"||", "or"}, {"=", "=="}, {"??", "| default:"},
	{"+", "| plus:"}, {"- ", "| minus:"}, {"*", "| times:"}, {"/", "| divided_by:"},
	{"“", straightQuotes}, {"”", straightQuotes}, {"„", straightQuotes}, {"‘", straightQuotes}, {"’", straightQuotes},
}

// foreignSign tells whether a text begins with the sign of another language,
// with the message that says so.
func foreignSign(text string) (message string, foreign bool) {
	for _, sign := range foreignSigns {
		if strings.HasPrefix(text, sign.written) {
			return "Expected " + sign.expected + ", found " + strings.TrimSuffix(sign.written, " "), true
		}
	}
	return "", false
}

// foreignWords are tags and filters of other template languages, each with the one
// that does the same here.
var foreignWords = []struct{ written, meant string }{
	{"set", "assign"}, {"let", "assign"}, {"foreach", "for"}, {"each", "for"}, {"switch", "case"}, {"elif", "elsif"},
	{"length", "size"}, {"count", "size"}, {"lower", "downcase"}, {"upper", "upcase"}, {"title", "capitalize"},
	{"trim", "strip"}, {"tojson", "json"}, {"to_json", "json"}, {"wordcount", "number_of_words"}, {"unique", "uniq"},
	{"uppercase", "upcase"}, {"toUpperCase", "upcase"}, {"upper_case", "upcase"}, {"lowercase", "downcase"}, {"toLowerCase", "downcase"},
	{"lower_case", "downcase"}, {"ucfirst", "capitalize"}, {"len", "size"}, {"trimStart", "lstrip"}, {"ltrim", "lstrip"},
	{"trimEnd", "rstrip"}, {"rtrim", "rstrip"}, {"stringify", "json"}, {"dump", "json"}, {"json_encode", "json"}, {"toJSON", "json"},
	{"selectattr", "where"}, {"select", "where"}, {"filter", "where"}, {"rejectattr", "reject"}, {"groupby", "group_by"}, {"pluck", "map"},
	{"int", "to_integer"}, {"parseInt", "to_integer"}, {"e", "escape"}, {"htmlescape", "escape"}, {"nl2br", "newline_to_br"}, {"currency", "money"},
	{"substring", "slice"}, {"substr", "slice"}, {"ceiling", "ceil"}, {"add", "plus"}, {"sub", "minus"}, {"subtract", "minus"},
	{"mul", "times"}, {"multiply", "times"}, {"div", "divided_by"}, {"divide", "divided_by"}, {"mod", "modulo"},
	{"fallback", "default"}, {"truncate_words", "truncatewords"}, {"slug", "slugify"}, {"dedupe", "uniq"}, {"distinct", "uniq"},
	{"replaceAll", "replace"}, {"replace_all", "replace"}, {"sort_by", "sort"}, {"sortBy", "sort"}, {"total", "sum"}, {"reversed", "reverse"}, {"as_json", "json"},
}

// alone are foreign words that are no slip of another word, and that nothing here
// does.
var alone = []string{"string", "list", "float", "safe", "max", "min"}
