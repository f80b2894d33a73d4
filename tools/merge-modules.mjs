// Last step of the build: puts what `import 'indium-gl'` needs into one file, and what a worker thread needs into another. Node takes
// longer to find, read and link 370 small modules than to run them. Each merged module stays as a list of re-exports, so that the
// rest of dist and deep imports find the same objects. Before that, kernels that every program needs are made (src/raster/prebuild.ts).

import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const DIST = fileURLToPath(new URL('../dist/', import.meta.url));
const MERGED = 'core.js';
/** Everything that the merged modules export, under names of its own. */
const PARTS = 'core-parts.js';
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
const listOf = await Promise.all(
  modules.map(async (path, index) => {
    const names = Object.keys(await import(pathToFileURL(join(DIST, path)).href));
    return names.map((name) => [name, alias(name, index)]);
  }),
);
const aliases = listOf.flat().map(([, other]) => other);
// The entry comes first: modules run in the order that they had. Beside its names the file exports one function that gives all others:
// for each name in each function that V8 compiles when it is first called, it goes through all exports of the module.
const lines = [`export * from './${ENTRY}';`, `export const parts = () => ({ ${aliases.join()} });`];
modules.forEach((path, index) => {
  const list = listOf[index].map(([name, other]) => `${name} as ${other}`).join();
  if (list !== '') lines.push(`import { ${list} } from './${path}';`);
});
const stdin = { contents: lines.join('\n'), resolveDir: DIST, sourcefile: 'merged.js' };
const results = await Promise.all([
  build({ ...options(MERGED), stdin }),
  build({ ...options(WORKER), entryPoints: [join(DIST, WORKER)] }),
]);

await Promise.all(
  modules.map(async (path, index) => {
    const isEntry = path === ENTRY;
    const list = listOf[index].map(([name, other]) => (isEntry ? name : `${other} as ${name}`)).join(', ');
    const from = JSON.stringify(specifier(path, isEntry || list === '' ? MERGED : PARTS));
    await writeFile(join(DIST, path), list === '' ? `import ${from};\n` : `export { ${list} } from ${from};\n`);
    await rm(join(DIST, `${path}.map`), { force: true });
  }),
);
await writeFile(
  join(DIST, PARTS),
  `import { parts } from './${MERGED}';\nexport const {\n${aliases.join(',\n')},\n} = parts();\n`,
);
for (const { outputFiles } of results) for (const { path, contents } of outputFiles) await writeFile(path, contents);
