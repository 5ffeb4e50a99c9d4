package tui

// This file tests what the reader says of the answer that a request takes.

import "testing"

func TestNamesOfAnAnswerStandInAColumn(t *testing.T) {
	t.Parallel()
	d := office()
	d.requests[3].Message = "Short"
	d.requests[3].AnswerSchema = schemaOf(`{"type":"object","required":["go"],"properties":{
		"go":{"type":"boolean","description":"Whether it goes on"},
		"launch_budget":{"type":"integer","minimum":0},
		"contact":{"type":"object","properties":{"e_mail":{"type":"string","format":"email"}}},
		"a_name_that_is_longer_than_any_column_may_be_on_a_screen":{"type":"string"}}}`)
	r := drive(t, d, 80, 24, plain())
	r.press("enter")
	r.shows(
		" go             one of Yes, No ",
		"                Whether it goes on ",
		" launch_budget  an integer (at least 0), optional ",
		" contact        fields of its own, optional ",
		"   e_mail       text (an email address), optional ",
		" a_name_that_is_longer_than_any_column_may_be_on_a_screen ",
		"                text, optional ",
	)
	r = drive(t, d, 40, 24, plain())
	r.press("enter", "G")
	r.whole()
	r.shows(" launch_budget  an integer (at", "   e_mail       text (an email")
	d.requests[3].AnswerSchema = schemaOf(`{"enum":["a","b"]}`)
	r = drive(t, d, 80, 24, plain())
	r.press("enter")
	r.shows("\n one of a, b")
}

func TestQuestionsSayNothingOfTheList(t *testing.T) {
	t.Parallel()
	r := drive(t, office(), 80, 24, plain())
	r.press("c")
	r.shows("Cancel this request?")
	r.hides("1 of 5")
}
