package tool_test

func peerChild() {}
