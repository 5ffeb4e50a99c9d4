package store

const childRole = "AUTO_STORE_TEST_ROLE"

func playRole(role string) int { return 2 }
