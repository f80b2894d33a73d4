import { describe, expect, it } from 'vitest';
import { EtnavivScreen } from '../../../driver/screen.ts';
import { coreInfo, coreNamed } from '../../../hwdb/core-info.ts';
import { CheckedWinsys } from './checked-winsys.ts';
import { drawScene } from './scene.ts';

describe.each(['gc880', 'gc2000', 'gc3000'])('the driver on %s', (core) => {
  it('names each address and each buffer as kernels without address spaces want it', () => {
    let submits = 0;
    const createScreen = () => {
      const winsys = new CheckedWinsys(coreInfo(coreNamed(core)!), [], (text) => expect.fail(text));
      return new EtnavivScreen(winsys, { onSubmit: () => submits++ });
    };
    drawScene({ name: core, createScreen });
    expect(submits).toBeGreaterThan(1);
  });
});
