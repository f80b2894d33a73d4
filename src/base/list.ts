// Lists made by a function of the index. Not `Array.from`: scripts that run beside the driver replace it (the Khronos suite's
// quickCheckAPI pages do), and a driver in JavaScript must stay whole then, as a browser's does.

/** `length` values, each made of its index. */
export function listOf<T>(length: number, make: (index: number) => T): T[] {
  const list: T[] = [];
  for (let i = 0; i < length; i++) list.push(make(i));
  return list;
}
