// Last step of the build: puts what `import 'indium-gl'` needs into one file, and what a worker thread needs into another. Node takes
// longer to find, read and link 370 small modules than to run them. Each merged module stays as a list of re-exports, so that the
// rest of dist and deep imports find the same objects. Before that, kernels that every program needs are made (src/raster/prebuild.ts).
//
// V8 keeps compiled code for scripts, and Node 20 gives no way to keep it for modules. So the file exists twice: as a module, and as a
// script with the code that V8 made of it (code-cache.mjs), which `core.js` takes where it fits.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const DIST = fileURLToPath(new URL('../dist/', import.meta.url));
/** What the merged modules export: made by LOADER. */
const MERGED = 'core.js';
const MODULE = 'core-module.js';
const SCRIPT = 'core-script.cjs';
const ENTRY = 'src/index.js';
const WORKER = 'backends/soft/threads/worker.js';

/** A path as import declarations write it. */
function specifier(from, to) {
  const path = relative(dirname(from), to).replaceAll('\\', '/');
  return path.startsWith('.') ? path : `./${path}`;
}

/** Modules keep their own address when they are part of `output`, and what they import later stays outside. */
function merging(output) {
  return {
    name: 'merging',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) =>
        kind === 'dynamic-import'
          ? { path: specifier(join(DIST, output), resolve(resolveDir, path)), external: true }
          : undefined,
      );
      onLoad({ filter: /\.js$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8');
        const own = `new URL(${JSON.stringify(specifier(join(DIST, output), path))}, import.meta.url).href`;
        return { contents: text.replaceAll('import.meta.url', own), loader: 'js' };
      });
    },
  };
}

function options(output) {
  return {
    absWorkingDir: DIST,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // Half of the text is comments and indentation, which V8 would keep in memory. Names stay, and lines that a stack trace can name.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 160,
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    write: false,
    outfile: join(DIST, output),
    plugins: [merging(output)],
    logLevel: 'warning',
  };
}

/** The modules that `entry` is made of, by their path in dist. */
async function modulesOf(entry) {
  const { metafile } = await build({ ...options(MERGED), entryPoints: [join(DIST, entry)] });
  return Object.keys(metafile.inputs).filter((path) => path.endsWith('.js'));
}

const { prebuildKernels } = await import(pathToFileURL(join(DIST, 'src/raster/prebuild.js')).href);
const kernels = [...prebuildKernels()].map(([key, bytes]) => [key, Buffer.from(bytes).toString('base64')]);
const table = JSON.stringify(Object.fromEntries(kernels), null, 1);
await writeFile(join(DIST, 'src/raster/prebuilt.table.js'), `export const PREBUILT = ${table};\n`);

const modules = await modulesOf(ENTRY);
if (modules.includes(MERGED)) throw new Error('merge-modules: dist is merged already: npm run build');
const alias = (name, index) => `${name}$${index}`;
// The entry comes first: modules run in the order that they had.
const lines = [`import './${ENTRY}';`];
const listOf = await Promise.all(
  modules.map(async (path, index) => {
    const names = Object.keys(await import(pathToFileURL(join(DIST, path)).href));
    return names.map((name) => [name, alias(name, index)]);
  }),
);
modules.forEach((path, index) => {
  const list = listOf[index].map(([name, other]) => `${name} as ${other}`).join();
  if (list !== '') lines.push(`export { ${list} } from './${path}';`);
});
const stdin = { contents: lines.join('\n'), resolveDir: DIST, sourcefile: 'merged.js' };
const results = await Promise.all([
  build({ ...options(MODULE), stdin }),
  build({
    ...options(SCRIPT),
    stdin,
    format: 'cjs',
    // A script has neither an address nor, when V8 brings its code along, an import(): it is given both.
    define: { 'import.meta.url': 'address' },
    supported: { 'dynamic-import': true },
    banner: { js: '(function(module,address,load){' },
    footer: { js: '})' },
  }),
  build({ ...options(WORKER), entryPoints: [join(DIST, WORKER)] }),
]);

await Promise.all(
  modules.map(async (path, index) => {
    const list = listOf[index].map(([name, other]) => `${other} as ${name}`).join(', ');
    const from = JSON.stringify(specifier(path, MERGED));
    await writeFile(join(DIST, path), list === '' ? `import ${from};\n` : `export { ${list} } from ${from};\n`);
    await rm(join(DIST, `${path}.map`), { force: true });
  }),
);

/** In the script, import() becomes a call of what it was given. */
function withoutImports(text, { imports }) {
  const wanted = imports.filter(({ kind }) => kind === 'dynamic-import').length;
  let found = 0;
  const replaced = text.replace(/\bimport\(/g, () => {
    found++;
    return 'load(';
  });
  if (found !== wanted)
    throw new Error(`merge-modules: ${found} import() in the script's text, ${wanted} in its modules`);
  return replaced;
}

let digest = '';
for (const { outputFiles, metafile } of results) {
  for (const { path, text } of outputFiles) {
    if (path !== join(DIST, SCRIPT)) {
      await writeFile(path, text);
      continue;
    }
    const script = withoutImports(text, metafile.outputs[SCRIPT]);
    // V8 compares the length of a script with its code's only: the name tells more.
    digest = createHash('sha256').update(script).digest('hex').slice(0, 16);
    await writeFile(path, script);
  }
}
const names = modules.flatMap((_, index) => listOf[index].map(([, other]) => other));
await writeFile(
  join(DIST, MERGED),
  `// Takes the script with V8's code of it where this V8 made that code, else the module (other versions, browsers, bundlers).
const platform = globalThis.process;
function fromScript() {
  if (!platform?.getBuiltinModule || !platform.versions?.v8) return null;
  const { readFileSync } = platform.getBuiltinModule('node:fs');
  const { Script } = platform.getBuiltinModule('node:vm');
  const script = new URL('./${SCRIPT}', import.meta.url);
  let text, cachedData;
  try {
    cachedData = readFileSync(new URL(\`./core-${digest}-\${platform.versions.v8}-\${platform.platform}-\${platform.arch}.cache\`, import.meta.url));
    text = readFileSync(script, 'latin1');
  } catch {
    return null;
  }
  const compiled = new Script(text, { filename: script.href, cachedData });
  if (compiled.cachedDataRejected) return null;
  const module = { exports: {} };
  compiled.runInThisContext()(module, import.meta.url, (specifier) => import(specifier));
  return module.exports;
}
const core = fromScript() ?? (await import('./${MODULE}'));
export const {
${names.join(',\n')},
} = core;
`,
);
for (const name of await readdir(DIST)) if (/^core-.*\.cache$/.test(name)) await rm(join(DIST, name));
const tool = fileURLToPath(new URL('./code-cache.mjs', import.meta.url));
execFileSync(process.execPath, [tool, join(DIST, SCRIPT), `core-${digest}`], { stdio: 'inherit' });
