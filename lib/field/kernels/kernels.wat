;; SIMD versions of round-stored-field.ts and serialise.ts: whole fields, four nodes at a time.
;; Addresses are byte offsets into the memory. The functions have no state.
(module
  (memory (export "memory") 40)

  ;; Entries of the lengths of vectors, as quantiseStoredSpeeds.
  ;; $x, $y: int16 components. $out: uint16 entries. $count: nodes, a multiple of 4. $factor: hundredths per stored unit.
  ;; $doubts: receives, as int32, the index of each group of four in which a node lies within 1e-6 of a rounding boundary;
  ;; the caller computes these. Returns their number.
  (func (export "speeds")
    (param $x i32) (param $y i32) (param $out i32) (param $count i32) (param $factor f64) (param $doubts i32)
    (result i32)
    (local $i i32) (local $found i32)
    (local $a v128) (local $b v128) (local $missing v128)
    (local $low v128) (local $high v128) (local $lowWhole v128) (local $highWhole v128)
    (loop $four
      (local.set $a (v128.load16x4_s (i32.add (local.get $x) (i32.shl (local.get $i) (i32.const 1)))))
      (local.set $b (v128.load16x4_s (i32.add (local.get $y) (i32.shl (local.get $i) (i32.const 1)))))
      (local.set $missing (v128.or
        (i32x4.eq (local.get $a) (v128.const i32x4 -32768 -32768 -32768 -32768))
        (i32x4.eq (local.get $b) (v128.const i32x4 -32768 -32768 -32768 -32768))))
      ;; At most 2 · 32767², which fits into int32; missing values become 0.
      (local.set $a (v128.andnot
        (i32x4.add (i32x4.mul (local.get $a) (local.get $a)) (i32x4.mul (local.get $b) (local.get $b)))
        (local.get $missing)))
      (local.set $low (f64x2.mul (f64x2.splat (local.get $factor))
        (f64x2.sqrt (f64x2.convert_low_i32x4_s (local.get $a)))))
      (local.set $high (f64x2.mul (f64x2.splat (local.get $factor))
        (f64x2.sqrt (f64x2.convert_low_i32x4_s
          (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $a) (local.get $a))))))
      (local.set $lowWhole (f64x2.nearest (local.get $low)))
      (local.set $highWhole (f64x2.nearest (local.get $high)))
      (if (v128.any_true (v128.or
            (f64x2.gt (f64x2.abs (f64x2.sub (local.get $low) (local.get $lowWhole))) (v128.const f64x2 0.499999 0.499999))
            (f64x2.gt (f64x2.abs (f64x2.sub (local.get $high) (local.get $highWhole))) (v128.const f64x2 0.499999 0.499999))))
        (then
          (i32.store (i32.add (local.get $doubts) (i32.shl (local.get $found) (i32.const 2))) (local.get $i))
          (local.set $found (i32.add (local.get $found) (i32.const 1)))))
      (local.set $a (i32x4.add (v128.const i32x4 16384 16384 16384 16384)
        (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
          (i32x4.trunc_sat_f64x2_s_zero (local.get $lowWhole))
          (i32x4.trunc_sat_f64x2_s_zero (local.get $highWhole)))))
      (local.set $a (v128.bitselect (v128.const i32x4 65535 65535 65535 65535) (local.get $a) (local.get $missing)))
      (v128.store64_lane 0 (i32.add (local.get $out) (i32.shl (local.get $i) (i32.const 1)))
        (i16x8.narrow_i32x4_u (local.get $a) (local.get $a)))
      (br_if $four (i32.lt_u
        (local.tee $i (i32.add (local.get $i) (i32.const 4)))
        (local.get $count))))
    (local.get $found))

  ;; Entries of the bearings along vectors, as quantiseStoredVectorBearings.
  ;; As above; $sense: 1 for where they go TO, -1 for where they come FROM. $near: components of a calm are below.
  ;; In doubt are calms, and tenths within 5e-4 of a rounding boundary: the arc is off by 1.5e-4 at most.
  (func (export "bearings")
    (param $x i32) (param $y i32) (param $out i32) (param $count i32) (param $sense i32) (param $near i32)
    (param $doubts i32) (result i32)
    (local $i i32) (local $found i32)
    (local $a v128) (local $b v128) (local $missing v128)
    (local $ax v128) (local $ay v128) (local $ratio v128) (local $square v128) (local $fourth v128) (local $tenths v128) (local $whole v128)
    (loop $four
      (local.set $a (v128.load16x4_s (i32.add (local.get $x) (i32.shl (local.get $i) (i32.const 1)))))
      (local.set $b (v128.load16x4_s (i32.add (local.get $y) (i32.shl (local.get $i) (i32.const 1)))))
      (local.set $missing (v128.or
        (i32x4.eq (local.get $a) (v128.const i32x4 -32768 -32768 -32768 -32768))
        (i32x4.eq (local.get $b) (v128.const i32x4 -32768 -32768 -32768 -32768))))
      (local.set $a (i32x4.mul (local.get $a) (i32x4.splat (local.get $sense))))
      (local.set $b (i32x4.mul (local.get $b) (i32x4.splat (local.get $sense))))
      (local.set $ax (i32x4.abs (local.get $a)))
      (local.set $ay (i32x4.abs (local.get $b)))
      ;; The angle from the nearer axis, 0 to 450 tenths: a polynomial of the arc's tangent, fitted by least maximum error.
      (local.set $ratio (f32x4.div
        (f32x4.convert_i32x4_s (i32x4.min_s (local.get $ax) (local.get $ay)))
        (f32x4.convert_i32x4_s (i32x4.max_s (local.get $ax) (local.get $ay)))))
      (local.set $square (f32x4.mul (local.get $ratio) (local.get $ratio)))
      (local.set $fourth (f32x4.mul (local.get $square) (local.get $square)))
      ;; Estrin's scheme, so that the products are independent.
      (local.set $tenths (f32x4.add
        (f32x4.add
          (f32x4.add (v128.const f32x4 572.9573974609375 572.9573974609375 572.9573974609375 572.9573974609375)
            (f32x4.mul (local.get $square) (v128.const f32x4 -190.96603393554688 -190.96603393554688 -190.96603393554688 -190.96603393554688)))
          (f32x4.mul (local.get $fourth) (f32x4.add (v128.const f32x4 114.285400390625 114.285400390625 114.285400390625 114.285400390625)
            (f32x4.mul (local.get $square) (v128.const f32x4 -79.69056701660156 -79.69056701660156 -79.69056701660156 -79.69056701660156)))))
        (f32x4.mul (f32x4.mul (local.get $fourth) (local.get $fourth)) (f32x4.add
          (f32x4.add (v128.const f32x4 55.24570083618164 55.24570083618164 55.24570083618164 55.24570083618164)
            (f32x4.mul (local.get $square) (v128.const f32x4 -32.03537368774414 -32.03537368774414 -32.03537368774414 -32.03537368774414)))
          (f32x4.mul (local.get $fourth) (f32x4.add (v128.const f32x4 12.526530265808105 12.526530265808105 12.526530265808105 12.526530265808105)
            (f32x4.mul (local.get $square) (v128.const f32x4 -2.323089838027954 -2.323089838027954 -2.323089838027954 -2.323089838027954))))))))
      (local.set $tenths (f32x4.mul (local.get $tenths) (local.get $ratio)))
      (local.set $whole (f32x4.nearest (local.get $tenths)))
      (if (v128.any_true (v128.andnot
            (v128.or
              (f32x4.gt (f32x4.abs (f32x4.sub (local.get $tenths) (local.get $whole)))
                (v128.const f32x4 0.4995 0.4995 0.4995 0.4995))
              (i32x4.lt_s (i32x4.max_s (local.get $ax) (local.get $ay)) (i32x4.splat (local.get $near))))
            (local.get $missing)))
        (then
          (i32.store (i32.add (local.get $doubts) (i32.shl (local.get $found) (i32.const 2))) (local.get $i))
          (local.set $found (i32.add (local.get $found) (i32.const 1)))))
      ;; From the octant to the full circle, in whole tenths.
      (local.set $whole (i32x4.trunc_sat_f32x4_s (local.get $whole)))
      (local.set $whole (v128.bitselect
        (local.get $whole)
        (i32x4.sub (v128.const i32x4 900 900 900 900) (local.get $whole))
        (i32x4.le_s (local.get $ax) (local.get $ay))))
      (local.set $whole (v128.bitselect
        (i32x4.sub (v128.const i32x4 1800 1800 1800 1800) (local.get $whole))
        (local.get $whole)
        (i32x4.lt_s (local.get $b) (v128.const i32x4 0 0 0 0))))
      (local.set $whole (v128.bitselect
        (i32x4.sub (v128.const i32x4 3600 3600 3600 3600) (local.get $whole))
        (local.get $whole)
        (i32x4.lt_s (local.get $a) (v128.const i32x4 0 0 0 0))))
      (local.set $whole (v128.andnot (local.get $whole)
        (i32x4.eq (local.get $whole) (v128.const i32x4 3600 3600 3600 3600))))
      (local.set $whole (i32x4.add (local.get $whole) (v128.const i32x4 16384 16384 16384 16384)))
      (local.set $whole
        (v128.bitselect (v128.const i32x4 65535 65535 65535 65535) (local.get $whole) (local.get $missing)))
      (v128.store64_lane 0 (i32.add (local.get $out) (i32.shl (local.get $i) (i32.const 1)))
        (i16x8.narrow_i32x4_u (local.get $whole) (local.get $whole)))
      (br_if $four (i32.lt_u
        (local.tee $i (i32.add (local.get $i) (i32.const 4)))
        (local.get $count))))
    (local.get $found))

  ;; Writes the texts of entries one after another. $entries to $end: uint16, at least one. $words: eight bytes per entry.
  ;; $lengths: how many of them are used. $at: start of the text; up to seven bytes after its end are overwritten.
  ;; Returns its end.
  (func (export "write")
    (param $entries i32) (param $end i32) (param $words i32) (param $lengths i32) (param $at i32)
    (result i32)
    (local $entry i32)
    (loop $next
      (local.set $entry (i32.load16_u (local.get $entries)))
      (i64.store (local.get $at)
        (i64.load (i32.add (local.get $words) (i32.shl (local.get $entry) (i32.const 3)))))
      (local.set $at (i32.add (local.get $at)
        (i32.load8_u (i32.add (local.get $lengths) (local.get $entry)))))
      (br_if $next (i32.lt_u
        (local.tee $entries (i32.add (local.get $entries) (i32.const 2)))
        (local.get $end))))
    (local.get $at)))
