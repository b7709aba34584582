;; Chunks of the points layout: LZ4 blocks (github.com/lz4/lz4, lz4_Block_format.md) of bit planes, as blosc's bit shuffle
;; orders them: plane b holds bit b of every int16, eight values a byte, the first in the lowest bit.
;; Addresses are byte offsets into the memory. The functions have no state. Sources and destinations need 16 bytes after
;; their end that may be read or written: bytes are copied sixteen at a time.
(module
  (memory (export "memory") 4)

  ;; Transposes eight rows of sixteen bytes, each byte column as a matrix of 8 × 8 bits.
  ;; $stride, $spacing: bytes from row to row at the source and at the destination.
  (func $transposeBits (param $from i32) (param $stride i32) (param $to i32) (param $spacing i32)
    (local $a0 v128) (local $a1 v128) (local $a2 v128) (local $a3 v128)
    (local $a4 v128) (local $a5 v128) (local $a6 v128) (local $a7 v128)
    (local $t v128) (local $mask v128)
    (local.set $a0 (v128.load (local.get $from)))
    (local.set $from (i32.add (local.get $from) (local.get $stride)))
    (local.set $a1 (v128.load (local.get $from)))
    (local.set $from (i32.add (local.get $from) (local.get $stride)))
    (local.set $a2 (v128.load (local.get $from)))
    (local.set $from (i32.add (local.get $from) (local.get $stride)))
    (local.set $a3 (v128.load (local.get $from)))
    (local.set $from (i32.add (local.get $from) (local.get $stride)))
    (local.set $a4 (v128.load (local.get $from)))
    (local.set $from (i32.add (local.get $from) (local.get $stride)))
    (local.set $a5 (v128.load (local.get $from)))
    (local.set $from (i32.add (local.get $from) (local.get $stride)))
    (local.set $a6 (v128.load (local.get $from)))
    (local.set $from (i32.add (local.get $from) (local.get $stride)))
    (local.set $a7 (v128.load (local.get $from)))
    ;; Swaps the blocks of 4 × 4 bits beside the diagonal, then those of 2 × 2, then single bits.
    (local.set $mask (i64x2.splat (i64.const 0x0f0f0f0f0f0f0f0f)))
    (local.set $t (v128.and (v128.xor (i64x2.shr_u (local.get $a0) (i32.const 4)) (local.get $a4)) (local.get $mask)))
    (local.set $a4 (v128.xor (local.get $a4) (local.get $t)))
    (local.set $a0 (v128.xor (local.get $a0) (i64x2.shl (local.get $t) (i32.const 4))))
    (local.set $t (v128.and (v128.xor (i64x2.shr_u (local.get $a1) (i32.const 4)) (local.get $a5)) (local.get $mask)))
    (local.set $a5 (v128.xor (local.get $a5) (local.get $t)))
    (local.set $a1 (v128.xor (local.get $a1) (i64x2.shl (local.get $t) (i32.const 4))))
    (local.set $t (v128.and (v128.xor (i64x2.shr_u (local.get $a2) (i32.const 4)) (local.get $a6)) (local.get $mask)))
    (local.set $a6 (v128.xor (local.get $a6) (local.get $t)))
    (local.set $a2 (v128.xor (local.get $a2) (i64x2.shl (local.get $t) (i32.const 4))))
    (local.set $t (v128.and (v128.xor (i64x2.shr_u (local.get $a3) (i32.const 4)) (local.get $a7)) (local.get $mask)))
    (local.set $a7 (v128.xor (local.get $a7) (local.get $t)))
    (local.set $a3 (v128.xor (local.get $a3) (i64x2.shl (local.get $t) (i32.const 4))))
    (local.set $mask (i64x2.splat (i64.const 0x3333333333333333)))
    (local.set $t (v128.and (v128.xor (i64x2.shr_u (local.get $a0) (i32.const 2)) (local.get $a2)) (local.get $mask)))
    (local.set $a2 (v128.xor (local.get $a2) (local.get $t)))
    (local.set $a0 (v128.xor (local.get $a0) (i64x2.shl (local.get $t) (i32.const 2))))
    (local.set $t (v128.and (v128.xor (i64x2.shr_u (local.get $a1) (i32.const 2)) (local.get $a3)) (local.get $mask)))
    (local.set $a3 (v128.xor (local.get $a3) (local.get $t)))
    (local.set $a1 (v128.xor (local.get $a1) (i64x2.shl (local.get $t) (i32.const 2))))
    (local.set $t (v128.and (v128.xor (i64x2.shr_u (local.get $a4) (i32.const 2)) (local.get $a6)) (local.get $mask)))
    (local.set $a6 (v128.xor (local.get $a6) (local.get $t)))
    (local.set $a4 (v128.xor (local.get $a4) (i64x2.shl (local.get $t) (i32.const 2))))
    (local.set $t (v128.and (v128.xor (i64x2.shr_u (local.get $a5) (i32.const 2)) (local.get $a7)) (local.get $mask)))
    (local.set $a7 (v128.xor (local.get $a7) (local.get $t)))
    (local.set $a5 (v128.xor (local.get $a5) (i64x2.shl (local.get $t) (i32.const 2))))
    (local.set $mask (i64x2.splat (i64.const 0x5555555555555555)))
    (local.set $t (v128.and (v128.xor (i64x2.shr_u (local.get $a0) (i32.const 1)) (local.get $a1)) (local.get $mask)))
    (local.set $a1 (v128.xor (local.get $a1) (local.get $t)))
    (local.set $a0 (v128.xor (local.get $a0) (i64x2.shl (local.get $t) (i32.const 1))))
    (local.set $t (v128.and (v128.xor (i64x2.shr_u (local.get $a2) (i32.const 1)) (local.get $a3)) (local.get $mask)))
    (local.set $a3 (v128.xor (local.get $a3) (local.get $t)))
    (local.set $a2 (v128.xor (local.get $a2) (i64x2.shl (local.get $t) (i32.const 1))))
    (local.set $t (v128.and (v128.xor (i64x2.shr_u (local.get $a4) (i32.const 1)) (local.get $a5)) (local.get $mask)))
    (local.set $a5 (v128.xor (local.get $a5) (local.get $t)))
    (local.set $a4 (v128.xor (local.get $a4) (i64x2.shl (local.get $t) (i32.const 1))))
    (local.set $t (v128.and (v128.xor (i64x2.shr_u (local.get $a6) (i32.const 1)) (local.get $a7)) (local.get $mask)))
    (local.set $a7 (v128.xor (local.get $a7) (local.get $t)))
    (local.set $a6 (v128.xor (local.get $a6) (i64x2.shl (local.get $t) (i32.const 1))))
    (v128.store (local.get $to) (local.get $a0))
    (local.set $to (i32.add (local.get $to) (local.get $spacing)))
    (v128.store (local.get $to) (local.get $a1))
    (local.set $to (i32.add (local.get $to) (local.get $spacing)))
    (v128.store (local.get $to) (local.get $a2))
    (local.set $to (i32.add (local.get $to) (local.get $spacing)))
    (v128.store (local.get $to) (local.get $a3))
    (local.set $to (i32.add (local.get $to) (local.get $spacing)))
    (v128.store (local.get $to) (local.get $a4))
    (local.set $to (i32.add (local.get $to) (local.get $spacing)))
    (v128.store (local.get $to) (local.get $a5))
    (local.set $to (i32.add (local.get $to) (local.get $spacing)))
    (v128.store (local.get $to) (local.get $a6))
    (local.set $to (i32.add (local.get $to) (local.get $spacing)))
    (v128.store (local.get $to) (local.get $a7)))

  ;; One of four equal rounds that transpose 16 × 16 bytes: row i and row i + 8 are interleaved into rows 2i and 2i + 1.
  (func $interleave (param $from i32) (param $to i32)
    (local $end i32) (local $low v128) (local $high v128)
    (local.set $end (i32.add (local.get $from) (i32.const 128)))
    (loop $pair
      (local.set $low (v128.load (local.get $from)))
      (local.set $high (v128.load offset=128 (local.get $from)))
      (v128.store (local.get $to)
        (i8x16.shuffle 0 16 1 17 2 18 3 19 4 20 5 21 6 22 7 23 (local.get $low) (local.get $high)))
      (v128.store offset=16 (local.get $to)
        (i8x16.shuffle 8 24 9 25 10 26 11 27 12 28 13 29 14 30 15 31 (local.get $low) (local.get $high)))
      (local.set $to (i32.add (local.get $to) (i32.const 32)))
      (br_if $pair (i32.lt_u
        (local.tee $from (i32.add (local.get $from) (i32.const 16)))
        (local.get $end)))))

  ;; Bit planes to int16. $count: values, a multiple of 128. $room: 512 bytes of scratch.
  (func $join (export "join") (param $planes i32) (param $values i32) (param $count i32) (param $room i32)
    (local $plane i32) (local $end i32)
    (local.set $plane (i32.shr_u (local.get $count) (i32.const 3)))
    (local.set $end (i32.add (local.get $planes) (local.get $plane)))
    (loop $next
      (call $transposeBits (local.get $planes) (local.get $plane) (local.get $room) (i32.const 32))
      (call $transposeBits
        (i32.add (local.get $planes) (i32.shl (local.get $plane) (i32.const 3))) (local.get $plane)
        (i32.add (local.get $room) (i32.const 16)) (i32.const 32))
      (call $interleave (local.get $room) (i32.add (local.get $room) (i32.const 256)))
      (call $interleave (i32.add (local.get $room) (i32.const 256)) (local.get $room))
      (call $interleave (local.get $room) (i32.add (local.get $room) (i32.const 256)))
      (call $interleave (i32.add (local.get $room) (i32.const 256)) (local.get $values))
      (local.set $values (i32.add (local.get $values) (i32.const 256)))
      (br_if $next (i32.lt_u
        (local.tee $planes (i32.add (local.get $planes) (i32.const 16)))
        (local.get $end)))))

  ;; Int16 to bit planes, the inverse of "join".
  (func (export "split") (param $values i32) (param $planes i32) (param $count i32) (param $room i32)
    (local $plane i32) (local $end i32)
    (local.set $plane (i32.shr_u (local.get $count) (i32.const 3)))
    (local.set $end (i32.add (local.get $planes) (local.get $plane)))
    (loop $next
      (call $interleave (local.get $values) (i32.add (local.get $room) (i32.const 256)))
      (call $interleave (i32.add (local.get $room) (i32.const 256)) (local.get $room))
      (call $interleave (local.get $room) (i32.add (local.get $room) (i32.const 256)))
      (call $interleave (i32.add (local.get $room) (i32.const 256)) (local.get $room))
      (call $transposeBits (local.get $room) (i32.const 32) (local.get $planes) (local.get $plane))
      (call $transposeBits (i32.add (local.get $room) (i32.const 16)) (i32.const 32)
        (i32.add (local.get $planes) (i32.shl (local.get $plane) (i32.const 3))) (local.get $plane))
      (local.set $values (i32.add (local.get $values) (i32.const 256)))
      (br_if $next (i32.lt_u
        (local.tee $planes (i32.add (local.get $planes) (i32.const 16)))
        (local.get $end)))))

  ;; Copies sixteen bytes at a time, and so up to fifteen too many. They may overlap only where $to is 16 or more ahead.
  (func $copy (param $from i32) (param $to i32) (param $length i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $to) (local.get $length)))
    (loop $next
      (v128.store (local.get $to) (v128.load (local.get $from)))
      (local.set $from (i32.add (local.get $from) (i32.const 16)))
      (br_if $next (i32.lt_u
        (local.tee $to (i32.add (local.get $to) (i32.const 16)))
        (local.get $end)))))

  ;; Copies what was written $offset bytes before, which may be less than $length.
  (func $repeat (param $to i32) (param $offset i32) (param $length i32)
    (local $end i32) (local $bytes v128)
    (if (i32.ge_u (local.get $offset) (i32.const 16))
      (then
        (call $copy (i32.sub (local.get $to) (local.get $offset)) (local.get $to) (local.get $length))
        (return)))
    (local.set $end (i32.add (local.get $to) (local.get $length)))
    (if (i32.eq (local.get $offset) (i32.const 1))
      (then
        (local.set $bytes (i8x16.splat (i32.load8_u (i32.sub (local.get $to) (i32.const 1)))))
        (loop $next
          (v128.store (local.get $to) (local.get $bytes))
          (br_if $next (i32.lt_u
            (local.tee $to (i32.add (local.get $to) (i32.const 16)))
            (local.get $end))))
        (return)))
    (loop $byte
      (i32.store8 (local.get $to) (i32.load8_u (i32.sub (local.get $to) (local.get $offset))))
      (br_if $byte (i32.lt_u
        (local.tee $to (i32.add (local.get $to) (i32.const 1)))
        (local.get $end)))))

  ;; Decodes an LZ4 block of exactly $size bytes. Returns 1; 0 if the block is malformed: nothing outside of source and
  ;; destination, and the sixteen bytes after them, is ever read or written.
  (func $unpack (export "unpack") (param $from i32) (param $length i32) (param $to i32) (param $size i32) (result i32)
    (local $end i32) (local $start i32) (local $stop i32)
    (local $token i32) (local $count i32) (local $byte i32) (local $offset i32)
    (local.set $end (i32.add (local.get $from) (local.get $length)))
    (local.set $start (local.get $to))
    (local.set $stop (i32.add (local.get $to) (local.get $size)))
    (loop $sequence
      (if (i32.ge_u (local.get $from) (local.get $end)) (then (return (i32.const 0))))
      (local.set $token (i32.load8_u (local.get $from)))
      (local.set $from (i32.add (local.get $from) (i32.const 1)))
      (local.set $count (i32.shr_u (local.get $token) (i32.const 4)))
      (if (i32.eq (local.get $count) (i32.const 15))
        (then (loop $more
          (if (i32.ge_u (local.get $from) (local.get $end)) (then (return (i32.const 0))))
          (local.set $byte (i32.load8_u (local.get $from)))
          (local.set $from (i32.add (local.get $from) (i32.const 1)))
          (local.set $count (i32.add (local.get $count) (local.get $byte)))
          (br_if $more (i32.eq (local.get $byte) (i32.const 255))))))
      (if (i32.or
            (i32.gt_u (local.get $count) (i32.sub (local.get $end) (local.get $from)))
            (i32.gt_u (local.get $count) (i32.sub (local.get $stop) (local.get $to))))
        (then (return (i32.const 0))))
      (if (local.get $count)
        (then
          (call $copy (local.get $from) (local.get $to) (local.get $count))
          (local.set $from (i32.add (local.get $from) (local.get $count)))
          (local.set $to (i32.add (local.get $to) (local.get $count)))))
      (if (i32.eq (local.get $from) (local.get $end))
        (then (return (i32.eq (local.get $to) (local.get $stop)))))
      (if (i32.lt_u (i32.sub (local.get $end) (local.get $from)) (i32.const 2))
        (then (return (i32.const 0))))
      (local.set $offset (i32.load16_u (local.get $from)))
      (local.set $from (i32.add (local.get $from) (i32.const 2)))
      (if (i32.or
            (i32.eqz (local.get $offset))
            (i32.gt_u (local.get $offset) (i32.sub (local.get $to) (local.get $start))))
        (then (return (i32.const 0))))
      (local.set $count (i32.and (local.get $token) (i32.const 15)))
      (if (i32.eq (local.get $count) (i32.const 15))
        (then (loop $more
          (if (i32.ge_u (local.get $from) (local.get $end)) (then (return (i32.const 0))))
          (local.set $byte (i32.load8_u (local.get $from)))
          (local.set $from (i32.add (local.get $from) (i32.const 1)))
          (local.set $count (i32.add (local.get $count) (local.get $byte)))
          (br_if $more (i32.eq (local.get $byte) (i32.const 255))))))
      (local.set $count (i32.add (local.get $count) (i32.const 4)))
      (if (i32.gt_u (local.get $count) (i32.sub (local.get $stop) (local.get $to)))
        (then (return (i32.const 0))))
      (call $repeat (local.get $to) (local.get $offset) (local.get $count))
      (local.set $to (i32.add (local.get $to) (local.get $count)))
      (br $sequence))
    (unreachable))

  ;; CRC-32C of bytes, sixteen at a time, as crc32c.ts computes it. $tables: its 16 tables of 256 int32.
  (func $crc (export "crc") (param $from i32) (param $length i32) (param $tables i32) (result i32)
    (local $end i32) (local $whole i32) (local $crc i32) (local $a i32) (local $b i32) (local $c i32) (local $d i32)
    (local.set $end (i32.add (local.get $from) (local.get $length)))
    (local.set $whole (i32.add (local.get $from) (i32.and (local.get $length) (i32.const -16))))
    (local.set $crc (i32.const -1))
    (block $done (loop $next
      (br_if $done (i32.ge_u (local.get $from) (local.get $whole)))
      (local.set $a (i32.xor (i32.load (local.get $from)) (local.get $crc)))
      (local.set $b (i32.load offset=4 (local.get $from)))
      (local.set $c (i32.load offset=8 (local.get $from)))
      (local.set $d (i32.load offset=12 (local.get $from)))
      (local.set $crc (i32.xor
          (i32.xor
          (i32.xor
          (i32.xor
          (i32.load offset=15360 (i32.add (local.get $tables) (i32.shl (i32.and (local.get $a) (i32.const 255)) (i32.const 2))))
          (i32.load offset=14336 (i32.add (local.get $tables) (i32.shl (i32.and (i32.shr_u (local.get $a) (i32.const 8)) (i32.const 255)) (i32.const 2)))))
          (i32.xor
          (i32.load offset=13312 (i32.add (local.get $tables) (i32.shl (i32.and (i32.shr_u (local.get $a) (i32.const 16)) (i32.const 255)) (i32.const 2))))
          (i32.load offset=12288 (i32.add (local.get $tables) (i32.shl (i32.shr_u (local.get $a) (i32.const 24)) (i32.const 2))))))
          (i32.xor
          (i32.xor
          (i32.load offset=11264 (i32.add (local.get $tables) (i32.shl (i32.and (local.get $b) (i32.const 255)) (i32.const 2))))
          (i32.load offset=10240 (i32.add (local.get $tables) (i32.shl (i32.and (i32.shr_u (local.get $b) (i32.const 8)) (i32.const 255)) (i32.const 2)))))
          (i32.xor
          (i32.load offset=9216 (i32.add (local.get $tables) (i32.shl (i32.and (i32.shr_u (local.get $b) (i32.const 16)) (i32.const 255)) (i32.const 2))))
          (i32.load offset=8192 (i32.add (local.get $tables) (i32.shl (i32.shr_u (local.get $b) (i32.const 24)) (i32.const 2)))))))
          (i32.xor
          (i32.xor
          (i32.xor
          (i32.load offset=7168 (i32.add (local.get $tables) (i32.shl (i32.and (local.get $c) (i32.const 255)) (i32.const 2))))
          (i32.load offset=6144 (i32.add (local.get $tables) (i32.shl (i32.and (i32.shr_u (local.get $c) (i32.const 8)) (i32.const 255)) (i32.const 2)))))
          (i32.xor
          (i32.load offset=5120 (i32.add (local.get $tables) (i32.shl (i32.and (i32.shr_u (local.get $c) (i32.const 16)) (i32.const 255)) (i32.const 2))))
          (i32.load offset=4096 (i32.add (local.get $tables) (i32.shl (i32.shr_u (local.get $c) (i32.const 24)) (i32.const 2))))))
          (i32.xor
          (i32.xor
          (i32.load offset=3072 (i32.add (local.get $tables) (i32.shl (i32.and (local.get $d) (i32.const 255)) (i32.const 2))))
          (i32.load offset=2048 (i32.add (local.get $tables) (i32.shl (i32.and (i32.shr_u (local.get $d) (i32.const 8)) (i32.const 255)) (i32.const 2)))))
          (i32.xor
          (i32.load offset=1024 (i32.add (local.get $tables) (i32.shl (i32.and (i32.shr_u (local.get $d) (i32.const 16)) (i32.const 255)) (i32.const 2))))
          (i32.load offset=0 (i32.add (local.get $tables) (i32.shl (i32.shr_u (local.get $d) (i32.const 24)) (i32.const 2)))))))))
      (local.set $from (i32.add (local.get $from) (i32.const 16)))
      (br $next)))
    (block $done (loop $next
      (br_if $done (i32.ge_u (local.get $from) (local.get $end)))
      (local.set $a (i32.xor (local.get $crc) (i32.load8_u (local.get $from))))
      (local.set $crc (i32.xor (i32.shr_u (local.get $crc) (i32.const 8)) (i32.load offset=0 (i32.add (local.get $tables) (i32.shl (i32.and (local.get $a) (i32.const 255)) (i32.const 2))))))
      (local.set $from (i32.add (local.get $from) (i32.const 1)))
      (br $next)))
    (i32.xor (local.get $crc) (i32.const -1)))

  ;; Decodes a stored chunk: what blosc.ts describes, followed by its CRC-32C. $kind: the first four bytes it must have.
  ;; $size: bytes of the values. Returns 0; 1 where the checksum is wrong, 2 where the chunk is malformed.
  (func (export "chunk")
    (param $at i32) (param $length i32) (param $kind i32) (param $size i32)
    (param $planes i32) (param $values i32) (param $room i32) (param $tables i32) (result i32)
    (local $end i32) (local $block i32)
    (if (i32.lt_u (local.get $length) (i32.const 28)) (then (return (i32.const 2))))
    (local.set $end (i32.sub (local.get $length) (i32.const 4)))
    (local.set $block (i32.sub (local.get $length) (i32.const 28)))
    (if (i32.ne
          (call $crc (local.get $at) (local.get $end) (local.get $tables))
          (i32.load (i32.add (local.get $at) (local.get $end))))
      (then (return (i32.const 1))))
    (if (i32.or
          (i32.or
            (i32.or
              (i32.ne (i32.load (local.get $at)) (local.get $kind))
              (i32.ne (i32.load offset=4 (local.get $at)) (local.get $size)))
            (i32.or
              (i32.ne (i32.load offset=8 (local.get $at)) (local.get $size))
              (i32.ne (i32.load offset=12 (local.get $at)) (local.get $end))))
          (i32.or
            (i32.or
              (i32.ne (i32.load offset=16 (local.get $at)) (i32.const 20))
              (i32.ne (i32.load offset=20 (local.get $at)) (local.get $block)))
            (i32.gt_u (local.get $block) (local.get $size))))
      (then (return (i32.const 2))))
    (local.set $at (i32.add (local.get $at) (i32.const 24)))
    (if (i32.ne (local.get $block) (local.get $size))
      (then
        (if (i32.eqz (call $unpack (local.get $at) (local.get $block) (local.get $planes) (local.get $size)))
          (then (return (i32.const 2))))
        (local.set $at (local.get $planes))))
    (call $join (local.get $at) (local.get $values) (i32.shr_u (local.get $size) (i32.const 1)) (local.get $room))
    (i32.const 0)))
