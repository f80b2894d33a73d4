import { describe, expect, it } from 'vitest';
import type { Format } from '../../src/format/format.ts';
import { MAP, type ResourceTarget } from '../../src/pipe/pipe.ts';
import { Rig } from './rig.ts';
import { SoftScreen } from './screen.ts';
import { createTexture } from './testing.ts';

describe('texture transfers', () => {
  it.each<[ResourceTarget, number, number]>([
    ['texture2D', 1, 1],
    ['texture3D', 7, 1],
    ['texture2DArray', 1, 5],
    ['textureCube', 1, 6],
  ])('write and read boxes of a %s and touch nothing else', (target, depth, arraySize) => {
    const rig = new Rig();
    const [width, height] = [13, 13];
    const texture = rig.texture('R8G8_UNORM', width, height, { target, depth, arraySize, levels: 2 });
    for (const level of [0, 1]) {
      const [w, h] = [width >> level, height >> level];
      const layers = target === 'texture3D' ? Math.max(1, depth >> level) : arraySize;
      const box = { x: 1, y: 2, z: layers > 1 ? 1 : 0, width: 3, height: 2, depth: Math.min(2, layers) };
      const data = Uint8Array.from({ length: 100 }, (_, i) => i + 1);
      // Rows 8 bytes apart, layers 20.
      rig.context.textureSubdata(texture, level, box, data, 8, 20);
      for (let layer = 0; layer < layers; layer++) {
        const bytes = rig.bytes(texture, level, layer);
        for (let i = 0; i < w * h * 2; i++) {
          const [x, y, z] = [(i >> 1) % w, Math.floor(i / 2 / w), layer];
          const isInside = x >= 1 && x < 4 && y >= 2 && y < 4 && z >= box.z && z < box.z + box.depth;
          const expected = isInside ? (z - box.z) * 20 + (y - 2) * 8 + (x - 1) * 2 + (i & 1) + 1 : 0;
          expect(bytes[i]).toBe(expected);
        }
      }
    }
  });

  it('map a 3D box with its strides', () => {
    const rig = new Rig();
    const texture = rig.texture('R32_UINT', 5, 4, { target: 'texture3D', depth: 3 });
    const box = { x: 1, y: 1, z: 1, width: 2, height: 2, depth: 2 };
    const map = rig.context.transferMap(texture, 0, MAP.WRITE, box)!;
    const words = new DataView(map.data.buffer, map.data.byteOffset, map.data.byteLength);
    for (let z = 0; z < 2; z++) {
      for (let y = 0; y < 2; y++) {
        for (let x = 0; x < 2; x++) {
          words.setUint32(z * map.layerStrideBytes + y * map.strideBytes + x * 4, 100 * z + 10 * y + x + 1, true);
        }
      }
    }
    rig.context.transferUnmap(map);
    expect(rig.pixel(texture, 2, 2, 0, 2)[0]).toBe(112);
    expect(rig.pixel(texture, 1, 1, 0, 1)[0]).toBe(1);
    expect(rig.pixel(texture, 0, 0, 0, 0)[0]).toBe(0);
  });

  it('of packed depth-stencil move both aspects', () => {
    const rig = new Rig();
    for (const [format, words] of [
      ['Z24_UNORM_S8_UINT', [0x7b800000]],
      ['Z32_FLOAT_S8X24_UINT', [0x3f000000, 0x7b]],
    ] as const) {
      const zs = rig.texture(format, 3, 3);
      rig.upload(
        zs,
        Uint32Array.from({ length: 9 * words.length }, (_, i) => words[i % words.length]!),
      );
      expect(rig.depths(zs)[4]).toBeCloseTo(0.5, 6);
      expect(rig.stencils(zs)[4]).toBe(0x7b);
      // And what is uploaded is what is tested against.
      const color = rig.texture('R8_UNORM', 3, 3);
      const face = {
        func: 'equal',
        failOp: 'keep',
        depthFailOp: 'keep',
        passOp: 'zero',
        compareMask: 0xff,
        writeMask: 0xff,
      } as const;
      rig.target([color], zs);
      rig.depthStencil({
        depthTest: true,
        depthWrite: false,
        depthFunc: 'less',
        stencil: { front: face, back: face },
      });
      rig.context.setStencilReference({ front: 0x7b, back: 0x7b });
      rig.fill({ z: 0.4 });
      expect(rig.pixel(color, 1, 1)[0]).toBe(1);
      expect(rig.stencils(zs)[4]).toBe(0);
      expect(rig.depths(zs)[4]).toBeCloseTo(0.5, 6);
    }
  });

  it('refuse boxes outside of the level, writing nothing', () => {
    const rig = new Rig();
    const texture = rig.texture('R8_UNORM', 4, 4);
    const box = { x: 2, y: 0, z: 0, width: 3, height: 1, depth: 1 };
    expect(() => rig.context.transferMap(texture, 0, MAP.WRITE, box)).toThrow(RangeError);
    expect(() => rig.context.textureSubdata(texture, 0, box, new Uint8Array(3), 3, 3)).toThrow(RangeError);
    expect(() => rig.context.textureSubdata(texture, 1, { ...box, x: 0 }, new Uint8Array(3), 3, 3)).toThrow(RangeError);
  });

  it('new resources read as zero, also where freed ones were', () => {
    const rig = new Rig();
    for (let i = 0; i < 3; i++) {
      const texture = rig.texture('R8_UNORM', 300, 300);
      expect(rig.bytes(texture).every((byte) => byte === 0)).toBe(true);
      rig.upload(texture, new Uint8Array(300 * 300).fill(255));
      texture.destroy();
    }
  });

  it('compressed levels are written in blocks, and not read', () => {
    const rig = new Rig();
    const texture = rig.texture('ETC1_RGB8' as Format, 8, 8, { bind: 0 });
    const box = { x: 4, y: 0, z: 0, width: 4, height: 4, depth: 1 };
    expect(rig.context.transferMap(texture, 0, MAP.READ, box)).toBeNull();
    const map = rig.context.transferMap(texture, 0, MAP.WRITE, box)!;
    expect(map.data).toHaveLength(8);
    // Both halves of the block white.
    map.data.set([0xff, 0xff, 0xff, 0, 0, 0, 0, 0]);
    rig.context.transferUnmap(map);
  });
});

