// All cases that can be run, from the data folder and from our own groups, under their names.

import type { Backend } from '../src/pipe/pipe.ts';
import type { CaseDefinition } from './case.ts';
import { loadShaderCases, type ShaderCase } from './deqp-data/cases.ts';
import { ShaderCaseRunner } from './deqp-data/runner.ts';
import { ownCases } from './groups/index.ts';
import { OwnCaseRunner } from './own-runner.ts';
import type { CaseResult } from './result.ts';

export interface CatalogueOptions {
  /** Folder with gles2/shaders and gles3/shaders. */
  readonly deqpData?: string | undefined;
  readonly own?: boolean | undefined;
}

export class Catalogue {
  readonly #data = new Map<string, ShaderCase>();
  readonly #own = new Map<string, CaseDefinition>();

  /** Throws when the data folder has no cases or a name stands twice. */
  constructor(options: CatalogueOptions) {
    if (options.deqpData !== undefined)
      for (const shaderCase of loadShaderCases(options.deqpData)) this.#data.set(shaderCase.name, shaderCase);
    if (options.own) {
      for (const definition of ownCases()) {
        if (this.#own.has(definition.name)) throw new Error(`two cases are named ${definition.name}`);
        this.#own.set(definition.name, definition);
      }
    }
  }

  names(): string[] {
    return [...new Set([...this.#data.keys(), ...this.#own.keys()])];
  }

  data(name: string): ShaderCase | undefined {
    return this.#data.get(name);
  }

  own(name: string): CaseDefinition | undefined {
    return this.#own.get(name);
  }
}

/** Runs cases of a catalogue by name, in this process. */
export class CatalogueRunner {
  readonly #catalogue: Catalogue;
  readonly #dataRunner: ShaderCaseRunner;
  readonly #ownRunner: OwnCaseRunner;

  constructor(catalogue: Catalogue, backend: Backend) {
    this.#catalogue = catalogue;
    this.#dataRunner = new ShaderCaseRunner(backend);
    this.#ownRunner = new OwnCaseRunner(backend);
  }

  run(name: string): CaseResult {
    const shaderCase = this.#catalogue.data(name);
    if (shaderCase !== undefined) {
      const start = performance.now();
      const result = this.#dataRunner.run(shaderCase);
      return { ...result, milliseconds: Math.round((performance.now() - start) * 10) / 10 };
    }
    const definition = this.#catalogue.own(name);
    if (definition === undefined) return { name, status: 'skipped', message: 'no such case' };
    return this.#ownRunner.run(definition);
  }

  dispose(): void {
    this.#dataRunner.dispose();
    this.#ownRunner.dispose();
  }
}
