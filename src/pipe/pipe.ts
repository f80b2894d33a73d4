// All of the pipe interface in one import.

export * from './caps.ts';
export * from './context.ts';
export * from './defines.ts';
export * from './query.ts';
export * from './resource.ts';
export * from './screen.ts';
export * from './state.ts';
