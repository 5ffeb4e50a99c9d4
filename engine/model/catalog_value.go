package model

// This file is a listing of models for programs.

import "github.com/beonauto/auto/engine/value"

// Value is the listing as list_models gives it (model settings, "Listing
// models"): what is not reported is null.
func (l *Listing) Value() *value.Object {
	models := make([]value.Value, len(l.Models))
	for i := range l.Models {
		models[i] = l.Models[i].value()
	}
	return value.Build([]string{"models", "narrowed", "catalog_status"}, []value.Value{models, l.Narrowed, l.Status()})
}

func (l *Listed) value() *value.Object {
	o := value.NewObject(7)
	o.Set("model", l.Model)
	o.Set("alias", l.Alias)
	for _, text := range []struct{ key, reported string }{{"resolved_to", l.ResolvedTo}, {"name", l.Name}, {"created", l.Created}} {
		o.Set(text.key, nil)
		if text.reported != "" {
			o.Set(text.key, text.reported)
		}
	}
	for _, tokens := range []struct {
		key      string
		reported *int64
	}{{"max_input_tokens", l.MaxInputTokens}, {"max_output_tokens", l.MaxOutputTokens}} {
		o.Set(tokens.key, nil)
		if tokens.reported != nil {
			o.Set(tokens.key, float64(*tokens.reported))
		}
	}
	return o
}
