;; Bit planes of JPEG 2000 code blocks (ITU-T T.800): the arithmetic decoder of annex C and the passes of annex D.
;;
;; Samples are coded in stripes of four rows. One word of flags describes a column of a stripe. Bits 0 to 17: significance in
;; the rows from above the stripe to below it, three bits each: west, here and east. Bit 20 + 3 × row: refined before.
;; Bit 21 + 3 × row: coded in this plane. A word of signs has those of the same column, in bits 0, 3, 6 … 15 for the rows from
;; above the stripe to below it. Both have a column more at each side, and a stripe more above and below. Magnitudes are
;; doubled, and lie in the middle of what is known of them; the four rows of a column follow each other, then the columns of
;; a stripe. $shift is always 3 × row. Addresses are those of code-block.ts; contexts are addresses of eight bytes: a
;; probability and a state.
(module
  (memory (export "memory") 2)

  ;; As long as more probable symbols need no renormalisation, interval and code register lose the same amount. Only the
  ;; margin, the smaller of the distances until something else happens, is counted down. Registers have 8 bits behind the
  ;; binary point: an interval is renormalised below 0x800000. $excess is interval − 0x800000 − code, which stays the same.
  (global $margin (mut i32) (i32.const 0))
  (global $excess (mut i32) (i32.const 0))
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

  ;; Begins a code word. Two bytes of 0xff follow it. The interval is 0x800000.
  (func (export "start") (param $from i32)
    (local $code i32)
    (global.set $at (local.get $from))
    (local.set $code (call $nextByte (i32.shl (i32.load8_u (local.get $from)) (i32.const 8))))
    (global.set $shifts (i32.sub (global.get $shifts) (i32.const 7)))
    (global.set $margin (i32.const 0))
    (global.set $excess (i32.sub (i32.const 0) (i32.shl (local.get $code) (i32.const 7)))))

  ;; The next symbol, 0 or 1, and the new margin and excess. Where it is not clear at once, it is found without branches on
  ;; it: half of them would be predicted wrongly.
  (func $decode (param $context i32) (param $margin i32) (param $excess i32) (result i32 i32 i32)
    (local $less i32) (local $state i32) (local $interval i32) (local $code i32) (local $isLower i32) (local $isLess i32)
    (local $by i32)
    (local.set $less (i32.load (local.get $context)))
    (local.set $state (i32.load offset=4 (local.get $context)))
    (local.set $margin (i32.sub (local.get $margin) (local.get $less)))
    (if (i32.ge_s (local.get $margin) (i32.const 0))
      (then (return (i32.and (local.get $state) (i32.const 1)) (local.get $margin) (local.get $excess))))
    (local.set $isLower (i32.lt_s (local.get $excess) (i32.const 0)))
    (local.set $interval
      (i32.add
        (i32.add (local.get $margin) (i32.const 0x800000))
        (select (i32.const 0) (local.get $excess) (local.get $isLower))))
    (local.set $code
      (i32.sub (local.get $margin) (select (local.get $excess) (i32.const 0) (local.get $isLower))))
    ;; The lower subinterval is that of the less probable symbol, unless it is the larger one.
    (local.set $isLower (i32.lt_s (local.get $code) (i32.const 0)))
    (local.set $isLess (i32.xor (local.get $isLower) (i32.lt_s (local.get $interval) (local.get $less))))
    (local.set $code
      (i32.add (local.get $code) (select (local.get $less) (i32.const 0) (local.get $isLower))))
    (local.set $interval (select (local.get $less) (local.get $interval) (local.get $isLower)))
    (i64.store
      (local.get $context)
      (i64.load offset=256
        (i32.add (i32.shl (local.get $state) (i32.const 4)) (i32.shl (local.get $isLess) (i32.const 3)))))
    (local.set $by (i32.sub (i32.clz (local.get $interval)) (i32.const 8)))
    (local.set $interval (i32.shl (local.get $interval) (local.get $by)))
    (block $enough
      (loop $bytes
        (br_if $enough (i32.le_s (local.get $by) (global.get $shifts)))
        (local.set $by (i32.sub (local.get $by) (global.get $shifts)))
        (local.set $code (call $nextByte (i32.shl (local.get $code) (global.get $shifts))))
        (br $bytes)))
    (global.set $shifts (i32.sub (global.get $shifts) (local.get $by)))
    (local.set $code (i32.shl (local.get $code) (local.get $by)))
    (local.set $margin (i32.sub (local.get $interval) (i32.const 0x800000)))
    (local.set $excess (i32.sub (local.get $margin) (local.get $code)))
    (i32.and (i32.xor (local.get $state) (local.get $isLess)) (i32.const 1))
    (select (local.get $margin) (local.get $code) (i32.lt_s (local.get $excess) (i32.const 0)))
    (local.get $excess))

  ;; Address of the magnitude of a row. $column: address of that of the first row.
  (func $magnitudeAt (param $column i32) (param $shift i32) (result i32)
    (i32.add (local.get $column) (i32.shr_u (i32.mul (local.get $shift) (i32.const 43)) (i32.const 5))))

  ;; One bit for each row of a stripe, at 3 × row. $left: number of rows from the stripe on.
  (func $rowsOf (param $left i32) (result i32)
    (if (i32.ge_s (local.get $left) (i32.const 4)) (then (return (i32.const 0x249))))
    (i32.and
      (i32.const 0x249)
      (i32.sub (i32.shl (i32.const 1) (i32.mul (local.get $left) (i32.const 3))) (i32.const 1))))

  ;; Rows of a column that are not significant, but have significant neighbours.
  (func $rowsNear (param $flags i32) (result i32)
    (local $any i32)
    (local.set $any
      (i32.or
        (local.get $flags)
        (i32.or
          (i32.shr_u (local.get $flags) (i32.const 1))
          (i32.shr_u (local.get $flags) (i32.const 2)))))
    (i32.and
      (i32.or
        (local.get $any)
        (i32.or
          (i32.shr_u (local.get $any) (i32.const 3))
          (i32.shr_u (local.get $any) (i32.const 6))))
      (i32.xor (i32.shr_u (local.get $flags) (i32.const 4)) (i32.const -1))))

  ;; Samples that are not significant yet: those with significant neighbours; in a clean-up pass, all that were not coded in
  ;; this plane, four rows without significant neighbours in one symbol. Both are one function, which V8 would otherwise
  ;; compile to slower code after some images. $contexts: address of those of the band.
  (func (export "significancePass")
    (param $width i32) (param $height i32) (param $plane i32) (param $contexts i32) (param $isCleanup i32)
    (local $stride i32) (local $word i32) (local $end i32) (local $column i32) (local $shift i32) (local $keep i32)
    (local $flags i32) (local $all i32) (local $rows i32) (local $margin i32) (local $excess i32) (local $symbol i32)
    (local $found i32) (local $west i32)
    (local.set $margin (global.get $margin))
    (local.set $excess (global.get $excess))
    (local.set $stride (i32.shl (i32.add (local.get $width) (i32.const 2)) (i32.const 2)))
    (local.set $word (i32.add (i32.const 4100) (local.get $stride)))
    (local.set $column (i32.const 36864))
    ;; A clean-up pass ends the plane.
    (local.set $keep (select (i32.const 0xb6dfffff) (i32.const -1) (local.get $isCleanup)))
    (loop $stripes
      (local.set $all (call $rowsOf (local.get $height)))
      (local.set $end (i32.add (local.get $word) (i32.shl (local.get $width) (i32.const 2))))
      (loop $columns
        (local.set $flags (i32.load (local.get $word)))
        (if (local.get $isCleanup)
          (then
            (local.set $rows
              (i32.xor
                (i32.or
                  (i32.shr_u (local.get $flags) (i32.const 4))
                  (i32.shr_u (local.get $flags) (i32.const 21)))
                (i32.const -1))))
          (else (local.set $rows (call $rowsNear (local.get $flags)))))
        (local.set $rows (i32.and (local.get $rows) (local.get $all)))
        (block $next
          (block $done
            (br_if $done (i32.eqz (local.get $rows)))
            (loop $row
              (block $significant
                (if (i32.and
                      (local.get $isCleanup)
                      (i32.and
                        (i32.eq (local.get $rows) (i32.const 0x249))
                        (i32.eqz (i32.and (local.get $flags) (i32.const 0x3ffff)))))
                  (then
                    ;; Contexts 17 and 18.
                    (call $decode (i32.const 136) (local.get $margin) (local.get $excess))
                    (local.set $excess)
                    (local.set $margin)
                    (local.set $symbol)
                    (br_if $next (i32.eqz (local.get $symbol)))
                    (call $decode (i32.const 144) (local.get $margin) (local.get $excess))
                    (local.set $excess)
                    (local.set $margin)
                    (local.set $symbol)
                    (local.set $shift (i32.mul (local.get $symbol) (i32.const 6)))
                    (call $decode (i32.const 144) (local.get $margin) (local.get $excess))
                    (local.set $excess)
                    (local.set $margin)
                    (local.set $symbol)
                    (local.set $shift
                      (i32.add (local.get $shift) (i32.mul (local.get $symbol) (i32.const 3))))
                    (local.set $rows (i32.and (local.get $rows) (i32.shl (i32.const -2) (local.get $shift))))
                    (br $significant)))
                (local.set $shift (i32.ctz (local.get $rows)))
                (local.set $rows (i32.and (local.get $rows) (i32.sub (local.get $rows) (i32.const 1))))
                (call $decode
                  (i32.load8_u
                    (i32.add
                      (local.get $contexts)
                      (i32.and (i32.shr_u (local.get $flags) (local.get $shift)) (i32.const 0x1ef))))
                  (local.get $margin)
                  (local.get $excess))
                (local.set $excess)
                (local.set $margin)
                (local.set $symbol)
                (local.set $flags
                  (i32.or (local.get $flags) (i32.shl (i32.const 0x200000) (local.get $shift))))
                (br_if $significant (local.get $symbol))
                (br_if $row (local.get $rows))
                (br $done))
              ;; The sign, by significance and sign of the neighbours to the north, west, east and south.
              (local.set $found
                (i32.load8_u offset=1792
                  (i32.or
                    (i32.or
                      (i32.and (i32.shr_u (local.get $flags) (local.get $shift)) (i32.const 0xaa))
                      (i32.and
                        (i32.shr_u (i32.load offset=16384 (local.get $word)) (local.get $shift))
                        (i32.const 0x41)))
                    (i32.or
                      (i32.and
                        (i32.shr_u
                          (i32.load offset=16380 (local.get $word))
                          (i32.add (local.get $shift) (i32.const 1)))
                        (i32.const 4))
                      (i32.and
                        (i32.shr_u
                          (i32.shl (i32.load offset=16388 (local.get $word)) (i32.const 1))
                          (local.get $shift))
                        (i32.const 16))))))
              (call $decode
                (i32.and (local.get $found) (i32.const 0xf8))
                (local.get $margin)
                (local.get $excess))
              (local.set $excess)
              (local.set $margin)
              (local.set $symbol)
              (local.set $symbol (i32.xor (local.get $symbol) (i32.and (local.get $found) (i32.const 1))))
              (local.set $flags (i32.or (local.get $flags) (i32.shl (i32.const 0x10) (local.get $shift))))
              (i32.store
                (call $magnitudeAt (local.get $column) (local.get $shift))
                (i32.shl (i32.const 3) (local.get $plane)))
              ;; Marks the sample as significant in the words of its neighbours.
              (local.set $west (i32.sub (local.get $word) (i32.const 4)))
              (i32.store
                (local.get $west)
                (i32.or (i32.load (local.get $west)) (i32.shl (i32.const 0x20) (local.get $shift))))
              (i32.store offset=8
                (local.get $west)
                (i32.or (i32.load offset=8 (local.get $west)) (i32.shl (i32.const 0x08) (local.get $shift))))
              (i32.store offset=16388
                (local.get $west)
                (i32.or (i32.load offset=16388 (local.get $west)) (i32.shl (local.get $symbol) (i32.add (local.get $shift) (i32.const 3)))))
              (if (i32.eqz (local.get $shift))
                (then
                  (local.set $west (i32.sub (local.get $west) (local.get $stride)))
                  (i32.store
                    (local.get $west)
                    (i32.or (i32.load (local.get $west)) (i32.const 0x20000)))
                  (i32.store offset=4
                    (local.get $west)
                    (i32.or (i32.load offset=4 (local.get $west)) (i32.const 0x10000)))
                  (i32.store offset=8
                    (local.get $west)
                    (i32.or (i32.load offset=8 (local.get $west)) (i32.const 0x8000)))
                  (i32.store offset=16388
                    (local.get $west)
                    (i32.or (i32.load offset=16388 (local.get $west)) (i32.shl (local.get $symbol) (i32.const 15))))))
              (if (i32.eq (local.get $shift) (i32.const 9))
                (then
                  (local.set $west (i32.add (local.get $west) (local.get $stride)))
                  (i32.store
                    (local.get $west)
                    (i32.or (i32.load (local.get $west)) (i32.const 4)))
                  (i32.store offset=4
                    (local.get $west)
                    (i32.or (i32.load offset=4 (local.get $west)) (i32.const 2)))
                  (i32.store offset=8
                    (local.get $west)
                    (i32.or (i32.load offset=8 (local.get $west)) (i32.const 1)))
                  (i32.store offset=16388
                    (local.get $west)
                    (i32.or (i32.load offset=16388 (local.get $west)) (local.get $symbol)))))
              (if (i32.eqz (local.get $isCleanup))
                (then
                  (local.set $rows
                    (i32.and
                      (i32.and (call $rowsNear (local.get $flags)) (local.get $all))
                      (i32.shl (i32.const -2) (local.get $shift))))))
              (br_if $row (local.get $rows))))
          (i32.store (local.get $word) (i32.and (local.get $flags) (local.get $keep))))
        (local.set $column (i32.add (local.get $column) (i32.const 16)))
        (local.set $word (i32.add (local.get $word) (i32.const 4)))
        (br_if $columns (i32.lt_u (local.get $word) (local.get $end))))
      (local.set $word (i32.add (local.get $word) (i32.const 8)))
      (local.set $height (i32.sub (local.get $height) (i32.const 4)))
      (br_if $stripes (i32.gt_s (local.get $height) (i32.const 0))))
    (global.set $margin (local.get $margin))
    (global.set $excess (local.get $excess)))

  ;; The next bit of the samples that were significant before this plane.
  (func (export "refinementPass") (param $width i32) (param $height i32) (param $plane i32)
    (local $word i32) (local $end i32) (local $column i32) (local $shift i32) (local $near i32) (local $at i32)
    (local $flags i32) (local $rows i32) (local $margin i32) (local $excess i32) (local $symbol i32)
    (local.set $margin (global.get $margin))
    (local.set $excess (global.get $excess))
    (local.set $word (i32.add (i32.const 4108) (i32.shl (local.get $width) (i32.const 2))))
    (local.set $column (i32.const 36864))
    (loop $stripes
      (local.set $end (i32.add (local.get $word) (i32.shl (local.get $width) (i32.const 2))))
      (loop $columns
        (local.set $flags (i32.load (local.get $word)))
        (local.set $rows
          (i32.and
            (i32.and (i32.shr_u (local.get $flags) (i32.const 4)) (i32.const 0x249))
            (i32.xor (i32.shr_u (local.get $flags) (i32.const 21)) (i32.const -1))))
        (if (local.get $rows)
          (then
            (loop $row
              (local.set $shift (i32.ctz (local.get $rows)))
              (local.set $rows (i32.and (local.get $rows) (i32.sub (local.get $rows) (i32.const 1))))
              (local.set $near (i32.shr_u (local.get $flags) (local.get $shift)))
              ;; Contexts 14 to 16.
              (call $decode
                (select
                  (i32.const 128)
                  (i32.add
                    (i32.const 112)
                    (i32.shl
                      (i32.ne (i32.and (local.get $near) (i32.const 0x1ef)) (i32.const 0))
                      (i32.const 3)))
                  (i32.and (local.get $near) (i32.const 0x100000)))
                (local.get $margin)
                (local.get $excess))
              (local.set $excess)
              (local.set $margin)
              (local.set $symbol)
              (local.set $at (call $magnitudeAt (local.get $column) (local.get $shift)))
              (i32.store
                (local.get $at)
                (i32.add
                  (i32.load (local.get $at))
                  (i32.shl
                    (i32.sub (i32.shl (local.get $symbol) (i32.const 1)) (i32.const 1))
                    (local.get $plane))))
              (local.set $flags (i32.or (local.get $flags) (i32.shl (i32.const 0x100000) (local.get $shift))))
              (br_if $row (local.get $rows)))
            (i32.store (local.get $word) (local.get $flags))))
        (local.set $column (i32.add (local.get $column) (i32.const 16)))
        (local.set $word (i32.add (local.get $word) (i32.const 4)))
        (br_if $columns (i32.lt_u (local.get $word) (local.get $end))))
      (local.set $word (i32.add (local.get $word) (i32.const 8)))
      (local.set $height (i32.sub (local.get $height) (i32.const 4)))
      (br_if $stripes (i32.gt_s (local.get $height) (i32.const 0))))
    (global.set $margin (local.get $margin))
    (global.set $excess (local.get $excess)))
)
