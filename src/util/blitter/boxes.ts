// Boxes and rectangles of blits.

import type { Box, Rect, Resource } from '../../pipe/pipe.ts';

export function levelSize(resource: Resource, level: number): { width: number; height: number; depth: number } {
  return {
    width: Math.max(1, resource.width >> level),
    height: Math.max(1, resource.height >> level),
    depth: resource.target === 'texture3D' ? Math.max(1, resource.depth >> level) : 1,
  };
}

/** One layer of a whole level. */
export function levelBox(resource: Resource, level: number): Box {
  const { width, height } = levelSize(resource, level);
  return { x: 0, y: 0, z: 0, width, height, depth: 1 };
}

/** Makes the destination box run forward; the source box keeps the sign. */
export function orient(source: Box, destination: Box): { source: Box; destination: Box } {
  const from = { ...source };
  const to = { ...destination };
  if (to.width < 0) {
    to.x += to.width;
    to.width = -to.width;
    from.x += from.width;
    from.width = -from.width;
  }
  if (to.height < 0) {
    to.y += to.height;
    to.height = -to.height;
    from.y += from.height;
    from.height = -from.height;
  }
  return { source: from, destination: to };
}

export function boxRect(box: Box): Rect {
  return { minX: box.x, minY: box.y, maxX: box.x + box.width, maxY: box.y + box.height };
}

/** The part of `rect` that lies inside of a surface and of `other` (null: everything). May be empty. */
export function intersect(rect: Rect, other: Rect | null, width: number, height: number): Rect {
  const limit = other ?? { minX: 0, minY: 0, maxX: width, maxY: height };
  return {
    minX: Math.max(rect.minX, limit.minX, 0),
    minY: Math.max(rect.minY, limit.minY, 0),
    maxX: Math.min(rect.maxX, limit.maxX, width),
    maxY: Math.min(rect.maxY, limit.maxY, height),
  };
}

function overlapsAlong(a: number, aSize: number, b: number, bSize: number): boolean {
  return Math.min(a, a + aSize) < Math.max(b, b + bSize) && Math.min(b, b + bSize) < Math.max(a, a + aSize);
}

/** Whether two boxes, of any sign, share a texel. */
export function overlaps(a: Box, b: Box): boolean {
  return (
    overlapsAlong(a.x, a.width, b.x, b.width) &&
    overlapsAlong(a.y, a.height, b.y, b.height) &&
    overlapsAlong(a.z, a.depth, b.z, b.depth)
  );
}

/** Whether the scissor leaves out a part of the box (whose size is not negative). */
export function cutsBox(scissor: Rect | null, box: Readonly<Box>): boolean {
  if (scissor === null) return false;
  const { minX, minY, maxX, maxY } = scissor;
  return minX > box.x || minY > box.y || maxX < box.x + box.width || maxY < box.y + box.height;
}
