// Integer object names: glGen* reserves, the first bind makes the object (ES 3.0.6 §5.1, appendix D).

import type { Context } from '../gl/context.ts';
import type { GlObject } from '../gl/gl-object.ts';

/** Names of one namespace. */
export class NameTable<T extends GlObject> {
  /** null: generated, not yet an object. */
  readonly #objects = new Map<number, T | null>();
  readonly #create: (context: Context) => T;
  #lowestFree = 1;

  constructor(create: (context: Context) => T) {
    this.#create = create;
  }

  /** Reserves the lowest free name. */
  generate(): number {
    let name = this.#lowestFree;
    while (this.#objects.has(name)) name++;
    this.#lowestFree = name + 1;
    this.#objects.set(name, null);
    return name;
  }

  /** Puts an existing object under a new name. */
  add(object: T): number {
    const name = this.generate();
    object.name = name;
    this.#objects.set(name, object);
    return name;
  }

  /** Generated (or bound) and not deleted. */
  isKnown(name: number): boolean {
    return this.#objects.has(name);
  }

  /** The object of a name, undefined when there is none yet. */
  find(name: number): T | undefined {
    return this.#objects.get(name) ?? undefined;
  }

  /** The object of a name for binding: made now if the name has none. Names that were never generated are accepted. */
  bind(context: Context, name: number): T {
    const found = this.#objects.get(name);
    if (found) return found;
    const object = this.#create(context);
    object.name = name;
    this.#objects.set(name, object);
    return object;
  }

  /** Frees a name; the object is the caller's to delete. */
  remove(name: number): T | undefined {
    const object = this.#objects.get(name);
    if (this.#objects.delete(name) && name < this.#lowestFree) this.#lowestFree = name;
    return object ?? undefined;
  }

  /** Frees the names of objects that GL has destroyed since (deferred deletion of shaders and programs). */
  sweep(name: number): void {
    if (this.#objects.get(name)?.destroyed) this.remove(name);
  }
}
