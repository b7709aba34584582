;; Bit planes of JPEG 2000 code blocks (ITU-T T.800): the arithmetic decoder of annex C and the passes of annex D.
;;
;; Samples are coded in stripes of four rows. One word of flags describes a column of a stripe:
;; bits 0 to 17: significance in the rows from above the stripe to below it, three bits each: west, here and east;
;; bits 18 to 23: signs in the same rows, here; bits 24 to 27: coded in this plane; bits 28 to 31: refined before.
;; Flags have a column more at each side, and a stripe more above and below. Magnitudes are doubled, row by row, and lie in
;; the middle of what is known of them. Addresses are those of code-block.ts.
(module
  (memory (export "memory") 2)

  ;; As long as more probable symbols need no renormalisation, interval and code register lose the same amount. Only the
  ;; margin, the smaller of the distances until something else happens, is counted down; both are so much above it.
  (global $margin (mut i32) (i32.const 0))
  (global $intervalAbove (mut i32) (i32.const 0))
  (global $codeAbove (mut i32) (i32.const 0))
  ;; The last byte that was read, and shifts until the next one.
  (global $at (mut i32) (i32.const 0))
  (global $shifts (mut i32) (i32.const 0))

  ;; Adds the next byte to the code register. A byte after 0xff holds 7 bits, and a marker ends the code word.
  (func $nextByte (param $code i32) (result i32)
    (local $next i32)
    (local.set $next (i32.load8_u offset=1 (global.get $at)))
    (global.set $shifts (i32.const 8))
    (if (i32.ne (i32.load8_u (global.get $at)) (i32.const 0xff))
      (then
        (global.set $at (i32.add (global.get $at) (i32.const 1)))
        (return (i32.add (local.get $code) (local.get $next)))))
    (if (i32.gt_u (local.get $next) (i32.const 0x8f))
      (then (return (i32.add (local.get $code) (i32.const 0xff)))))
    (global.set $at (i32.add (global.get $at) (i32.const 1)))
    (global.set $shifts (i32.const 7))
    (i32.add (local.get $code) (i32.shl (local.get $next) (i32.const 1))))

  ;; Registers have 8 bits behind the binary point: an interval is renormalised below 0x800000.
  (func $split (param $interval i32) (param $code i32)
    (local $margin i32)
    (local.set $margin (i32.sub (local.get $interval) (i32.const 0x800000)))
    (local.set $margin
      (select (local.get $margin) (local.get $code) (i32.lt_s (local.get $margin) (local.get $code))))
    (global.set $margin (local.get $margin))
    (global.set $intervalAbove (i32.sub (local.get $interval) (local.get $margin)))
    (global.set $codeAbove (i32.sub (local.get $code) (local.get $margin))))

  ;; Begins a code word. Two bytes of 0xff follow it.
  (func (export "start") (param $from i32)
    (local $code i32)
    (global.set $at (local.get $from))
    (local.set $code (call $nextByte (i32.shl (i32.load8_u (local.get $from)) (i32.const 8))))
    (global.set $shifts (i32.sub (global.get $shifts) (i32.const 7)))
    (call $split (i32.const 0x800000) (i32.shl (local.get $code) (i32.const 7))))

  ;; Without branches on the symbol: half of them would be predicted wrongly.
  (func $renormalise (param $context i32) (param $state i32) (result i32)
    (local $less i32) (local $interval i32) (local $code i32) (local $isLower i32) (local $isLess i32) (local $shift i32)
    (local.set $less (i32.load offset=64 (i32.shl (local.get $state) (i32.const 2))))
    (local.set $interval (i32.add (global.get $intervalAbove) (global.get $margin)))
    (local.set $code (i32.add (global.get $codeAbove) (global.get $margin)))
    ;; The lower subinterval is that of the less probable symbol, unless it is the larger one.
    (local.set $isLower (i32.lt_s (local.get $code) (i32.const 0)))
    (local.set $isLess (i32.xor (local.get $isLower) (i32.lt_s (local.get $interval) (local.get $less))))
    (local.set $code
      (i32.add (local.get $code) (i32.and (local.get $less) (i32.sub (i32.const 0) (local.get $isLower)))))
    (local.set $interval (select (local.get $less) (local.get $interval) (local.get $isLower)))
    (i32.store8
      (local.get $context)
      (i32.load8_u offset=448 (i32.add (i32.shl (local.get $state) (i32.const 1)) (local.get $isLess))))
    (local.set $shift (i32.sub (i32.clz (local.get $interval)) (i32.const 8)))
    (local.set $interval (i32.shl (local.get $interval) (local.get $shift)))
    (block $enough
      (loop $bytes
        (br_if $enough (i32.le_s (local.get $shift) (global.get $shifts)))
        (local.set $shift (i32.sub (local.get $shift) (global.get $shifts)))
        (local.set $code (call $nextByte (i32.shl (local.get $code) (global.get $shifts))))
        (br $bytes)))
    (global.set $shifts (i32.sub (global.get $shifts) (local.get $shift)))
    (call $split (local.get $interval) (i32.shl (local.get $code) (local.get $shift)))
    (i32.and (i32.xor (local.get $state) (local.get $isLess)) (i32.const 1)))

  ;; The next symbol, 0 or 1.
  (func $decode (param $context i32) (result i32)
    (local $state i32) (local $margin i32)
    (local.set $state (i32.load8_u (local.get $context)))
    (local.set $margin
      (i32.sub (global.get $margin) (i32.load offset=64 (i32.shl (local.get $state) (i32.const 2)))))
    (global.set $margin (local.get $margin))
    (if (i32.lt_s (local.get $margin) (i32.const 0))
      (then (return (call $renormalise (local.get $context) (local.get $state)))))
    (i32.and (local.get $state) (i32.const 1)))

  (func $or (param $word i32) (param $flags i32)
    (i32.store (local.get $word) (i32.or (i32.load (local.get $word)) (local.get $flags))))

  ;; Reads the sign of a sample, and tells its neighbours. $stride: bytes from stripe to stripe.
  (func $becomeSignificant (param $word i32) (param $row i32) (param $stride i32)
    (local $here i32) (local $found i32) (local $sign i32) (local $place i32)
    (local.set $here (i32.shr_u (i32.load (local.get $word)) (local.get $row)))
    ;; Significance and sign of the neighbours to the north, west, east and south.
    (local.set $found
      (i32.load8_u offset=640
        (i32.or
          (i32.or
            (i32.and
              (i32.shr_u (i32.load (local.get $word)) (i32.mul (local.get $row) (i32.const 3)))
              (i32.const 0xaa))
            (i32.and (i32.shr_u (local.get $here) (i32.const 18)) (i32.const 1)))
          (i32.or
            (i32.or
              (i32.and
                (i32.shr_u
                  (i32.load (i32.sub (local.get $word) (i32.const 4)))
                  (i32.add (local.get $row) (i32.const 17)))
                (i32.const 4))
              (i32.and
                (i32.shr_u (i32.load offset=4 (local.get $word)) (i32.add (local.get $row) (i32.const 15)))
                (i32.const 16)))
            (i32.and (i32.shr_u (local.get $here) (i32.const 14)) (i32.const 64))))))
    (local.set $sign
      (i32.xor
        (call $decode (i32.shr_u (local.get $found) (i32.const 1)))
        (i32.and (local.get $found) (i32.const 1))))
    (local.set $place (i32.mul (local.get $row) (i32.const 3)))
    (call $or (i32.sub (local.get $word) (i32.const 4)) (i32.shl (i32.const 0x20) (local.get $place)))
    (call $or (i32.add (local.get $word) (i32.const 4)) (i32.shl (i32.const 0x08) (local.get $place)))
    (call $or
      (local.get $word)
      (i32.or
        (i32.shl (i32.const 0x10) (local.get $place))
        (i32.shl (local.get $sign) (i32.add (local.get $row) (i32.const 19)))))
    (if (i32.eqz (local.get $row))
      (then
        (local.set $place (i32.sub (local.get $word) (local.get $stride)))
        (call $or (i32.sub (local.get $place) (i32.const 4)) (i32.const 0x20000))
        (call $or
          (local.get $place)
          (i32.or (i32.const 0x10000) (i32.shl (local.get $sign) (i32.const 23))))
        (call $or (i32.add (local.get $place) (i32.const 4)) (i32.const 0x8000))))
    (if (i32.eq (local.get $row) (i32.const 3))
      (then
        (local.set $place (i32.add (local.get $word) (local.get $stride)))
        (call $or (i32.sub (local.get $place) (i32.const 4)) (i32.const 4))
        (call $or (local.get $place) (i32.or (i32.const 2) (i32.shl (local.get $sign) (i32.const 18))))
        (call $or (i32.add (local.get $place) (i32.const 4)) (i32.const 1)))))

  ;; Samples with significant neighbours that are not significant yet. $contexts: address of those of the band.
  (func (export "significancePass")
    (param $width i32) (param $height i32) (param $plane i32) (param $contexts i32)
    (local $stride i32) (local $top i32) (local $rows i32) (local $word i32) (local $x i32) (local $row i32)
    (local $near i32)
    (local.set $stride (i32.shl (i32.add (local.get $width) (i32.const 2)) (i32.const 2)))
    (loop $stripes
      (local.set $rows (i32.sub (local.get $height) (local.get $top)))
      (local.set $rows (select (local.get $rows) (i32.const 4) (i32.lt_s (local.get $rows) (i32.const 4))))
      (local.set $word
        (i32.add
          (i32.const 4100)
          (i32.mul (i32.add (i32.shr_u (local.get $top) (i32.const 2)) (i32.const 1)) (local.get $stride))))
      (local.set $x (i32.const 0))
      (loop $columns
        (if (i32.and (i32.load (local.get $word)) (i32.const 0x3ffff))
          (then
            (local.set $row (i32.const 0))
            (loop $column
              (local.set $near
                (i32.shr_u (i32.load (local.get $word)) (i32.mul (local.get $row) (i32.const 3))))
              (if (i32.and
                    (i32.eqz (i32.and (local.get $near) (i32.const 0x10)))
                    (i32.ne (i32.and (local.get $near) (i32.const 0x1ef)) (i32.const 0)))
                (then
                  (if (call $decode
                        (i32.load8_u
                          (i32.add (local.get $contexts) (i32.and (local.get $near) (i32.const 0x1ef)))))
                    (then
                      (call $becomeSignificant
                        (local.get $word) (local.get $row) (local.get $stride))
                      (i32.store offset=20480
                        (i32.shl
                          (i32.add
                            (i32.mul (i32.add (local.get $top) (local.get $row)) (local.get $width))
                            (local.get $x))
                          (i32.const 2))
                        (i32.shl (i32.const 3) (local.get $plane)))))
                  (call $or (local.get $word) (i32.shl (i32.const 0x1000000) (local.get $row)))))
              (local.set $row (i32.add (local.get $row) (i32.const 1)))
              (br_if $column (i32.lt_s (local.get $row) (local.get $rows))))))
        (local.set $word (i32.add (local.get $word) (i32.const 4)))
        (local.set $x (i32.add (local.get $x) (i32.const 1)))
        (br_if $columns (i32.lt_s (local.get $x) (local.get $width))))
      (local.set $top (i32.add (local.get $top) (i32.const 4)))
      (br_if $stripes (i32.lt_s (local.get $top) (local.get $height)))))

  ;; The next bit of the samples that were significant before this plane.
  (func (export "refinementPass") (param $width i32) (param $height i32) (param $plane i32)
    (local $stride i32) (local $top i32) (local $rows i32) (local $word i32) (local $x i32) (local $row i32)
    (local $flags i32) (local $near i32) (local $at i32)
    (local.set $stride (i32.shl (i32.add (local.get $width) (i32.const 2)) (i32.const 2)))
    (loop $stripes
      (local.set $rows (i32.sub (local.get $height) (local.get $top)))
      (local.set $rows (select (local.get $rows) (i32.const 4) (i32.lt_s (local.get $rows) (i32.const 4))))
      (local.set $word
        (i32.add
          (i32.const 4100)
          (i32.mul (i32.add (i32.shr_u (local.get $top) (i32.const 2)) (i32.const 1)) (local.get $stride))))
      (local.set $x (i32.const 0))
      (loop $columns
        (local.set $flags (i32.load (local.get $word)))
        (if (i32.and (local.get $flags) (i32.const 0x3ffff))
          (then
            (local.set $row (i32.const 0))
            (loop $column
              (local.set $near (i32.shr_u (local.get $flags) (i32.mul (local.get $row) (i32.const 3))))
              (if (i32.and
                    (i32.shr_u (local.get $near) (i32.const 4))
                    (i32.eqz
                      (i32.and
                        (i32.shr_u (local.get $flags) (i32.add (local.get $row) (i32.const 24)))
                        (i32.const 1))))
                (then
                  (local.set $at
                    (i32.shl
                      (i32.add
                        (i32.mul (i32.add (local.get $top) (local.get $row)) (local.get $width))
                        (local.get $x))
                      (i32.const 2)))
                  (i32.store offset=20480
                    (local.get $at)
                    (i32.add
                      (i32.load offset=20480 (local.get $at))
                      (i32.shl
                        (i32.sub
                          (i32.shl
                            (call $decode
                              (select
                                (i32.const 16)
                                (i32.add
                                  (i32.const 14)
                                  (i32.ne (i32.and (local.get $near) (i32.const 0x1ef)) (i32.const 0)))
                                (i32.and
                                  (i32.shr_u (local.get $flags) (i32.add (local.get $row) (i32.const 28)))
                                  (i32.const 1))))
                            (i32.const 1))
                          (i32.const 1))
                        (local.get $plane))))
                  (local.set $flags
                    (i32.or (local.get $flags) (i32.shl (i32.const 0x10000000) (local.get $row))))))
              (local.set $row (i32.add (local.get $row) (i32.const 1)))
              (br_if $column (i32.lt_s (local.get $row) (local.get $rows))))
            (i32.store (local.get $word) (local.get $flags))))
        (local.set $word (i32.add (local.get $word) (i32.const 4)))
        (local.set $x (i32.add (local.get $x) (i32.const 1)))
        (br_if $columns (i32.lt_s (local.get $x) (local.get $width))))
      (local.set $top (i32.add (local.get $top) (i32.const 4)))
      (br_if $stripes (i32.lt_s (local.get $top) (local.get $height)))))

  ;; All other samples; four rows without significant neighbours in one symbol.
  (func (export "cleanupPass")
    (param $width i32) (param $height i32) (param $plane i32) (param $contexts i32)
    (local $stride i32) (local $top i32) (local $rows i32) (local $word i32) (local $x i32) (local $row i32)
    (local $flags i32) (local $near i32) (local $isFound i32)
    (local.set $stride (i32.shl (i32.add (local.get $width) (i32.const 2)) (i32.const 2)))
    (loop $stripes
      (local.set $rows (i32.sub (local.get $height) (local.get $top)))
      (local.set $rows (select (local.get $rows) (i32.const 4) (i32.lt_s (local.get $rows) (i32.const 4))))
      (local.set $word
        (i32.add
          (i32.const 4100)
          (i32.mul (i32.add (i32.shr_u (local.get $top) (i32.const 2)) (i32.const 1)) (local.get $stride))))
      (local.set $x (i32.const 0))
      (loop $columns
        (block $next
          (local.set $row (i32.const 0))
          (local.set $isFound (i32.const 0))
          (if (i32.and
                (i32.eq (local.get $rows) (i32.const 4))
                (i32.eqz (i32.and (i32.load (local.get $word)) (i32.const 0x0f03ffff))))
            (then
              (br_if $next (i32.eqz (call $decode (i32.const 17))))
              (local.set $row (i32.shl (call $decode (i32.const 18)) (i32.const 1)))
              (local.set $row (i32.add (local.get $row) (call $decode (i32.const 18))))
              (local.set $isFound (i32.const 1))))
          (loop $column
            (block $done
              (if (i32.eqz (local.get $isFound))
                (then
                  (local.set $flags (i32.load (local.get $word)))
                  (local.set $near (i32.shr_u (local.get $flags) (i32.mul (local.get $row) (i32.const 3))))
                  (br_if $done (i32.and (local.get $near) (i32.const 0x10)))
                  (br_if $done
                    (i32.and
                      (i32.shr_u (local.get $flags) (i32.add (local.get $row) (i32.const 24)))
                      (i32.const 1)))
                  (br_if $done
                    (i32.eqz
                      (call $decode
                        (i32.load8_u
                          (i32.add (local.get $contexts) (i32.and (local.get $near) (i32.const 0x1ef)))))))))
              (local.set $isFound (i32.const 0))
              (call $becomeSignificant
                (local.get $word) (local.get $row) (local.get $stride))
              (i32.store offset=20480
                (i32.shl
                  (i32.add
                    (i32.mul (i32.add (local.get $top) (local.get $row)) (local.get $width))
                    (local.get $x))
                  (i32.const 2))
                (i32.shl (i32.const 3) (local.get $plane))))
            (local.set $row (i32.add (local.get $row) (i32.const 1)))
            (br_if $column (i32.lt_s (local.get $row) (local.get $rows))))
          (i32.store
            (local.get $word)
            (i32.and (i32.load (local.get $word)) (i32.const 0xf0ffffff))))
        (local.set $word (i32.add (local.get $word) (i32.const 4)))
        (local.set $x (i32.add (local.get $x) (i32.const 1)))
        (br_if $columns (i32.lt_s (local.get $x) (local.get $width))))
      (local.set $top (i32.add (local.get $top) (i32.const 4)))
      (br_if $stripes (i32.lt_s (local.get $top) (local.get $height)))))
)
