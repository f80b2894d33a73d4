// Decides how many quads a fragment program shades at once.
import type { BodyNode, Shader } from '../ir/ir.ts';
import { analyzeBody } from './analyze-body.ts';
import { prepareShader } from './prepare-shader.ts';

/** Rough vector instructions of a loop body up to which two quads fit the registers. */
const SHORT_LOOP_COST = 200;
const QUADS_PER_STEP = new WeakMap<Shader, 1 | 2>();

/**
 * Whether two quads a step pay: only where the chain of dependent instructions is long and small, as in a short loop. Straight code
 * overlaps with that of the next quad by itself, and long loop bodies run out of registers (measured: ANCHORS §4 and our benches).
 */
export function chooseQuadsPerStep(ir: Shader): 1 | 2 {
  const shader = prepareShader(ir);
  let choice = QUADS_PER_STEP.get(shader);
  if (choice === undefined) {
    choice = 1;
    if (shader.usage.loops > 0 && shader.locals.length === 0) {
      const { regions } = analyzeBody(shader);
      const visit = (list: readonly BodyNode[]): void => {
        for (const node of list) {
          if (node.kind === 'if') {
            visit(node.thenBody);
            visit(node.elseBody);
          } else if (node.kind === 'loop') {
            if (regions.get(node.body)!.cost <= SHORT_LOOP_COST) choice = 2;
            visit(node.body);
          }
        }
      };
      visit(shader.main.body);
    }
    QUADS_PER_STEP.set(shader, choice);
  }
  return choice;
}
