// Package request is what a request to a person or an agent goes through between
// its asking and its ending: when its message is sent and sent again, when the
// replies to it are read, how a reply becomes an answer, which answers are taken,
// and how an open request is shown.
//
// Its rules are functions over facts and times that it is given. It never reads a
// clock, never waits, never calls a tool, and holds nothing between two calls: a
// request waits in the store.
package request
