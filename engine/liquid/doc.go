// Package liquid is the template language of the formats: it reads a template,
// says everything that is wrong with it, and renders it under limits
// (reasoning format, "The template"; interaction format, "Templates and
// pointers"). What a template means follows LiquidJS 10.30 in strict mode,
// JavaScript's numbers, text and sorting included.
//
// It never reads a file, a clock it is not given, or anything but the
// variables of the render: what a variable holds is never read as template.
//
// The files: lexer and scanner read the source, expression and parse build the
// tree, tags_* hold one family of tags each and filters_* one family of
// filters, table_* describe both for documentation and completion, analysis
// checks names and properties, render and paths work the tree off, limits
// bounds the work, javascript, text, units and casing hold the ways of
// JavaScript.
package liquid
