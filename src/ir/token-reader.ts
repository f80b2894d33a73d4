// Lines and tokens of the IR's text form.

const TOKEN = /\s*("(?:[^"\\]|\\.)*"|%\w+|-?(?:\d+\.\d+(?:e[-+]?\d+)?|0x[\da-fA-F]+|\d+|inf)\b|\w+|[^\s\w])/y;

export class TokenReader {
  readonly lines: string[];
  lineNumber = 0;
  tokens: string[] = [];
  position = 0;

  constructor(text: string) {
    this.lines = text.split('\n').map((line) => line.replace(/#.*/, ''));
  }

  fail(message: string): never {
    throw new Error(`line ${this.lineNumber}: ${message}`);
  }

  nextLine(): boolean {
    while (this.lineNumber < this.lines.length) {
      const line = this.lines[this.lineNumber++]!;
      this.tokens = [];
      this.position = 0;
      TOKEN.lastIndex = 0;
      for (let match = TOKEN.exec(line); match !== null; match = TOKEN.exec(line)) this.tokens.push(match[1]!);
      if (this.tokens.length > 0) return true;
    }
    return false;
  }

  peek(): string | undefined {
    return this.tokens[this.position];
  }

  next(): string {
    return this.tokens[this.position++] ?? this.fail('unexpected end of line');
  }

  accept(token: string): boolean {
    if (this.peek() !== token) return false;
    this.position++;
    return true;
  }

  expect(token: string): void {
    const found = this.next();
    if (found !== token) this.fail(`expected ${token}, found ${found}`);
  }

  integer(): number {
    const token = this.next();
    return /^-?\d+$/.test(token) ? Number(token) : this.fail(`expected an integer, found ${token}`);
  }

  string(): string {
    const token = this.next();
    return token.startsWith('"') ? (JSON.parse(token) as string) : this.fail(`expected a string, found ${token}`);
  }
}
