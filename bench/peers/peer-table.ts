// The peers by the names that --against takes.

import { chromium, chromiumLlvmpipe } from './chromium.ts';
import { glmark2 } from './glmark2.ts';
import { headlessGl } from './headless-gl.ts';
import type { Peer } from './peer.ts';

export const PEERS: ReadonlyMap<string, Peer> = new Map(
  [headlessGl, chromium, chromiumLlvmpipe, glmark2].map((peer) => [peer.name, peer]),
);
