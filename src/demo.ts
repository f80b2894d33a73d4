// The shape of a demo module: what `indium run` renders, and a browser page can too.

/** What a demo gets to set itself up with. `canvas` and `gl` are Indium's or a browser's own. */
export interface DemoSetup {
  readonly gl: WebGLRenderingContext | WebGL2RenderingContext;
  readonly canvas: unknown;
  readonly width: number;
  readonly height: number;
  /** Words after `--` on the command line. */
  readonly args: readonly string[];
}

export interface DemoInstance {
  /** Draws one frame. `index` counts frames from 0, `timeSeconds` is index / 60 in recordings. */
  frame(timeSeconds: number, index: number): void;
  dispose?(): void;
}

/** Default export of a demo module. */
export interface DemoModule<Gl = WebGL2RenderingContext> {
  /** Default: 'webgl2'. */
  readonly api?: 'webgl' | 'webgl2';
  readonly title?: string;
  setup(setup: Omit<DemoSetup, 'gl'> & { readonly gl: Gl }): DemoInstance | Promise<DemoInstance>;
}