describe('buffers', () => {
  it('are written and read in parts', () => {
    const rig = new Rig();
    const buffer = createTexture(rig.screen, { target: 'buffer', format: 'R8_UNORM', width: 10, height: 1 });
    rig.context.bufferSubdata(buffer, MAP.WRITE, 3, Uint8Array.from([1, 2, 3]));
    const box = { x: 0, y: 0, z: 0, width: 10, height: 1, depth: 1 };
    const map = rig.context.transferMap(buffer, 0, MAP.READ, box)!;
    expect([...map.data]).toEqual([0, 0, 0, 1, 2, 3, 0, 0, 0, 0]);
    expect(() => rig.context.bufferSubdata(buffer, MAP.WRITE, 8, new Uint8Array(3))).toThrow(RangeError);
  });
});

describe('region copies', () => {
  it('move boxes between levels, layers and slices', () => {
    const rig = new Rig();
    const array = rig.texture('R8_UNORM', 16, 16, { target: 'texture2DArray', arraySize: 3, levels: 2 });
    const volume = rig.texture('R8_UNORM', 8, 8, { target: 'texture3D', depth: 4 });
    for (let layer = 0; layer < 3; layer++) rig.upload(array, new Uint8Array(64).fill(layer + 1), 1, layer);
    const box = { x: 0, y: 0, z: 1, width: 4, height: 4, depth: 2 };
    expect(rig.context.copyRegion(volume, 0, 3, 2, 2, array, 1, box)).toBe('ok');
    const byte = (x: number, y: number, z: number) => Math.round(rig.pixel(volume, x, y, 0, z)[0]! * 255);
    expect([byte(3, 2, 2), byte(6, 5, 3), byte(2, 2, 2), byte(3, 6, 3), byte(3, 2, 1)]).toEqual([2, 3, 0, 0, 0]);
  });

  it('move overlapping rows of one level', () => {
    const rig = new Rig();
    const texture = rig.texture('R8_UNORM', 8, 8);
    rig.upload(
      texture,
      Uint8Array.from({ length: 64 }, (_, i) => i),
    );
    const box = { x: 0, y: 0, z: 0, width: 8, height: 6, depth: 1 };
    rig.context.copyRegion(texture, 0, 0, 2, 0, texture, 0, box);
    const bytes = rig.bytes(texture);
    expect([...bytes.subarray(16)]).toEqual(Array.from({ length: 48 }, (_, i) => i));
  });

  it('move overlapping slices of one volume, up and down', () => {
    for (const [from, to] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const rig = new Rig();
      const volume = rig.texture('R8_UNORM', 2, 2, { target: 'texture3D', depth: 4 });
      for (let z = 0; z < 4; z++) rig.upload(volume, new Uint8Array(4).fill(z + 1), 0, z);
      const box = { x: 0, y: 0, z: from, width: 2, height: 2, depth: 3 };
      rig.context.copyRegion(volume, 0, 0, 0, to, volume, 0, box);
      const bytes = [0, 1, 2, 3].map((z) => rig.bytes(volume, 0, z)[0]);
      expect(bytes).toEqual(to === 1 ? [1, 1, 2, 3] : [2, 3, 4, 4]);
    }
  });

  it('refuse boxes that reach over the level', () => {
    const rig = new Rig();
    const [a, b] = [rig.texture('R8_UNORM', 8, 8), rig.texture('R8_UNORM', 8, 8)];
    const box = { x: 0, y: 0, z: 0, width: 8, height: 8, depth: 1 };
    expect(() => rig.context.copyRegion(b, 0, 1, 0, 0, a, 0, box)).toThrow(RangeError);
    expect(() => rig.context.copyRegion(b, 0, 0, 0, 0, a, 0, { ...box, y: 1 })).toThrow(RangeError);
  });

  it('keep the bytes of every format', () => {
    const rig = new Rig();
    for (const format of ['R8_UNORM', 'R16G16B16A16_FLOAT', 'R32G32B32A32_UINT', 'Z24_UNORM_S8_UINT'] as const) {
      const [from, to] = [rig.texture(format, 5, 3), rig.texture(format, 5, 3)];
      const data = Uint8Array.from(rig.bytes(from), (_, i) => (i * 37) & 255);
      rig.upload(from, data);
      const box = { x: 0, y: 0, z: 0, width: 5, height: 3, depth: 1 };
      rig.context.copyRegion(to, 0, 0, 0, 0, from, 0, box);
      expect(rig.bytes(to)).toEqual(data);
    }
  });
});

