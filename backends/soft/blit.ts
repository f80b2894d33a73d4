// Copies that need no shader: bytes between equal layouts, and resolves of multisampled levels.

import { blockBytes, type Format, formatDescription, isDepthOrStencil } from '../../src/format/format.ts';
import { BLIT, type BlitInfo, type Box, type PipeStatus, type Resource } from '../../src/pipe/pipe.ts';
import { cutsBox } from '../../src/util/blitter/boxes.ts';
import { finishUsers, finishWriters, prepareWrite } from './hazards.ts';
import { resolveDirect } from './resolve.ts';
import type { SoftResource } from './resource.ts';
import type { SoftScreen } from './screen.ts';
import { checkBox } from './transfer.ts';

type Corner = Readonly<Pick<Box, 'x' | 'y' | 'z'>>;

/** Copies a box of bytes, all samples of it. Compressed boxes are given in texels and were decoded on upload. */
export function copyRegion(
  screen: SoftScreen,
  destinationResource: Resource,
  destinationLevel: number,
  corner: Corner,
  sourceResource: Resource,
  sourceLevel: number,
  box: Readonly<Box>,
): PipeStatus {
  const destination = destinationResource as SoftResource;
  const source = sourceResource as SoftResource;
  checkBox(source, sourceLevel, box);
  checkBox(destination, destinationLevel, { ...box, ...corner });
  finishWriters(source.storage);
  if (destination.target === 'buffer') prepareWrite(destination, 'kept');
  else finishUsers(destination.storage);
  const { engine } = screen;
  const to = destination.layout[destinationLevel]!;
  const from = source.layout[sourceLevel]!;
  const bytes = blockBytes(source.storedFormat);
  // Slices that move up inside of one resource go from the last to the first, so that none is read after it was written.
  const movesUp = source === destination && corner.z > box.z;
  for (let sample = 0; sample < source.samples; sample++) {
    for (let step = 0; step < box.depth; step++) {
      const slice = movesUp ? box.depth - 1 - step : step;
      engine.copyRect(
        destination.levelAddress(destinationLevel, corner.z + slice) +
          sample * to.sampleStride +
          corner.y * to.rowStride +
          corner.x * bytes,
        to.rowStride,
        source.levelAddress(sourceLevel, box.z + slice) +
          sample * from.sampleStride +
          box.y * from.rowStride +
          box.x * bytes,
        from.rowStride,
        box.width * bytes,
        box.height,
      );
    }
  }
  return 'ok';
}

/** All aspects that the format has are wanted. */
function copiesWholePixels(format: Format, mask: number): boolean {
  const { hasDepth, hasStencil } = formatDescription(format);
  if (!isDepthOrStencil(format)) return (mask & BLIT.COLOR) !== 0;
  return (!hasDepth || (mask & BLIT.DEPTH) !== 0) && (!hasStencil || (mask & BLIT.STENCIL) !== 0);
}

/** Does a blit that is a plain copy or a whole resolve. Undefined when it is neither. */
export function blitDirect(screen: SoftScreen, info: BlitInfo): PipeStatus | undefined {
  const { source, destination, mask } = info;
  const from = source.box;
  const to = destination.box;
  const isPlain =
    !cutsBox(info.scissor, to) &&
    source.format === destination.format &&
    source.resource.format === destination.resource.format &&
    source.resource.samples === destination.resource.samples &&
    from.width === to.width &&
    from.height === to.height &&
    from.depth === to.depth &&
    from.width > 0 &&
    from.height > 0 &&
    source.resource !== destination.resource &&
    copiesWholePixels(source.format, mask) &&
    isInside(source.resource, source.level, from) &&
    isInside(destination.resource, destination.level, to);
  if (!isPlain) return resolveDirect(screen, info);
  return copyRegion(screen, destination.resource, destination.level, to, source.resource, source.level, from);
}

function isInside(resource: Resource, level: number, box: Box): boolean {
  const { width, height, depth } = (resource as SoftResource).layout[level]!;
  return (
    box.x >= 0 &&
    box.y >= 0 &&
    box.z >= 0 &&
    box.x + box.width <= width &&
    box.y + box.height <= height &&
    box.z + box.depth <= depth
  );
}
