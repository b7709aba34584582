// What the map of this project needs of MapLibre and of deck.gl, and what it leaves out.

const named = (name, methods = "") => `export class ${name} { ${methods} }`;
const standard = (methods) => `export default class { ${methods} }`;
const failing = (name) => named(name, `constructor() { ${fails(name)} }`);
const fails = (what) =>
  `throw new Error("This map is built without ${what}: see scripts/map-library-parts.mjs.");`;

/** What the map uses of MapLibre: where its sources have it. */
export const usedOfMapLibre = {
  Map: "ui/map.ts",
  NavigationControl: "ui/control/navigation_control.ts",
  ScaleControl: "ui/control/scale_control.ts",
  GPUInitializationError: "util/gpu_initialization_error.ts",
};

/**
 * Modules whose exports are replaced by ones that fail when they are used: kinds of layers, of sources and of controls that
 * no part of the map has. Exports that only ask (`is…`) answer no.
 */
export const leftOutOfMapLibre = {
  // Layers: the map has background, fill, line, circle, symbol and custom ones.
  "style/style_layer/heatmap_style_layer.ts": ["HeatmapStyleLayer", "isHeatmapStyleLayer"],
  "style/style_layer/hillshade_style_layer.ts": ["HillshadeStyleLayer", "isHillshadeStyleLayer"],
  "style/style_layer/color_relief_style_layer.ts": ["ColorReliefStyleLayer", "isColorReliefStyleLayer"],
  "style/style_layer/fill_extrusion_style_layer.ts": ["FillExtrusionStyleLayer", "isFillExtrusionStyleLayer"],
  "style/style_layer/raster_style_layer.ts": ["RasterStyleLayer", "isRasterStyleLayer"],
  "webgl/draw/draw_heatmap.ts": ["drawHeatmap"],
  "webgl/draw/draw_hillshade.ts": ["drawHillshade"],
  "webgl/draw/draw_color_relief.ts": ["drawColorRelief"],
  "webgl/draw/draw_fill_extrusion.ts": ["drawFillExtrusion"],
  "webgl/draw/draw_raster.ts": ["drawRaster"],
  "webgl/draw/draw_debug.ts": ["drawDebug", "drawDebugPadding", "selectDebugSource"],
  "webgl/draw/draw_collision_debug.ts": ["drawCollisionDebug"],
  "webgl/program/heatmap_program.ts": [
    "heatmapUniforms",
    "heatmapTextureUniforms",
    "heatmapUniformValues",
    "heatmapTextureUniformValues",
  ],
  // The style has no sky: see `changedOfMapLibre`.
  "webgl/draw/draw_sky.ts": ["drawSky", "drawAtmosphere"],
  "webgl/program/sky_program.ts": ["skyUniforms", "skyUniformValues"],
  "webgl/program/atmosphere_program.ts": ["atmosphereUniforms", "atmosphereUniformValues"],
  // Terrain.
  "render/terrain.ts": ["Terrain"],
  "webgl/render_to_texture.ts": ["RenderToTexture"],
  "webgl/draw/draw_terrain.ts": ["drawTerrain", "drawDepth", "drawTerrainHeightMap"],
  // Sources: all are GeoJSON.
  "source/vector_tile_source.ts": ["VectorTileSource"],
  "source/raster_tile_source.ts": ["RasterTileSource"],
  "source/raster_dem_tile_source.ts": ["RasterDEMTileSource"],
  "source/video_source.ts": ["VideoSource"],
  "source/image_source.ts": ["ImageSource", "getCoordinatesCenterTileID"],
  "source/canvas_source.ts": ["CanvasSource"],
  "source/vector_tile_worker_source.ts": ["VectorTileWorkerSource"],
  "source/vector_tile_mlt.ts": ["MLTVectorTile"],
  "source/raster_dem_tile_worker_source.ts": ["RasterDEMTileWorkerSource"],
  "style/load_sprite.ts": ["loadSprite"],
  // Controls.
  "ui/control/attribution_control.ts": ["AttributionControl", "defaultAttributionControlOptions"],
  "ui/control/logo_control.ts": ["LogoControl"],
  "ui/hash.ts": ["Hash"],
};

/** Questions about lines that are written in columns: the answer is no. */
const unasked = [
  "UsesLocalIdeographFontFamily",
  "HasUprightVerticalOrientation",
  "HasNeutralVerticalOrientation",
].map((name) => `export function codePoint${name}(codePoint: number): boolean {`);

