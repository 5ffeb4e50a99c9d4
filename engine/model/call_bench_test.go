package model_test

import (
	"testing"

	"github.com/beonauto/auto/engine/model"
	"github.com/beonauto/auto/engine/model/double"
	"github.com/beonauto/auto/engine/model/wire"
)

// BenchmarkCall is a whole call over loopback, the double's own work included.
func BenchmarkCall(b *testing.B) {
	server := double.New(b, wire.OpenAI, double.Say(wire.OpenAI, "The brief is ready."))
	client := model.New(model.Configuration{Providers: []model.Provider{server.Provider("openai")}}, model.Options{})
	call := callOf(wire.OpenAI)
	for b.Loop() {
		if _, err := client.Call(b.Context(), call); err != nil {
			b.Fatal(err)
		}
	}
}
