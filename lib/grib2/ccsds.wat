;; CCSDS 121.0-B lossless coding, one interval at a time: from packed bits to scaled values. ccsds.ts documents the coding.
;;
;; The octets are stored in reverse order, because then a little-endian load of eight of them has their bits in the order of
;; the stream. Eight zeros lie below the last octet, so that a load near the end reads no ones. The samples of the interval
;; begin at address 0, and become float32 in place.
(module
  (memory (export "memory") 1)

  (global $width (mut i32) (i32.const 0))
  (global $identifierBits (mut i32) (i32.const 0))
  (global $blockSize (mut i32) (i32.const 0))
  (global $blocks (mut i32) (i32.const 0))
  (global $isPreprocessed (mut i32) (i32.const 0))
  (global $isPadded (mut i32) (i32.const 0))
  (global $reference (mut f64) (f64.const 0))
  (global $binaryFactor (mut f64) (f64.const 0))
  (global $decimalFactor (mut f64) (f64.const 0))
  ;; Address of the first eight octets.
  (global $first (mut i32) (i32.const 0))
  ;; Number of bits, and position of the next one; it is beyond them once the stream is found to be damaged.
  (global $length (mut i32) (i32.const 0))
  (global $position (mut i32) (i32.const 0))

  ;; $blocks: blocks to an interval. $first: address of the eight octets that the stream begins with. $length: octets.
  (func (export "start")
    (param $width i32) (param $identifierBits i32) (param $blockSize i32) (param $blocks i32)
    (param $isPreprocessed i32) (param $isPadded i32)
    (param $reference f64) (param $binaryFactor f64) (param $decimalFactor f64)
    (param $first i32) (param $length i32)
    (global.set $width (local.get $width))
    (global.set $identifierBits (local.get $identifierBits))
    (global.set $blockSize (local.get $blockSize))
    (global.set $blocks (local.get $blocks))
    (global.set $isPreprocessed (local.get $isPreprocessed))
    (global.set $isPadded (local.get $isPadded))
    (global.set $reference (local.get $reference))
    (global.set $binaryFactor (local.get $binaryFactor))
    (global.set $decimalFactor (local.get $decimalFactor))
    (global.set $first (local.get $first))
    (global.set $length (i32.shl (local.get $length) (i32.const 3)))
    (global.set $position (i32.const 0)))

  ;; The next 57 or more bits, the first one highest, followed by zeros.
  (func $bitsAt (param $position i32) (result i64)
    (i64.shl
      (i64.load (i32.sub (global.get $first) (i32.shr_u (local.get $position) (i32.const 3))))
      (i64.extend_i32_u (i32.and (local.get $position) (i32.const 7)))))

  ;; Reads a number of 1 to 32 bits.
  (func $take (param $width i32) (result i32)
    (local $position i32)
    (local.set $position (global.get $position))
    (global.set $position (i32.add (local.get $position) (local.get $width)))
    (if (i32.gt_u (global.get $position) (global.get $length)) (then (return (i32.const 0))))
    (i32.wrap_i64
      (i64.shr_u
        (call $bitsAt (local.get $position))
        (i64.extend_i32_u (i32.sub (i32.const 64) (local.get $width))))))

  ;; Number of zero bits before the next one bit. Beyond the end there are only zeros.
  (func $unary (result i32)
    (local $position i32) (local $zeros i32) (local $bits i64) (local $seen i32)
    (local.set $position (global.get $position))
    (block $end
      (loop $words
        (br_if $end (i32.ge_u (local.get $position) (global.get $length)))
        (local.set $bits (call $bitsAt (local.get $position)))
        (if (i64.ne (local.get $bits) (i64.const 0))
          (then
            (local.set $seen (i32.wrap_i64 (i64.clz (local.get $bits))))
            (global.set $position
              (i32.add (i32.add (local.get $position) (local.get $seen)) (i32.const 1)))
            (return (i32.add (local.get $zeros) (local.get $seen)))))
        (local.set $seen (i32.sub (i32.const 64) (i32.and (local.get $position) (i32.const 7))))
        (local.set $zeros (i32.add (local.get $zeros) (local.get $seen)))
        (local.set $position (i32.add (local.get $position) (local.get $seen)))
        (br $words)))
    (global.set $position (i32.add (global.get $length) (i32.const 1)))
    (i32.const 0))

  ;; Blocks of zeros from $block on. Returns the block after them.
  (func $readZeros (param $block i32) (param $at i32) (result i32)
    (local $run i32) (local $left i32) (local $segment i32)
    (local.set $left (i32.sub (global.get $blocks) (local.get $block)))
    (local.set $run (i32.add (call $unary) (i32.const 1)))
    ;; 5 says that the zeros extend to the end of the segment of 64 blocks, so longer runs are one less than coded.
    (if (i32.ge_u (local.get $run) (i32.const 5))
      (then
        (if (i32.eq (local.get $run) (i32.const 5))
          (then
            (local.set $segment
              (i32.sub (i32.const 64) (i32.and (local.get $block) (i32.const 63))))
            (local.set $run
              (select
                (local.get $left)
                (local.get $segment)
                (i32.lt_u (local.get $left) (local.get $segment)))))
          (else (local.set $run (i32.sub (local.get $run) (i32.const 1)))))))
    (i32.add (local.get $block) (local.get $run)))

  ;; The second extension: two samples per code. $at: address of the first sample; $isReference: 1 if it is read already.
  (func $readPairs (param $at i32) (param $isReference i32)
    (local $end i32) (local $code i32) (local $sum i32)
    (local.set $end (i32.add (local.get $at) (i32.shl (global.get $blockSize) (i32.const 2))))
    (loop $pairs
      (local.set $code (call $unary))
      ;; The largest code is 90, of pairs whose sum is 12.
      (if (i32.gt_u (local.get $code) (i32.const 90))
        (then
          (global.set $position (i32.add (global.get $length) (i32.const 1)))
          (return)))
      ;; Codes count the pairs by their sum, and then by their second sample.
      (local.set $sum
        (i32.trunc_f32_u
          (f32.mul
            (f32.sub
              (f32.sqrt (f32.convert_i32_u (i32.add (i32.shl (local.get $code) (i32.const 3)) (i32.const 1))))
              (f32.const 1))
            (f32.const 0.5))))
      (local.set $code
        (i32.sub
          (local.get $code)
          (i32.shr_u (i32.mul (local.get $sum) (i32.add (local.get $sum) (i32.const 1))) (i32.const 1))))
      (if (i32.eqz (local.get $isReference))
        (then (i32.store (local.get $at) (i32.sub (local.get $sum) (local.get $code)))))
      (local.set $isReference (i32.const 0))
      (i32.store offset=4 (local.get $at) (local.get $code))
      (local.set $at (i32.add (local.get $at) (i32.const 8)))
      (br_if $pairs (i32.lt_u (local.get $at) (local.get $end)))))

  (func $readRaw (param $at i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $at) (i32.shl (global.get $blockSize) (i32.const 2))))
    (loop $samples
      (i32.store (local.get $at) (call $take (global.get $width)))
      (local.set $at (i32.add (local.get $at) (i32.const 4)))
      (br_if $samples (i32.lt_u (local.get $at) (local.get $end)))))

  ;; The high parts of the samples from $at to $end in unary, then their $low low bits.
  (func $readSplit (param $at i32) (param $end i32) (param $low i32)
    (local $next i32) (local $position i32) (local $bits i64) (local $zeros i32) (local $unused i64) (local $count i32)
    (local.set $next (local.get $at))
    (local.set $position (global.get $position))
    (loop $samples
      (if (i64.eqz (local.get $bits))
        (then (local.set $bits (call $bitsAt (local.get $position)))))
      (if (i64.eqz (local.get $bits))
        (then
          (global.set $position (local.get $position))
          (local.set $zeros (call $unary))
          (local.set $position (global.get $position))
          (if (i32.gt_u (local.get $position) (global.get $length)) (then (return))))
        (else
          (local.set $zeros (i32.wrap_i64 (i64.clz (local.get $bits))))
          (local.set $position (i32.add (i32.add (local.get $position) (local.get $zeros)) (i32.const 1)))
          (local.set $bits
            (i64.shl (i64.shl (local.get $bits) (i64.extend_i32_u (local.get $zeros))) (i64.const 1)))))
      (i32.store (local.get $next) (i32.shl (local.get $zeros) (local.get $low)))
      (local.set $next (i32.add (local.get $next) (i32.const 4)))
      (br_if $samples (i32.lt_u (local.get $next) (local.get $end))))
    (global.set $position
      (i32.add
        (local.get $position)
        (i32.mul (i32.shr_u (i32.sub (local.get $end) (local.get $at)) (i32.const 2)) (local.get $low))))
    (if (i32.gt_u (global.get $position) (global.get $length)) (then (return)))
    (if (i32.eqz (local.get $low)) (then (return)))
    (local.set $unused (i64.extend_i32_u (i32.sub (i32.const 64) (local.get $low))))
    (loop $lows
      (i32.store
        (local.get $at)
        (i32.or
          (i32.load (local.get $at))
          (i32.wrap_i64 (i64.shr_u (call $bitsAt (local.get $position)) (local.get $unused)))))
      (local.set $position (i32.add (local.get $position) (local.get $low)))
      (local.set $at (i32.add (local.get $at) (i32.const 4)))
      (br_if $lows (i32.lt_u (local.get $at) (local.get $end)))))

  (func $scaled (param $sample i32) (result f32)
    (f32.demote_f64
      (f64.mul
        (f64.add
          (global.get $reference)
          (f64.mul (f64.convert_i32_u (local.get $sample)) (global.get $binaryFactor)))
        (global.get $decimalFactor))))

  ;; Scales samples that are not differences. Returns all bits that any of them has.
  (func $scaleAll (param $end i32) (result i32)
    (local $at i32) (local $value i32) (local $bits i32)
    (loop $samples
      (local.set $value (i32.load (local.get $at)))
      (local.set $bits (i32.or (local.get $bits) (local.get $value)))
      (f32.store (local.get $at) (call $scaled (local.get $value)))
      (local.set $at (i32.add (local.get $at) (i32.const 4)))
      (br_if $samples (i32.lt_u (local.get $at) (local.get $end))))
    (local.get $bits))

  ;; Reverses the unit-delay predictor, and scales. Small differences are interleaved, 0 −1 1 −2 2 …, while both signs are
  ;; possible; larger ones count from the nearer end of the range. Returns all bits that any sample has.
  (func $addAndScaleAll (param $end i32) (result i32)
    (local $at i32) (local $value i32) (local $most i32) (local $middle i32) (local $folded i32) (local $room i32)
    (local $bits i32)
    (local.set $middle (i32.shl (i32.const 1) (i32.sub (global.get $width) (i32.const 1))))
    (local.set $most (i32.add (local.get $middle) (i32.sub (local.get $middle) (i32.const 1))))
    (local.set $value (i32.load (i32.const 0)))
    (f32.store (i32.const 0) (call $scaled (local.get $value)))
    (local.set $bits (local.get $value))
    (loop $samples
      (local.set $at (i32.add (local.get $at) (i32.const 4)))
      (if (i32.lt_u (local.get $at) (local.get $end))
        (then
          (local.set $folded (i32.load (local.get $at)))
          (local.set $room
            (select
              (i32.sub (local.get $most) (local.get $value))
              (local.get $value)
              (i32.ge_u (local.get $value) (local.get $middle))))
          (if (i32.gt_u
                (i32.add (i32.shr_u (local.get $folded) (i32.const 1)) (i32.and (local.get $folded) (i32.const 1)))
                (local.get $room))
            (then
              (local.set $value
                (select
                  (i32.sub (local.get $most) (local.get $folded))
                  (local.get $folded)
                  (i32.ge_u (local.get $value) (local.get $middle)))))
            (else
              (local.set $value
                (i32.add
                  (local.get $value)
                  (i32.xor
                    (i32.shr_u (local.get $folded) (i32.const 1))
                    (i32.sub (i32.const 0) (i32.and (local.get $folded) (i32.const 1))))))))
          (local.set $bits (i32.or (local.get $bits) (local.get $value)))
          (f32.store (local.get $at) (call $scaled (local.get $value)))
          (br $samples))))
    (local.get $bits))

  ;; Reads at least $wanted values: all blocks of an interval, or the rest. Returns 0 if the stream is damaged.
  (func (export "readInterval") (param $wanted i32) (result i32)
    (local $uncompressed i32) (local $block i32) (local $at i32) (local $end i32) (local $blockBytes i32)
    (local $isReference i32) (local $identifier i32) (local $extension i32) (local $next i32)
    (local.set $uncompressed (i32.sub (i32.shl (i32.const 1) (global.get $identifierBits)) (i32.const 1)))
    (local.set $blockBytes (i32.shl (global.get $blockSize) (i32.const 2)))
    (local.set $end (i32.shl (local.get $wanted) (i32.const 2)))
    (loop $next
      ;; The reference sample is stored uncoded, before the rest of its block.
      (local.set $isReference (i32.and (global.get $isPreprocessed) (i32.eqz (local.get $block))))
      (local.set $identifier (call $take (global.get $identifierBits)))
      (local.set $extension (i32.const 0))
      (if (i32.eqz (local.get $identifier))
        (then (local.set $extension (i32.add (call $take (i32.const 1)) (i32.const 1)))))
      (if (i32.and (local.get $isReference) (i32.ne (local.get $identifier) (local.get $uncompressed)))
        (then (i32.store (i32.const 0) (call $take (global.get $width)))))
      (local.set $next (i32.add (local.get $block) (i32.const 1)))
      (if (i32.eq (local.get $extension) (i32.const 1))
        (then
          (local.set $next (call $readZeros (local.get $block) (local.get $at)))
          (if (i32.gt_u (local.get $next) (global.get $blocks)) (then (return (i32.const 0))))
          (local.set $at (i32.add (local.get $at) (i32.shl (local.get $isReference) (i32.const 2))))
          ;; The interval at the end of the field may be shorter than the coder's.
          (memory.fill
            (local.get $at)
            (i32.const 0)
            (i32.sub
              (select
                (local.get $end)
                (i32.mul (local.get $next) (local.get $blockBytes))
                (i32.lt_u (local.get $end) (i32.mul (local.get $next) (local.get $blockBytes))))
              (local.get $at))))
        (else
          (if (i32.eq (local.get $extension) (i32.const 2))
            (then (call $readPairs (local.get $at) (local.get $isReference)))
            (else
              (if (i32.eq (local.get $identifier) (local.get $uncompressed))
                (then (call $readRaw (local.get $at)))
                (else
                  (call $readSplit
                    (i32.add (local.get $at) (i32.shl (local.get $isReference) (i32.const 2)))
                    (i32.add (local.get $at) (local.get $blockBytes))
                    (i32.sub (local.get $identifier) (i32.const 1)))))))))
      (if (i32.gt_u (global.get $position) (global.get $length)) (then (return (i32.const 0))))
      (local.set $block (local.get $next))
      (local.set $at (i32.mul (local.get $block) (local.get $blockBytes)))
      (br_if $next (i32.lt_u (local.get $at) (local.get $end))))
    (if (global.get $isPadded)
      (then
        (global.set $position
          (i32.and (i32.add (global.get $position) (i32.const 7)) (i32.const -8)))))
    ;; A sample that is larger than its width allows is damage too.
    (i64.eqz
      (i64.shr_u
        (i64.extend_i32_u
          (if (result i32) (global.get $isPreprocessed)
            (then (call $addAndScaleAll (local.get $end)))
            (else (call $scaleAll (local.get $end)))))
        (i64.extend_i32_u (global.get $width)))))
)