/** Lines of MapLibre that are replaced, each found once. */
export const changedOfMapLibre = {
  "util/unicode_properties.g.ts": unasked.map((line) => [line, `${line} return false;`]),
  // Styles are checked by their types when they are written, and expressions when they are read, with or without this.
  "style/validate_style.ts": [
    ["(validateStyleMin as unknown as ValidateStyle)", "(() => []) as unknown as ValidateStyle"],
    ["if (options?.validate === false) {", "if (true) {"],
  ],
  // What it draws in every frame and nobody sees: without a graphics processor the two took 4 tenths of a frame.
  // Without a sky in the style it is a transparent quad over the whole map, and the atmosphere of the globe is nothing.
  "render/painter.ts": [
    ["if (data.sky) this.drawFunctions.sky(this.skyMesh, frameRenderContext);", ""],
    ["this.drawFunctions.atmosphere(this.skyMesh, frameRenderContext);", ""],
  ],
  // Each source of lines and areas has the masks of its tiles drawn over the whole map. All sources have the same tiles:
  // the masks that are there serve the next one too.
  "render/frame_render_context.ts": [
    [
      "this.currentStencilSource = layer.source;",
      `const masks = this.currentStencilSource !== undefined && this.tileClippingMaskIDs;
      this.currentStencilSource = layer.source;
      if (masks && Object.keys(masks).length === tileIDs.length && tileIDs.every(({ key }) => key in masks)) return;`,
    ],
  ],
};

/** Modules of MapLibre's packages that are replaced, and by what: expressions that no style has, and differences of styles. */
export const replacedOfMapLibre = {
  ...Object.fromEntries(
    [
      ["distance", "Distance"],
      ["within", "Within"],
      ["number_format", "NumberFormat"],
      ["collator", "CollatorExpression"],
    ].map(([file, name]) => [
      `@maplibre/maplibre-gl-style-spec/dist/expression/definitions/${file}.mjs`,
      `export class ${name} { static parse() { ${fails(`the expression ${file}`)} } }`,
    ]),
  ),
  "@maplibre/maplibre-gl-style-spec/dist/diff.mjs": `export function diff() { ${fails("differences of styles")} }`,
};

/** Lines of MapLibre's package of tiles that are replaced, each found once: no source has clusters. */
export const changedOfTiles = {
  "@maplibre/geojson-vt/dist/geojson-vt.mjs": [
    [
      "this.tileIndex = options.cluster ? new ClusterTileIndex({",
      "this.tileIndex = false ? new ClusterTileIndex({",
    ],
  ],
};

/** Shaders of what is left out. */
export const leftOutShaders =
  /^(?:heatmap|hillshade|color_relief|fill_extrusion|raster|terrain|sky|atmosphere|collision_(?:box|circle)|debug|background_pattern|line_(?:gradient|pattern)|symbol_text_and_icon)\w*\.(?:vertex|fragment)\.glsl\.g\.ts$/;

/** What the map uses of deck.gl. */
export const usedOfDeck = {
  "@deck.gl/core": ["CompositeLayer", "Layer"],
  "@deck.gl/layers": ["BitmapLayer", "IconLayer"],
  "@deck.gl/maplibre": ["MapLibreOverlay"],
};

/** What is logged for who writes deck.gl is not; a method returns what logs. */
const plainLog = [
  "level = 0; priority = 0; userData = {}; get() {} enable() { return this; }",
  "assert(holds, text) { if (!holds) throw new Error(text); }",
  ...["log", "info", "once", "probe", "table", "time", "timeEnd", "group", "groupCollapsed", "groupEnd"].map(
    (name) => `${name}() { return () => {}; }`,
  ),
  ...["warn", "error", "deprecated", "removed"].map(
    (name) => `${name}(...texts) { return () => console.${name === "error" ? name : "warn"}(...texts); }`,
  ),
].join("\n");

/**
 * Modules of deck.gl's packages that are replaced, and by what: deck.gl makes an object of most of them whether it is used
 * or not, so these are empty where that is all that happens to them, and fail where more is asked.
 */
