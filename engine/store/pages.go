package store

// This file walks the pages of a bbolt file without bbolt, by reading alone. A
// damaged page can send bbolt round in circles; this walk visits each page once.

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io"
	"math/bits"
)

// The parts of bbolt's file format. Its numbers stand in the byte order of the
// machine that wrote them.
const (
	pageHeadSize     = 16 // id, flags, count, overflow
	branchElementLen = 16 // position, key size, page
	leafElementLen   = 16 // flags, position, key size, value size
	bucketHeadSize   = 16 // root page, sequence
	metaSize         = 64
	metaSummed       = 56 // what the checksum at its end is taken of

	pageBranch   = 0x01
	pageLeaf     = 0x02
	pageMeta     = 0x04
	pageFreelist = 0x10
	leafBucket   = 0x01

	boltMagic   = 0xED0CDAED
	boltVersion = 2
	noFreelist  = ^uint64(0)
	longCount   = 0xFFFF // the count of a freelist whose real count comes first
)

var native = binary.NativeEndian

// pageWalk looks at every page of a file.
type pageWalk struct {
	file     io.ReaderAt
	size     int64 // of the file, in bytes
	pageSize int64
	pages    uint64 // how many pages the file says it has
	seen     pageSet
	faults   []string
}

// pageSet is a set of pages, a bit for each that there is.
type pageSet []uint64

func (s pageSet) has(page uint64) bool { return s[page/64]>>(page%64)&1 == 1 }
func (s pageSet) add(page uint64)      { s[page/64] |= 1 << (page % 64) }

func (s pageSet) size() uint64 {
	size := 0
	for _, word := range s {
		size += bits.OnesCount64(word)
	}
	return uint64(size)
}

func newWalk(file io.ReaderAt, size int64, pageSize int) *pageWalk {
	return &pageWalk{file: file, size: size, pageSize: int64(pageSize)}
}

// maxFaults is how many faults a check names before it gives up counting.
const maxFaults = 100

func (w *pageWalk) fault(format string, arguments ...any) {
	if len(w.faults) < maxFaults {
		w.faults = append(w.faults, fmt.Sprintf(format, arguments...))
	}
}

// walkPages gives what is wrong with the pages of a file, nothing for a sound
// one. Only a file that cannot be read is an error.
func walkPages(file io.ReaderAt, size int64, pageSize int) ([]string, error) {
	w := newWalk(file, size, pageSize)
	root, freelist, ok, err := w.metas()
	if err != nil || !ok {
		return w.faults, err
	}
	if err := w.tree(root); err != nil {
		return nil, err
	}
	if err := w.freelist(freelist); err != nil {
		return nil, err
	}
	if used := w.seen.size(); len(w.faults) == 0 && used != w.pages {
		w.fault("%d of its %d pages are neither used nor free", w.pages-used, w.pages)
	}
	return w.faults, nil
}

// metas reads the two first pages and follows the newer sound one.
func (w *pageWalk) metas() (root, freelist uint64, ok bool, err error) {
	newest := uint64(0)
	for number := range int64(2) {
		page := make([]byte, pageHeadSize+metaSize)
		if n, err := w.file.ReadAt(page, number*w.pageSize); n < len(page) {
			if err != io.EOF {
				return 0, 0, false, err
			}
			continue
		}
		meta := page[pageHeadSize:]
		sum := fnv.New64a()
		sum.Write(meta[:metaSummed])
		if native.Uint32(meta) != boltMagic || native.Uint32(meta[4:]) != boltVersion || native.Uint64(meta[metaSummed:]) != sum.Sum64() {
			// One of the two is half written when the power fails; the other counts.
			continue
		}
		if turn := native.Uint64(meta[48:]); !ok || turn > newest {
			newest, ok = turn, true
			root, freelist, w.pages = native.Uint64(meta[16:]), native.Uint64(meta[32:]), native.Uint64(meta[40:])
		}
	}
	switch {
	case !ok:
		w.fault("neither of its two first pages is sound")
	case w.pages > uint64(w.size/w.pageSize):
		w.fault("it should have %d pages and ends after %d", w.pages, w.size/w.pageSize)
		ok = false
	default:
		w.seen = make(pageSet, w.pages/64+1)
		w.seen.add(0)
		w.seen.add(1)
	}
	return root, freelist, ok, nil
}

