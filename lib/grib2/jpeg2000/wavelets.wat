;; Lifting steps of JPEG 2000 (ITU-T T.800 annex F), four samples at a time. Addresses are in bytes; up to three samples
;; after the last one, or seven after $interleave, get numbers without meaning.
(module
  (memory (export "memory") 1)

  ;; Subtracts from samples a quarter of the sum of two neighbours of each, for the low frequencies of the 5/3 filter.
  (func (export "liftLow") (param $at i32) (param $near i32) (param $other i32) (param $count i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $at) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $samples
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (v128.store
          (local.get $at)
          (i32x4.sub
            (v128.load (local.get $at))
            (i32x4.shr_s
              (i32x4.add
                (i32x4.add (v128.load (local.get $near)) (v128.load (local.get $other)))
                (v128.const i32x4 2 2 2 2))
              (i32.const 2))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (local.set $near (i32.add (local.get $near) (i32.const 16)))
        (local.set $other (i32.add (local.get $other) (i32.const 16)))
        (br $samples))))

  ;; Adds to samples half of the sum of two neighbours of each, for the high frequencies of the 5/3 filter.
  (func (export "liftHigh") (param $at i32) (param $near i32) (param $other i32) (param $count i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $at) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $samples
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (v128.store
          (local.get $at)
          (i32x4.add
            (v128.load (local.get $at))
            (i32x4.shr_s
              (i32x4.add (v128.load (local.get $near)) (v128.load (local.get $other)))
              (i32.const 1))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (local.set $near (i32.add (local.get $near) (i32.const 16)))
        (local.set $other (i32.add (local.get $other) (i32.const 16)))
        (br $samples))))

  ;; Adds to float32 samples a multiple of the sum of two neighbours of each, for the 9/7 filter.
  (func (export "lift")
    (param $at i32) (param $near i32) (param $other i32) (param $count i32) (param $factor f32)
    (local $end i32)
    (local.set $end (i32.add (local.get $at) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $samples
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (v128.store
          (local.get $at)
          (f32x4.add
            (v128.load (local.get $at))
            (f32x4.mul
              (f32x4.add (v128.load (local.get $near)) (v128.load (local.get $other)))
              (f32x4.splat (local.get $factor)))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (local.set $near (i32.add (local.get $near) (i32.const 16)))
        (local.set $other (i32.add (local.get $other) (i32.const 16)))
        (br $samples))))

  ;; Multiplies float32 samples.
  (func (export "scale") (param $at i32) (param $count i32) (param $factor f32)
    (local $end i32)
    (local.set $end (i32.add (local.get $at) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $samples
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (v128.store
          (local.get $at)
          (f32x4.mul (v128.load (local.get $at)) (f32x4.splat (local.get $factor))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $samples))))

  ;; Writes samples of two rows in turn. $count: number of samples of the first one.
  (func (export "interleave") (param $low i32) (param $high i32) (param $to i32) (param $count i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $low) (i32.shl (local.get $count) (i32.const 2))))
    (loop $samples
      (v128.store
        (local.get $to)
        (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23
          (v128.load (local.get $low))
          (v128.load (local.get $high))))
      (v128.store offset=16
        (local.get $to)
        (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31
          (v128.load (local.get $low))
          (v128.load (local.get $high))))
      (local.set $low (i32.add (local.get $low) (i32.const 16)))
      (local.set $high (i32.add (local.get $high) (i32.const 16)))
      (local.set $to (i32.add (local.get $to) (i32.const 32)))
      (br_if $samples (i32.lt_u (local.get $low) (local.get $end)))))
)