export const replacedOfDeck = {
  // MapLibre hears pointer and keys, and moves the camera; no layer of deck.gl can be picked or has a tooltip.
  "mjolnir.js/dist/index.js": [
    named("EventManager", "on() {} off() {} watch() {} destroy() {}"),
    ...["Pan", "DoubleClickDrag", "Pinch", "Tap"].map((name) => named(name)),
  ].join("\n"),
  "@deck.gl/core/dist/controllers/map-controller.js": standard(
    `constructor() { ${fails("deck.gl's controllers")} }`,
  ),
  "@deck.gl/core/dist/controllers/globe-controller.js": standard(
    `constructor() { ${fails("deck.gl's controllers")} }`,
  ),
  "@deck.gl/core/dist/lib/deck-picker.js": standard("setProps() {} finalize() {}"),
  "@deck.gl/core/dist/lib/widget-manager.js": named(
    "WidgetManager",
    `setProps() {} addDefault() {} onRedraw() {} finalize() {} onHover() { ${fails("widgets")} } onEvent() { ${fails("widgets")} }`,
  ),
  "@deck.gl/core/dist/lib/tooltip-widget.js": named("TooltipWidget"),
  // Images and data are passed as they are, never by address.
  "@loaders.gl/core/dist/index.js": `export function registerLoaders() {}\nexport function load() { ${fails("loaders")} }`,
  "@loaders.gl/images/dist/index.js": "export const ImageLoader = {};",
  // For WebGPU; the map draws with WebGL.
  "@deck.gl/core/dist/lib/attribute/attribute-buffer-groups.js": standard(
    `constructor() { ${fails("WebGPU")} }`,
  ),
  "@luma.gl/shadertools/dist/lib/shader-assembly/wgsl-interface-scan.js": `export function scanWGSLInterface() { ${fails("WebGPU")} }`,
  "@luma.gl/shadertools/dist/lib/shader-assembly/wgsl-binding-debug.js": `export function getShaderBindingDebugRowsFromWGSL() { ${fails("WebGPU")} }`,
  // No layer has plug-ins of shaders.
  "@luma.gl/shadertools/dist/lib/shader-assembly/shader-plugin-varyings.js":
    "export const assembleShaderPluginVaryingsGLSL = () => ({});\nexport const assembleShaderPluginVaryingsWGSL = undefined;",
  "@luma.gl/shadertools/dist/lib/shader-assembly/shader-plugin-vertex-inputs.js":
    'export const getShaderPluginVertexInputDeclarationsGLSL = () => "";\nexport const assembleShaderPluginVertexInputsWGSL = undefined;',
  // Layers have neither lights nor shadows.
  "@deck.gl/core/dist/effects/lighting/lighting-effect.js": standard(
    `id = "lighting-effect"; setup() {} setProps() {} preRender() {} cleanup() {} getShaderModuleProps() { return {}; }`,
  ),
  "@deck.gl/core/dist/passes/pick-layers-pass.js": standard(""),
  // Nothing is measured on the graphics processor, read back from it or computed there outside of drawing.
  "@luma.gl/webgl/dist/adapter/resources/webgl-query-set.js": failing("WEBGLQuerySet"),
  "@luma.gl/webgl/dist/adapter/resources/webgl-transform-feedback.js": failing("WEBGLTransformFeedback"),
  // For who writes deck.gl.
  "@luma.gl/engine/dist/debug/debug-framebuffer.js": "export function debugFramebuffer() {}",
  "@probe.gl/log/dist/loggers/probe-log.js": named("ProbeLog", plainLog),
  // No layer has transitions.
  "@deck.gl/core/dist/lib/uniform-transition-manager.js": standard(
    `active = false; add(key, from, to, settings) { if (settings) ${fails("transitions")} } update() { return {}; } clear() {}`,
  ),
  "@deck.gl/core/dist/lib/attribute/attribute-transition-manager.js": standard(
    `hasAttribute() { return false; } getAttributes() { return {}; } run() { return false; } finalize() {}
    update({ transitions }) { if (Object.keys(transitions || {}).length > 0) ${fails("transitions")} }`,
  ),
};

/** The first line of a function, and one that ends it at once: what it calls stays unused. */
const emptied = (line, end = "return;") => [line, `${line} ${end}`];

/** Lines of deck.gl's packages that are replaced, each found once: shaders are not assembled for WebGPU, nor checked twice. */
export const changedOfDeck = {
  "@luma.gl/shadertools/dist/lib/shader-assembly/assemble-shaders.js": [
    emptied("export function assembleWGSLShader(options) {", fails("WebGPU")),
  ],
  "@luma.gl/shadertools/dist/lib/shader-module/shader-module-uniform-layout.js": [
    emptied("export function validateShaderModuleUniformLayout(module, stage, options = {}) {"),
    emptied("export function warnIfGLSLUniformBlocksAreNotStd140(shaderSource, stage, log, context) {"),
  ],
};

/** The text of a module of deck.gl without shaders for WebGPU, and without the lines of comments in the others. */
export function shortenShaders(text) {
  return text
    .replace(/\/\* wgsl \*\/ `(?:\\.|\$\{\w+\}|[^`\\$])*`/gis, '""')
    .replace(/\/\* glsl \*\/ `(?:\\.|\$\{\w+\}|[^`\\$])*`/gis, (shader) =>
      shader.replace(/^[ \t]*\/\/.*\n/gm, ""),
    );
}
