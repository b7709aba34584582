import { IconLayer } from "@deck.gl/layers";
import type { Model } from "@luma.gl/engine";
import { type Clip, wholeWidth } from "#components/map/divider.ts";

/** One member per line: luma.gl parses the block line by line. */
const block = /* glsl */ `\
layout(std140) uniform clipUniforms {
  vec2 span;
} clip;
`;

const clipUniforms = { name: "clip", fs: block, uniformTypes: { span: "vec2<f32>" } } as const;

interface ClipProps {
  /** Pixels of each row that are coloured, read in each draw. */
  clip: () => Clip;
}

/** Icons of one of two pictures: a divider cuts them as it cuts the colours below. */
export class ClippedIconLayer<Item> extends IconLayer<Item, ClipProps> {
  static override layerName = "ClippedIconLayer";
  static override defaultProps = {
    clip: { type: "function", value: () => wholeWidth, compare: false },
  } as never;

  override getShaders() {
    const shaders = super.getShaders();
    return {
      ...shaders,
      modules: [...shaders.modules, clipUniforms],
      inject: {
        ...shaders.inject,
        "fs:#main-start": "if (gl_FragCoord.x < clip.span.x || gl_FragCoord.x >= clip.span.y) discard;",
      },
    };
  }

  protected override _drawModel(model: Model): void {
    model.shaderInputs.setProps({ clip: { span: this.props.clip() } });
    super._drawModel(model);
  }
}
