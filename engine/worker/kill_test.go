package worker_test

const childStore = "AUTO_WORKER_TEST_STORE"

func workUntilKilled(string) error { return nil }
