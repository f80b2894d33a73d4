// Entries of a benchmark list in glmark2's syntax, `scene:option=value:…`; `:option=value` sets defaults from there on.

import { isPrecision } from './gl/shader-source.ts';
import type { BenchData, OptionRow, OptionValues, Scene } from './scene.ts';
import { COMMON_OPTIONS, SCENES } from './scene-table.ts';

/** An entry with all its options checked. */
export interface Entry {
  readonly scene: Scene;
  /** As it was written, with defaults of the list in front. */
  readonly given: ReadonlyMap<string, string>;
  readonly options: OptionValues;
  /** The scene and the options that were written, as results show them. */
  readonly title: string;
}

export class EntryError extends Error {
  override readonly name = 'EntryError';
}

function parseOption(text: string, entry: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1 || text.indexOf('=', at + 1) >= 0) throw new EntryError(`'${entry}': '${text}' is not option=value`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** The values an option takes, or null for any. */
export function valuesOf({ values }: OptionRow, data: BenchData): readonly string[] | null {
  if (values === 'models' || values === 'textures') return data[values];
  return values ?? null;
}

const isNumber = (text: string) => text.trim() !== '' && Number.isFinite(Number(text));
const isPair = (text: string) => text.split(',').length === 2 && text.split(',').every(isNumber);

/** What values of options without a list look like. */
const FORMS: readonly { readonly names: RegExp; readonly told: string; isGood(value: string): boolean }[] = [
  { names: /^duration$/, told: 'a time in seconds', isGood: (value) => Number(value) > 0 },
  {
    names: /^nframes$/,
    told: 'a whole number from 1',
    isGood: (value) => value === '' || (Number.isInteger(Number(value)) && Number(value) > 0),
  },
  { names: /-precision$/, told: 'four of low, medium, high, default with commas', isGood: isPrecision },
  { names: /^(fps|title)-pos$/, told: 'two numbers with a comma', isGood: isPair },
  { names: /^(fps|title)-size$/, told: 'a number above 0', isGood: (value) => isNumber(value) && Number(value) > 0 },
];

function checkValue(row: OptionRow, value: string, entry: string, data: BenchData): void {
  const values = valuesOf(row, data);
  if (values && !values.includes(value)) {
    throw new EntryError(`'${entry}': ${row.name} is one of ${values.join(', ')}`);
  }
  for (const { names, isGood, told } of FORMS) {
    if (names.test(row.name) && !isGood(value)) throw new EntryError(`'${entry}': ${row.name} is ${told}`);
  }
}

function optionValues(rows: readonly OptionRow[], set: ReadonlyMap<string, string>, entry: string): OptionValues {
  const all = new Map(rows.map((row) => [row.name, row.default]));
  for (const [name, value] of set) all.set(name, value);
  const text = (name: string) => all.get(name)!;
  return {
    text,
    number(name) {
      const value = text(name);
      const number = Number(value);
      if (value.trim() === '' || !Number.isFinite(number)) throw new EntryError(`'${entry}': ${name} is a number`);
      return number;
    },
    flag: (name) => text(name) === 'true',
  };
}

const isRow = (name: string) => (row: OptionRow) => row.name === name;

/** Reads a list of entries; throws an EntryError that says what is wrong and what is possible. */
export function parseEntries(texts: readonly string[], data: BenchData): Entry[] {
  const defaults = new Map<string, string>();
  const entries: Entry[] = [];
  for (const text of texts) {
    const [name, ...words] = text.split(':');
    const pairs = words.filter((word) => word !== '').map((word) => parseOption(word, text));
    if (name === '') {
      for (const [option, value] of pairs) {
        const row = [COMMON_OPTIONS, ...[...SCENES.values()].map(({ options }) => options)].flat().find(isRow(option));
        if (!row) throw new EntryError(`'${text}': no scene has an option '${option}'`);
        if (COMMON_OPTIONS.includes(row)) checkValue(row, value, text, data);
        defaults.set(option, value);
      }
      continue;
    }
    const scene = SCENES.get(name!);
    if (!scene) throw new EntryError(`no scene '${name}'; there are: ${[...SCENES.keys()].join(', ')}`);
    const rows = [...scene.options, ...COMMON_OPTIONS];
    const given = new Map<string, string>();
    for (const [option, value] of pairs) {
      const row = rows.find(isRow(option));
      if (!row) throw new EntryError(`'${text}': options are ${rows.map((known) => known.name).join(', ')}`);
      checkValue(row, value, text, data);
      given.set(option, value);
    }
    const own = [...defaults].filter(([option]) => rows.some(isRow(option)));
    // A default whose value only other scenes take is theirs.
    const usable = own.filter(([option, value]) => {
      const values = valuesOf(rows.find(isRow(option))!, data);
      return !values || values.includes(value);
    });
    const set = new Map([...usable, ...given]);
    entries.push({
      scene,
      given: set,
      options: optionValues(rows, set, text),
      title: [name, ...pairs.map(([option, value]) => `${option}=${value}`)].join(':'),
    });
  }
  return entries;
}
