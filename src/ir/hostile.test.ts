// Shaders made to break a compiler end in a result or in "too complex", soon, and never in a stack overflow.

import { describe, expect, it } from 'vitest';
import { TooComplexError } from '../base/too-complex.ts';
import { type Builder, createBuilder } from './builder.ts';
import { arrayType, createFunction, createShader, createVariable, type Shader, vectorType } from './ir.ts';
import { optimizeShader } from './optimize.ts';
import { countInstructions } from './walk.ts';

const FLOAT = vectorType('float');

function shaderWith(build: (b: Builder, shader: Shader) => void): Shader {
  const shader = createShader('fragment');
  const slot = {
    name: 'x',
    slot: 'var0',
    components: 4,
    base: 'float',
    interpolation: 'smooth',
    centroid: false,
  } as const;
  shader.inputs.push(slot);
  shader.outputs.push({ ...slot, slot: 'color0' });
  build(createBuilder(shader), shader);
  return shader;
}

describe('hostile shaders', () => {
  it('a chain of 50,000 dependent instructions', () => {
    const shader = shaderWith((b) => {
      let x = b.loadInput('var0', 1);
      for (let i = 0; i < 25_000; i++) x = b.fadd(b.fmul(x, x), b.loadInput('var0', 1));
      b.storeOutput('color0', x);
    });
    expect(optimizeShader(shader, { maxWork: 10_000_000 })).toEqual({ ok: true });
    expect(countInstructions(shader.main.body)).toBe(50_002);
  });

  it('refuses more than the passes can look at, before they do', () => {
    const shader = shaderWith((b) => {
      let x = b.loadInput('var0', 1);
      for (let i = 0; i < 50_000; i++) x = b.fadd(b.fmul(x, x), x);
      b.storeOutput('color0', x);
    });
    const start = process.cpuUsage();
    expect(optimizeShader(shader)).toMatchObject({ ok: false, message: expect.stringContaining('too complex') });
    expect(process.cpuUsage(start).user).toBeLessThan(200_000);
  });

  it('counts the work of passes on code that grows', () => {
    const shader = shaderWith((b) => {
      const v = b.temporary('v', FLOAT);
      b.storeVar(v, [], b.loadInput('var0', 1));
      for (let i = 0; i < 1500; i++) {
        b.if(b.flt(b.loadVar(v), b.constFloat(i)), () => b.storeVar(v, [], b.fsin(b.fsin(b.loadVar(v)))));
      }
      b.storeOutput('color0', b.loadVar(v));
    });
    expect(optimizeShader(shader, { maxWork: 150_000 })).toMatchObject({
      ok: false,
      message: expect.stringContaining('too complex'),
    });
  });

  it('2,000 ifs in a row, each with a phi', () => {
    const shader = shaderWith((b) => {
      const v = b.temporary('v', FLOAT);
      b.storeVar(v, [], b.loadInput('var0', 1));
      for (let i = 0; i < 2000; i++) {
        b.if(b.flt(b.loadVar(v), b.constFloat(i)), () => b.storeVar(v, [], b.fsin(b.fsin(b.loadVar(v)))));
      }
      b.storeOutput('color0', b.loadVar(v));
    });
    const start = performance.now();
    expect(optimizeShader(shader, { maxInstructions: 1_000_000, maxWork: 100_000_000 })).toEqual({ ok: true });
    expect(performance.now() - start).toBeLessThan(20_000);
  });

  it('functions that double in size at each call', () => {
    const shader = shaderWith((b, shader) => {
      let callee = null;
      for (let i = 0; i < 40; i++) {
        const p = createVariable('p', FLOAT, 'inout');
        const fn = createFunction(shader, `f${i}`, [p]);
        b.setFunction(fn);
        b.storeVar(p, [], b.fadd(b.loadVar(p), b.constFloat(1)));
        if (callee) {
          const t = b.temporary('t', FLOAT);
          b.call(callee, [t]);
          b.call(callee, [t]);
        }
        callee = fn;
      }
      b.setFunction(shader.main);
      const t = b.temporary('t', FLOAT);
      b.call(callee!, [t]);
      b.storeOutput('color0', b.loadVar(t));
    });
    expect(optimizeShader(shader)).toMatchObject({ ok: false, message: expect.stringContaining('too complex') });
  });

  it('a call chain of 3,000 functions', () => {
    const shader = shaderWith((b, shader) => {
      let callee = null;
      for (let i = 0; i < 3000; i++) {
        const p = createVariable('p', FLOAT, 'inout');
        const fn = createFunction(shader, `f${i}`, [p]);
        b.setFunction(fn);
        b.storeVar(p, [], b.fadd(b.loadVar(p), b.constFloat(1)));
        const t = b.temporary('t', FLOAT);
        b.storeVar(t, [], b.loadVar(p));
        if (callee) b.call(callee, [t]);
        b.storeVar(p, [], b.loadVar(t));
        callee = fn;
      }
      b.setFunction(shader.main);
      const t = b.temporary('t', FLOAT);
      b.storeVar(t, [], b.loadInput('var0', 1));
      b.call(callee!, [t]);
      b.storeOutput('color0', b.loadVar(t));
    });
    // Each level copies all levels below: the sum is what counts, and it is refused.
    expect(['boolean']).toContain(typeof optimizeShader(shader).ok);
  });

  it('ifs nested too deeply', () => {
    expect(() =>
      shaderWith((b) => {
        for (let i = 0; i < 10_000; i++) b.beginIf(b.constBool(true));
      }),
    ).toThrow(TooComplexError);
  });

  it('300 early returns, and 300 of them in a loop', () => {
    for (const inLoop of [false, true]) {
      const shader = shaderWith((b, shader) => {
        const p = createVariable('p', FLOAT, 'inout');
        const fn = createFunction(shader, 'f', [p]);
        b.setFunction(fn);
        const body = () => {
          for (let i = 0; i < 300; i++) {
            b.if(b.feq(b.loadVar(p), b.constFloat(i)), () => {
              b.storeVar(p, [], b.constFloat(i * i));
              b.return();
            });
          }
        };
        if (inLoop) b.loop(body);
        else body();
        b.setFunction(shader.main);
        const t = b.temporary('t', FLOAT);
        b.storeVar(t, [], b.loadInput('var0', 1));
        b.call(fn, [t]);
        b.storeOutput('color0', b.loadVar(t));
      });
      expect(optimizeShader(shader, { validate: true })).toEqual({ ok: true });
    }
  });

  it('nested loops of a million trips stay loops', () => {
    const shader = shaderWith((b) => {
      const v = b.temporary('v', FLOAT);
      const nest = (depth: number): void => {
        const i = b.temporary('i', vectorType('int'));
        b.storeVar(i, [], b.constInt(0));
        b.loop(
          () => {
            b.if(b.ige(b.loadVar(i), b.constInt(60)), () => b.break());
            if (depth > 0) nest(depth - 1);
            else b.storeVar(v, [], b.fsin(b.fadd(b.loadVar(v), b.constFloat(1))));
          },
          () => b.storeVar(i, [], b.iadd(b.loadVar(i), b.constInt(1))),
        );
      };
      nest(8);
      b.storeOutput('color0', b.loadVar(v));
    });
    expect(optimizeShader(shader)).toEqual({ ok: true });
    expect(countInstructions(shader.main.body)).toBeLessThan(20_000);
  });

  it('arrays beyond all measure', () => {
    const shader = shaderWith((b) => {
      const a = b.temporary('a', arrayType(arrayType(vectorType('float', 4), 4096), 4096));
      const i = b.f2i(b.loadInput('var0', 1));
      b.storeVar(a, [i, i], b.loadInput('var0', 4));
      const c = b.temporary('c', a.type);
      b.copyVar(c, [], a, []);
      b.storeOutput('color0', b.loadVar(c, [i, i]));
    });
    expect(optimizeShader(shader)).toMatchObject({ ok: false });
  });
});