// page reads a page that something points to, with the pages it runs over. It
// gives nil when there is no such page, or it was reached before.
func (w *pageWalk) page(id uint64) ([]byte, error) {
	if id < 2 || id >= w.pages {
		w.fault("a page %d is pointed to and there is none", id)
		return nil, nil
	}
	head := make([]byte, pageHeadSize)
	if _, err := w.file.ReadAt(head, int64(id)*w.pageSize); err != nil {
		return nil, err
	}
	count := uint64(native.Uint32(head[12:])) + 1
	if native.Uint64(head) != id || count > w.pages-id {
		w.fault("page %d is not what is pointed to", id)
		return nil, nil
	}
	for i := range count {
		if w.seen.has(id + i) {
			w.fault("page %d is used twice", id+i)
			return nil, nil
		}
		w.seen.add(id + i)
	}
	page := make([]byte, int64(count)*w.pageSize)
	if _, err := w.file.ReadAt(page, int64(id)*w.pageSize); err != nil {
		return nil, err
	}
	return page, nil
}

// tree walks the pages under a bucket's root, and the buckets in it.
func (w *pageWalk) tree(root uint64) error {
	for open := []uint64{root}; len(open) > 0; {
		id := open[len(open)-1]
		open = open[:len(open)-1]
		page, err := w.page(id)
		if err != nil {
			return err
		}
		if page != nil {
			open = append(open, w.node(id, page)...)
		}
	}
	return nil
}

// node checks a branch or leaf page, and gives the pages it points to.
func (w *pageWalk) node(id uint64, page []byte) (below []uint64) {
	count := int(native.Uint16(page[10:]))
	if pageHeadSize+count*leafElementLen > len(page) {
		w.fault("page %d holds more than fits in it", id)
		return nil
	}
	var before []byte
	for i := range count {
		at := pageHeadSize + i*leafElementLen
		element := page[at:]
		var key, held []byte
		var fits bool
		flags := native.Uint16(page[8:])
		switch flags {
		case pageBranch:
			key, _, fits = part(page, at, native.Uint32(element), native.Uint32(element[4:]), 0)
			below = append(below, native.Uint64(element[8:]))
		case pageLeaf:
			key, held, fits = part(page, at, native.Uint32(element[4:]), native.Uint32(element[8:]), native.Uint32(element[12:]))
		default:
			w.fault("page %d is of an unknown kind", id)
			return nil
		}
		if !fits {
			w.fault("page %d holds a record that ends outside it", id)
			return nil
		}
		if i > 0 && bytes.Compare(before, key) >= 0 {
			w.fault("page %d has its keys out of order", id)
		}
		before = key
		if flags == pageLeaf && native.Uint32(element)&leafBucket != 0 {
			below = append(below, w.bucket(id, held)...)
		}
	}
	return below
}

// part gives the key and the value that an element at a place of its page says
// it has.
func part(page []byte, at int, position, keySize, valueSize uint32) (key, held []byte, fits bool) {
	start := uint64(at) + uint64(position)
	middle := start + uint64(keySize)
	end := middle + uint64(valueSize)
	if end > uint64(len(page)) {
		return nil, nil, false
	}
	return page[start:middle], page[middle:end], true
}

// bucket checks a bucket's record, and gives its root page. A small bucket has
// its one page inside the record.
func (w *pageWalk) bucket(id uint64, held []byte) []uint64 {
	if len(held) < bucketHeadSize {
		w.fault("page %d holds a bucket that is too short", id)
		return nil
	}
	if root := native.Uint64(held); root != 0 {
		return []uint64{root}
	}
	inline := held[bucketHeadSize:]
	if len(inline) < pageHeadSize || native.Uint16(inline[8:]) != pageLeaf {
		w.fault("page %d holds a bucket that is no page", id)
		return nil
	}
	return w.node(id, inline)
}

// freelist checks the page that lists the free pages, and that they are free.
func (w *pageWalk) freelist(id uint64) error {
	free, err := w.freePages(id)
	for _, page := range free {
		if w.seen.has(page) {
			w.fault("page %d is listed as free and is not", page)
			continue
		}
		w.seen.add(page)
	}
	return err
}

