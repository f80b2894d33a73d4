// The events of a canvas: WebGLContextEvent over the runtime's own EventTarget.

// Taken when the module loads: pages and test environments replace globals.
const BaseEvent = globalThis.Event;

/** `webglcontextlost`, `webglcontextrestored`, `webglcontextcreationerror` (WebGL 1 §5.15). */
export class WebGLContextEvent extends BaseEvent {
  readonly #statusMessage: string;

  constructor(type: string, init: WebGLContextEventInit = {}) {
    super(type, init);
    this.#statusMessage = String(init.statusMessage ?? '');
  }

  get statusMessage(): string {
    return this.#statusMessage;
  }
}

export const CanvasEventTarget = globalThis.EventTarget;
