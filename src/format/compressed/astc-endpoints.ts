// ASTC's colour endpoint modes of the LDR profile (Khronos Data Format specification 1.3, §23.19).
import { clampByte } from './block.ts';

/** How many values an endpoint mode reads. */
export function endpointValues(mode: number): number {
  return ((mode >> 2) + 1) * 2;
}

function setColor(out: Int32Array, at: number, r: number, g: number, b: number, a: number): void {
  out[at] = clampByte(r);
  out[at + 1] = clampByte(g);
  out[at + 2] = clampByte(b);
  out[at + 3] = clampByte(a);
}

/** Blue contraction: red and green are stored as differences to the mean with blue. */
function setContracted(out: Int32Array, at: number, r: number, g: number, b: number, a: number): void {
  setColor(out, at, (r + b) >> 1, (g + b) >> 1, b, a);
}

/** Base and signed offset from a pair of values: the offset's top bit belongs to the base. */
function transferBit(offset: number, base: number): [offset: number, base: number] {
  const short = (offset >> 1) & 0x3f;
  return [short & 0x20 ? short - 0x40 : short, (base >> 1) | (offset & 0x80)];
}

/** Two absolute colours; the order tells whether blue is contracted. */
function decodeDirect(out: Int32Array, at: number, v: (k: number) => number, alpha0: number, alpha1: number): void {
  if (v(1) + v(3) + v(5) >= v(0) + v(2) + v(4)) {
    setColor(out, at, v(0), v(2), v(4), alpha0);
    setColor(out, at + 4, v(1), v(3), v(5), alpha1);
  } else {
    setContracted(out, at, v(1), v(3), v(5), alpha1);
    setContracted(out, at + 4, v(0), v(2), v(4), alpha0);
  }
}

/** A base colour and an offset; the offset's sign tells whether blue is contracted. */
function decodeOffset(out: Int32Array, at: number, v: (k: number) => number, hasAlpha: boolean): void {
  const [dr, r] = transferBit(v(1), v(0));
  const [dg, g] = transferBit(v(3), v(2));
  const [db, b] = transferBit(v(5), v(4));
  const [da, a] = hasAlpha ? transferBit(v(7), v(6)) : [0, 255];
  if (dr + dg + db >= 0) {
    setColor(out, at, r, g, b, a);
    setColor(out, at + 4, r + dr, g + dg, b + db, a + da);
  } else {
    setContracted(out, at, r + dr, g + dg, b + db, a + da);
    setContracted(out, at + 4, r, g, b, a);
  }
}

/** Writes the low and high endpoint (r g b a each) to `out` at `at`. False for HDR modes. */
export function decodeEndpoints(mode: number, values: Uint8Array, first: number, out: Int32Array, at: number): boolean {
  const v = (k: number): number => values[first + k]!;
  switch (mode) {
    case 0:
      setColor(out, at, v(0), v(0), v(0), 255);
      setColor(out, at + 4, v(1), v(1), v(1), 255);
      return true;
    case 1: {
      const low = (v(0) >> 2) | (v(1) & 0xc0);
      const high = low + (v(1) & 0x3f);
      setColor(out, at, low, low, low, 255);
      setColor(out, at + 4, high, high, high, 255);
      return true;
    }
    case 4:
      setColor(out, at, v(0), v(0), v(0), v(2));
      setColor(out, at + 4, v(1), v(1), v(1), v(3));
      return true;
    case 5: {
      const [dl, l] = transferBit(v(1), v(0));
      const [da, a] = transferBit(v(3), v(2));
      setColor(out, at, l, l, l, a);
      setColor(out, at + 4, l + dl, l + dl, l + dl, a + da);
      return true;
    }
    case 6:
    case 10: {
      const [alpha0, alpha1] = mode === 10 ? [v(4), v(5)] : [255, 255];
      const scale = v(3);
      setColor(out, at, (v(0) * scale) >> 8, (v(1) * scale) >> 8, (v(2) * scale) >> 8, alpha0);
      setColor(out, at + 4, v(0), v(1), v(2), alpha1);
      return true;
    }
    case 8:
      decodeDirect(out, at, v, 255, 255);
      return true;
    case 12:
      decodeDirect(out, at, v, v(6), v(7));
      return true;
    case 9:
    case 13:
      decodeOffset(out, at, v, mode === 13);
      return true;
    default:
      return false;
  }
}