// freePages gives the list of free pages, as far as it is one: rising numbers of
// pages that there are.
func (w *pageWalk) freePages(id uint64) ([]uint64, error) {
	if id == noFreelist {
		return nil, nil
	}
	page, err := w.page(id)
	if err != nil || page == nil {
		return nil, err
	}
	if native.Uint16(page[8:]) != pageFreelist {
		w.fault("page %d is not the list of free pages", id)
		return nil, nil
	}
	numbers := page[pageHeadSize:]
	count := uint64(native.Uint16(page[10:]))
	if count == longCount {
		count, numbers = native.Uint64(numbers), numbers[8:]
	}
	if count > uint64(len(numbers)/8) {
		w.fault("page %d lists more free pages than fit in it", id)
		return nil, nil
	}
	free := make([]uint64, count)
	least := uint64(2)
	for i := range free {
		free[i] = native.Uint64(numbers[8*i:])
		if free[i] < least || free[i] >= w.pages {
			w.fault("the list of free pages in page %d has %d out of its place", id, free[i])
			return nil, nil
		}
		least = free[i] + 1
	}
	return free, nil
}

// checkWays looks at the pages that lead to others, and at nothing else, so it
// costs a call little: about a hundredth of the pages are such. A page that leads
// back to one above it would send bbolt round until the program dies of it, which
// no recovery stops.
func checkWays(file io.ReaderAt, size int64, pageSize int) error {
	w := newWalk(file, size, pageSize)
	root, _, ok, err := w.metas()
	if err != nil {
		return err
	}
	if ok {
		err = w.ways(root)
	}
	if err == nil && len(w.faults) > 0 {
		err = damage(w.faults[0])
	}
	return err
}

// ways walks the pages above the leaves of every bucket; the leaves under the
// root name the buckets.
func (w *pageWalk) ways(root uint64) error {
	var buckets []uint64
	for open := []uint64{root}; len(open) > 0; {
		page, err := w.page(open[len(open)-1])
		if err != nil || page == nil {
			return err
		}
		below := w.node(open[len(open)-1], page)
		open = open[:len(open)-1]
		if native.Uint16(page[8:]) == pageBranch {
			open = append(open, below...)
		} else {
			buckets = append(buckets, below...)
		}
	}
	level := make([]uint64, 0, 64)
	for _, bucket := range buckets {
		level = append(level[:0], bucket)
		for len(level) > 0 {
			below, err := w.level(level)
			if err != nil || len(w.faults) > 0 {
				return err
			}
			level = below
		}
	}
	return nil
}

// level reads the pages of a level and gives those they lead to. The leaves of a
// bucket stand on one level, so where the first is one the others are not read:
// it is enough that none of them is a page that led here.
func (w *pageWalk) level(level []uint64) (below []uint64, err error) {
	page := make([]byte, w.pageSize)
	for i, id := range level {
		switch {
		case id < 2 || id >= w.pages:
			w.fault("a page %d is pointed to and there is none", id)
			return nil, nil
		case w.seen.has(id):
			w.fault("page %d is used twice", id)
			return nil, nil
		case i > 0 && len(below) == 0:
			continue
		}
		if _, err := w.file.ReadAt(page, int64(id)*w.pageSize); err != nil {
			return nil, err
		}
		if native.Uint16(page[8:]) != pageBranch {
			continue
		}
		branch := page
		if native.Uint32(page[12:]) > 0 || native.Uint64(page) != id {
			// One with long keys, over several pages; or none of them, which is told there.
			if branch, err = w.page(id); err != nil || branch == nil {
				return nil, err
			}
		} else {
			w.seen.add(id)
		}
		count := int(native.Uint16(branch[10:]))
		if pageHeadSize+count*branchElementLen > len(branch) {
			w.fault("page %d holds more than fits in it", id)
			return nil, nil
		}
		for element := branch[pageHeadSize:]; count > 0; count-- {
			below = append(below, native.Uint64(element[8:]))
			element = element[branchElementLen:]
		}
	}
	return below, nil
}

// checkFreePages looks at the list of free pages alone. A write takes its pages
// from there, and a wrong list would have it write over others, or far past the
// end of the file.
func checkFreePages(file io.ReaderAt, size int64, pageSize int) error {
	w := newWalk(file, size, pageSize)
	_, freelist, ok, err := w.metas()
	if err == nil && ok {
		_, err = w.freePages(freelist)
	}
	if err == nil && len(w.faults) > 0 {
		err = damage(w.faults[0])
	}
	return err
}