describe('memory that is not shared', () => {
  it('gives the same pixels, and maps that outlive its growth', () => {
    const pictures = [true, false].map((sharedMemory) => {
      const screen = new SoftScreen({ sharedMemory });
      expect(screen.memory.isShared).toBe(sharedMemory);
      const rig = new Rig(screen);
      const [color, zs] = [rig.texture('R8G8B8A8_UNORM', 70, 70), rig.texture('Z24_UNORM_S8_UINT', 70, 70)];
      const box = { x: 1, y: 1, z: 0, width: 5, height: 3, depth: 1 };
      const map = rig.context.transferMap(color, 0, MAP.READ | MAP.WRITE, box)!;
      rig.texture('R8_UNORM', 4096, 4096);
      map.data.fill(77, map.strideBytes, map.strideBytes + 20);
      rig.context.transferUnmap(map);
      rig.target([color], zs);
      rig.clearDepthStencil(1, 0);
      rig.depthStencil({ depthTest: true, depthWrite: true, depthFunc: 'less' });
      rig.rect(10.5, 20, 60, 66, { color: [1, 0, 0.5, 1], z: 0.5 });
      rig.fill({ color: [0, 1, 0, 1], z: 0.75 });
      rig.clear([0, 0, 1, 1], { scissor: { minX: 0, minY: 50, maxX: 70, maxY: 70 } });
      return rig.bytes(color);
    });
    expect(pictures[1]).toEqual(pictures[0]);
  });
});
