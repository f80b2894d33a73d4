// Runs the merged script through what a program usually does, and keeps the code that V8 made of it beside it. Only the V8 that made it
// takes it (the file's name says which), and what is not in it is compiled when it is called, as ever.
// Usage: node tools/code-cache.mjs dist/core-script.cjs NAME: writes NAME-<V8's version>-<platform>-<processor>.cache

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { drawUsualThings } from './usual-things.mjs';

const file = resolve(process.argv[2]);
const address = pathToFileURL(join(dirname(file), 'core.js')).href;
const text = readFileSync(file, 'latin1');
const script = new Script(text, { filename: pathToFileURL(file).href });
const module = { exports: {} };
script.runInThisContext()(module, address, (specifier) => import(new URL(specifier, address).href));
const createContext = Object.entries(module.exports).find(([name]) => name.startsWith('createContext$'))?.[1];
if (createContext === undefined) throw new Error('code-cache: the script exports no createContext');
drawUsualThings(createContext);
const { versions, platform, arch } = process;
const code = script.createCachedData();
if (new Script(text, { cachedData: code }).cachedDataRejected)
  throw new Error('code-cache: V8 does not take its own code');
writeFileSync(join(dirname(file), `${process.argv[3]}-${versions.v8}-${platform}-${arch}.cache`), code);
process.exit(0);
