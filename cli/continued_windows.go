package cli

// continued does nothing: there is no way to stop a process and let it go on.
func continued(func()) (stop func()) { return func() {} }
