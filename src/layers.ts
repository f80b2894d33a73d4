// Which folder may import which: the one-way layers of ARCHITECTURE.md as a table, and the check over source text.

/** Folder → folders it may import. A folder may always import itself. `backends/*` stands for each backend alone. */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  'src/base': [],
  'src/wasm': ['src/base'],
  'src/format': ['src/base'],
  'src/ir': ['src/base'],
  'src/glsl': ['src/ir', 'src/base'],
  'src/pipe': ['src/ir', 'src/format', 'src/base'],
  'src/jit': ['src/raster', 'src/ir', 'src/format', 'src/wasm', 'src/base'],
  'src/raster': ['src/ir', 'src/format', 'src/wasm', 'src/base'],
  'src/util': ['src/pipe', 'src/ir', 'src/format', 'src/base'],
  'src/gl': ['src/glsl', 'src/pipe', 'src/util', 'src/ir', 'src/format', 'src/base'],
  'src/gles': ['src/gl', 'src/glsl', 'src/pipe', 'src/format', 'src/base'],
  'src/webgl': ['src/gl', 'src/glsl', 'src/pipe', 'src/format', 'src/base', 'src/canvas'],
  'src/canvas': ['src/base'],
  'backends/*': ['src/pipe', 'src/util', 'src/jit', 'src/raster', 'src/wasm', 'src/ir', 'src/format', 'src/base'],
};

/** Folders that tie everything together and may import any layer. */
const TOP = ['src/cli', 'conformance', 'examples', 'bench'];

/** Tests and their support may look everywhere. */
const TEST_FILE = /(\.test|\/testing(\/[^/]+)?|\/test-support)\.ts$/;

function folderOf(path: string): string {
  const parts = path.split('/');
  if (parts[0] === 'backends') return `backends/${parts[1]}`;
  return parts[0] === 'src' ? parts.slice(0, 2).join('/') : parts[0]!;
}

function mayImport(from: string, to: string): boolean {
  if (from === to || TOP.includes(from)) return true;
  const rule = LAYERS[from.startsWith('backends/') ? 'backends/*' : from];
  return rule?.includes(to) ?? false;
}

const IMPORT = /(?:^|\n)\s*(?:import|export)[^'"`;]*?from\s*['"](\.[^'"]+)['"]|import\(\s*['"](\.[^'"]+)['"]\s*\)/g;

/** The relative imports of one source file, as paths from the repository's root. `path` has forward slashes. */
export function importsOf(path: string, source: string): string[] {
  const folder = path.split('/').slice(0, -1);
  return [...source.matchAll(IMPORT)].map((match) => {
    const steps = [...folder];
    for (const step of (match[1] ?? match[2]!).split('/')) {
      if (step === '..') steps.pop();
      else if (step !== '.') steps.push(step);
    }
    return steps.join('/');
  });
}

/** One line for each import that reaches upward or sideways. Files directly in `src/` and tests are the package's own glue. */
export function findUpwardImports(files: ReadonlyMap<string, string>): string[] {
  const faults: string[] = [];
  for (const [path, source] of files) {
    const from = folderOf(path);
    if (from.endsWith('.ts') || TEST_FILE.test(path)) continue;
    for (const target of importsOf(path, source)) {
      const to = folderOf(target);
      if (!mayImport(from, to)) faults.push(`${path} imports ${target}: ${from} may not import ${to}`);
    }
  }
  return faults;
}
