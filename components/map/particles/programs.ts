/** A linked program and its uniforms by name. */
export interface Program {
  program: WebGLProgram;
  /** Makes it the program of the following draws. */
  activate(): void;
  uniform(name: string): WebGLUniformLocation | null;
}

/**
 * Compiles a program.
 *
 * @param attributes Names, in the order of their locations.
 * @param captured Output that transform feedback captures.
 * @throws Error with the driver's log when a shader is rejected.
 */
export function linkProgram(
  gl: WebGL2RenderingContext,
  vertex: string,
  fragment: string,
  attributes: readonly string[],
  captured?: string,
): Program {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.createShader(type);
    if (!shader) throw new Error("The graphics context was lost.");
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    // It is freed with the program.
    gl.deleteShader(shader);
  }
  for (const [location, name] of attributes.entries()) gl.bindAttribLocation(program, location, name);
  if (captured) gl.transformFeedbackVaryings(program, [captured], gl.SEPARATE_ATTRIBS);
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
    const logs = (gl.getAttachedShaders(program) ?? []).map((shader) => gl.getShaderInfoLog(shader));
    throw new Error(`Particles: ${[gl.getProgramInfoLog(program), ...logs].filter(Boolean).join("\n")}`);
  }
  return {
    program,
    activate: () => gl.useProgram(program),
    uniform: (name) => gl.getUniformLocation(program, name),
  };
}
