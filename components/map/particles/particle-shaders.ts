/**
 * PCG hash (Jarzynski and Olano 2020, "Hash Functions for GPU Rendering"): places depend on seed, particle and frame
 * only, on every machine.
 */
const pcg = /* glsl */ `
uint pcg(uint value) {
  uint state = value * 747796405u + 2891336453u;
  uint word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
  return (word >> 22u) ^ word;
}
float unit(uint hash) { return float(hash >> 8u) / 16777216.0; }
`;

/** Added to the time left of a particle that has just started, so that no stroke is drawn from where it ended. */
const STARTED = "100.0";

/** Moves each particle with the flow; one that ends restarts at a random place. State: x, y (CSS pixels), time left. */
export const moveShader = /* glsl */ `#version 300 es
precision highp float;
precision highp int;
uniform sampler2D velocity;
uniform vec2 size;
uniform float cell;
uniform float seconds;
uniform float life;
uniform uint seed;
uniform uint frame;
in vec3 state;
out vec3 moved;
out float strength;
${pcg}
// Velocity right and down, CSS pixels per second; the third component is 0 where there is none.
vec3 flow(vec2 place) {
  vec3 mean = texture(velocity, (place / cell + 0.5) / vec2(textureSize(velocity, 0))).xyz;
  return mean.z >= 0.5 ? vec3(mean.xy / mean.z, 1.0) : vec3(0.0);
}

void main() {
  vec3 here = flow(state.xy);
  vec3 half_way = flow(state.xy + 0.5 * seconds * here.xy);
  vec2 place = state.xy + seconds * half_way.xy;
  float left = (state.z >= ${STARTED} ? state.z - ${STARTED} : state.z) - seconds;
  bool outside = any(lessThan(place, vec2(0.0))) || any(greaterThan(place, size));
  if (left <= 0.0 || outside || here.z * half_way.z == 0.0) {
    uint hash = pcg(uint(gl_VertexID) ^ pcg(frame ^ pcg(seed)));
    uint other = pcg(hash);
    place = vec2(unit(hash), unit(other)) * size;
    left = ${STARTED} + life * (0.3 + 0.7 * unit(pcg(other)));
  }
  moved = vec3(place, left);
  strength = 0.0;
}
`;

/** A stroke from the previous to the current position of each particle; none for one that has just started. */
export const strokeVertexShader = /* glsl */ `#version 300 es
precision highp float;
uniform vec2 size;
uniform float width;
uniform float seconds;
in vec3 before;
in vec3 after;
out float strength;
// Below this speed a particle fades, CSS pixels per second.
const float LIVELY = 14.0;
void main() {
  vec2 along = after.xy - before.xy;
  float far = length(along);
  bool started = after.z >= ${STARTED};
  strength = clamp(far / max(seconds, 1e-4) / LIVELY, 0.0, 1.0);
  vec2 ahead = far > 0.0 ? along / far : vec2(1.0, 0.0);
  vec2 side = 0.5 * width * vec2(-ahead.y, ahead.x);
  vec2 end = (gl_VertexID & 1) == 0 ? before.xy : after.xy + 0.3 * ahead;
  vec2 place = end + ((gl_VertexID & 2) == 0 ? side : -side);
  gl_Position = started ? vec4(2.0, 2.0, 0.0, 1.0) : vec4(place / size * vec2(2.0, -2.0) + vec2(-1.0, 1.0), 0.0, 1.0);
}
`;

export const strokeFragmentShader = /* glsl */ `#version 300 es
precision mediump float;
in float strength;
out vec4 colour;
void main() { colour = vec4(strength); }
`;

/** A triangle that covers the canvas. */
export const coverVertexShader = /* glsl */ `#version 300 es
out vec2 place;
void main() {
  vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  place = 0.5 * corner + 0.5;
  gl_Position = vec4(corner, 0.0, 1.0);
}
`;

export const fadeFragmentShader = /* glsl */ `#version 300 es
precision mediump float;
uniform float share;
out vec4 colour;
void main() { colour = vec4(share); }
`;

/** Trails in one colour with an edge in another, so that they are visible on every colour of a field. */
export const showFragmentShader = /* glsl */ `#version 300 es
precision mediump float;
uniform sampler2D trails;
uniform vec4 ink;
uniform vec4 edge;
in vec2 place;
out vec4 colour;
void main() {
  vec2 texel = 1.0 / vec2(textureSize(trails, 0));
  float trail = texture(trails, place).r;
  float near = max(
    max(texture(trails, place + vec2(texel.x, 0.0)).r, texture(trails, place - vec2(texel.x, 0.0)).r),
    max(texture(trails, place + vec2(0.0, texel.y)).r, texture(trails, place - vec2(0.0, texel.y)).r)
  );
  float inside = trail * ink.a;
  float around = max(near - trail, 0.0) * edge.a;
  colour = vec4(ink.rgb * inside + edge.rgb * around * (1.0 - inside), inside + around * (1.0 - inside));
}
`;
