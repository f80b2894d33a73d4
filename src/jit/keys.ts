// What a compiled shader depends on besides its IR: the variant keys. They hold only state that changes code; everything else
// (addresses, blend colour, reference values, sizes) is data in src/raster/layout.ts. Texture and blend state have keys of
// their own (`SamplerKey`, `BlendKey`), made of the pipe's words, which this layer must not import.
import type { Format } from '../format/format.ts';
import { type DepthStencilKey, depthStencilText } from '../raster/depth-stencil.ts';
import type { MemoryType } from '../wasm/module-builder.ts';
import { type BlendKey, blendKeyString } from './blend.ts';
import { type SamplerKey, samplerKeyString } from './sample.ts';

/** A vertex attribute. */
export interface AttributeKey {
  /** Decides the code that unpacks it. */
  readonly format: Format;
  /** ATTRIBUTE.divisor is not 0: one value for a whole call, fetched before the loop. */
  readonly isInstanced: boolean;
}

export interface VertexKey {
  /** By attribute location; null where nothing is bound or read (reads 0, 0, 0, 1). */
  readonly attributes: readonly (AttributeKey | null)[];
  /** Varying slots of the vertex record: decides its stride. At least as many as the fragment shader reads. */
  readonly varyingSlots: number;
  /** The last of these that hold clip and cull distances. */
  readonly distanceSlots?: number;
  /** By sampler index. */
  readonly textures: readonly (SamplerKey | null)[];
  /** Outputs are seen by transform feedback: NaNs must be the canonical one. */
  readonly capturesOutputs: boolean;
}

/** A colour output: how it is packed (format) and merged into the tile (blend, mask). */
export interface ColorTargetKey {
  readonly format: Format;
  readonly blend: BlendKey;
}

/** Four lanes a vector; one or two quads a step. Two hide latency (ANCHORS §4) where the shader has few live values. */
export type QuadsPerStep = 1 | 2;

export interface FragmentKey {
  /** By draw buffer; null where nothing is written. */
  readonly targets: readonly (ColorTargetKey | null)[];
  readonly samples: 1 | 4;
  /** Depth and stencil tests after shading (`needsLateTests`); null where coverage made them or there are none. */
  readonly lateDepthStencil: DepthStencilKey | null;
  /** Samples that survive are counted here, not by coverage (late tests or discard while a query runs). */
  readonly countsSamples: boolean;
  readonly alphaToCoverage: boolean;
  /** By sampler index. */
  readonly textures: readonly (SamplerKey | null)[];
  readonly quadsPerStep: QuadsPerStep;
  /** Varyings are the same all over a primitive (points): only v0 of each slot is there. */
  readonly hasConstantVaryings?: boolean;
  /** Varying slot of `clip0`; 0 where the shader does not read it. */
  readonly distanceSlot?: number;
}

/** The memory every module imports as `env.memory`; must suit the memory it is instantiated with. */
export const MODULE_MEMORY = { module: 'env', name: 'memory' } as const;

export function moduleMemory(isShared: boolean): MemoryType {
  return { minimumPages: 1, maximumPages: 65536, shared: isShared };
}

function texturesText(textures: readonly (SamplerKey | null)[]): string {
  return textures.map((key) => (key === null ? '' : samplerKeyString(key))).join(',');
}

/** A text that is equal for keys that give the same code from the same IR. */
export function vertexKeyText(key: VertexKey): string {
  const attributes = key.attributes.map((a) => (a === null ? '' : `${a.format}${a.isInstanced ? '/i' : ''}`));
  return `v|${attributes.join()}|${key.varyingSlots}${key.distanceSlots ? `-${key.distanceSlots}` : ''}|${texturesText(key.textures)}|${key.capturesOutputs ? 'c' : ''}`;
}

/** A text that is equal for keys that give the same code from the same IR. */
export function fragmentKeyText(key: FragmentKey): string {
  const targets = key.targets.map((target) => (target === null ? '' : blendKeyString(target.format, target.blend)));
  const options = [
    key.countsSamples ? 'n' : '',
    key.alphaToCoverage ? 'a' : '',
    key.hasConstantVaryings ? 'v' : '',
    key.distanceSlot ? `d${key.distanceSlot}` : '',
  ].join('');
  const flags = `${key.samples}${key.quadsPerStep}${options}`;
  const late = key.lateDepthStencil === null ? '' : depthStencilText(key.lateDepthStencil);
  return `f|${targets.join()}|${flags}|${late}|${texturesText(key.textures)}`;
}
