// glmark2-es2 itself, on Mesa's software renderer.

import { findProgram, lastLines, missingDisplay, type Peer, type PeerResult, runProgram } from './peer.ts';

const PROGRAM = 'glmark2-es2';

/** Lines as `[scene] options: FPS: 123 FrameTime: 8.1 ms`. */
export function parseGlmarkOutput(output: string): { scene: string; options: string; fps: number }[] {
  const found: { scene: string; options: string; fps: number }[] = [];
  for (const [, scene, options, fps, time] of output.matchAll(
    /^\[(.+?)\] (.*?): FPS: (\d+)(?: FrameTime: ([\d.]+) ms)?/gm,
  )) {
    // The time has more digits than the frames a second, except where it is rounded to nothing.
    const milliseconds = Number(time ?? 0);
    found.push({ scene: scene!, options: options!, fps: milliseconds > 0.05 ? 1000 / milliseconds : Number(fps) });
  }
  return found;
}

export const glmark2: Peer = {
  name: 'glmark2',
  findMissing(mode) {
    if (mode === 'micro') return 'it has no micro scenes';
    if (!findProgram(PROGRAM)) return `${PROGRAM} is not installed (Debian: glmark2-es2-x11)`;
    return missingDisplay();
  },
  async runList({ entries, titles, width, height, glmarkData }) {
    const command = [PROGRAM, '--off-screen', '-s', `${width}x${height}`];
    if (glmarkData) command.push('--data-path', glmarkData);
    for (const entry of entries) command.push('-b', entry);
    const { code, output, errors } = await runProgram(command, { needsDisplay: true });
    const found = parseGlmarkOutput(output);
    if (found.length !== entries.length) {
      throw new Error(
        `${PROGRAM} (exit ${code}) ran ${found.length} of ${entries.length}: ${lastLines(errors || output)}`,
      );
    }
    return found.map(({ fps }, index): PeerResult => ({ title: titles[index]!, fps }));
  },
  runMicro: () => Promise.reject(new Error('glmark2 has no micro scenes')),
};
