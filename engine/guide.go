package engine

// This file says what a guide adds about the playbook that it is read in.

// ModelSentence says by what a reasoning function of this playbook names its model,
// and whether it may name tools (model settings, "The guide's sentence"). It asks
// nobody, and is empty while the settings do not stand.
func (r *Runtime) ModelSentence() string {
	if r.invalid != nil {
		return ""
	}
	sentence := r.client().GuideSentence()
	if len(r.Providers()) > 0 && len(r.ToolServers()) > 0 {
		sentence += "; it may name the tools of the tool servers that search finds"
	}
	return sentence + "."
}
