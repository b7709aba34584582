// What the map of this project needs of MapLibre and of deck.gl, and what it leaves out.

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

/**
 * Lines of MapLibre that are replaced, each found once: what it draws in every frame and nobody sees. Without a graphics
 * processor the two took 4 tenths of a frame.
 */
export const changedOfMapLibre = {
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

/** Shaders of what is left out. */
export const leftOutShaders =
  /^(?:heatmap|hillshade|color_relief|fill_extrusion|raster|terrain|sky|atmosphere|collision_(?:box|circle)|debug)\w*\.(?:vertex|fragment)\.glsl\.g\.ts$/;

/** What the map uses of deck.gl. */
export const usedOfDeck = {
  "@deck.gl/core": ["CompositeLayer", "Layer"],
  "@deck.gl/layers": ["BitmapLayer", "IconLayer"],
  "@deck.gl/maplibre": ["MapLibreOverlay"],
};

const named = (name, methods = "") => `export class ${name} { ${methods} }`;
const standard = (methods) => `export default class { ${methods} }`;
const fails = (what) =>
  `throw new Error("This map is built without ${what}: see scripts/map-library-parts.mjs.");`;

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
  // No layer has transitions.
  "@deck.gl/core/dist/lib/attribute/attribute-transition-manager.js": standard(
    `hasAttribute() { return false; } getAttributes() { return {}; } run() { return false; } finalize() {}
    update({ transitions }) { if (Object.keys(transitions || {}).length > 0) ${fails("transitions")} }`,
  ),
};
