// Results as text files that other tools read: CSV, JUnit XML, and a log in the manner of dEQP's .qpa.

import type { CaseResult } from '../result.ts';

const MODEL_STATUS = { passed: 'Pass', failed: 'Fail', skipped: 'NotSupported' } as const;

function csvField(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** As deqp-runner writes it: name, status, seconds; and the message. */
export function toCsv(results: readonly CaseResult[]): string {
  const rows = results.map(({ name, status, milliseconds = 0, message }) =>
    [name, MODEL_STATUS[status], (milliseconds / 1000).toFixed(4), csvField(message.split('\n')[0] ?? '')].join(','),
  );
  return `${['name,status,seconds,message', ...rows].join('\n')}\n`;
}

/** Text for XML: characters that XML 1.0 cannot carry become a question mark. */
function xml(text: string): string {
  return [...text]
    .map((character) => {
      const code = character.codePointAt(0)!;
      if (code < 32 && code !== 9 && code !== 10 && code !== 13) return '?';
      return { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }[character] ?? character;
    })
    .join('');
}

export function toJunit(results: readonly CaseResult[], suite: string): string {
  const count = (status: CaseResult['status']) => results.filter((result) => result.status === status).length;
  const seconds = (milliseconds = 0) => (milliseconds / 1000).toFixed(3);
  const total = results.reduce((sum, { milliseconds = 0 }) => sum + milliseconds, 0);
  const cases = results.map(({ name, status, message, milliseconds }) => {
    const dot = name.lastIndexOf('.');
    const head = `  <testcase classname="${xml(name.slice(0, dot))}" name="${xml(name.slice(dot + 1))}" time="${seconds(milliseconds)}"`;
    if (status === 'passed') return `${head}/>`;
    const first = xml(message.split('\n')[0] ?? '');
    const body =
      status === 'failed' ? `<failure message="${first}">${xml(message)}</failure>` : `<skipped message="${first}"/>`;
    return `${head}>${body}</testcase>`;
  });
  const head = `<testsuite name="${xml(suite)}" tests="${results.length}" failures="${count('failed')}" skipped="${count('skipped')}" time="${seconds(total)}">`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${head}\n${cases.join('\n')}\n</testsuite>\n`;
}

/** The line structure of a test log of dEQP; an XML result for each case. */
export function toQpa(results: readonly CaseResult[]): string {
  const parts = ['#sessionInfo releaseName indium', '#sessionInfo releaseId 0x00000000', '', '#beginSession', ''];
  for (const { name, status, message, milliseconds = 0 } of results) {
    const code = MODEL_STATUS[status];
    parts.push(
      `#beginTestCaseResult ${name}`,
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<TestCaseResult Version="0.3.4" CasePath="${xml(name)}" CaseType="SelfValidate">`,
      ` <Number Name="TestDuration" Description="Test case duration in microseconds" Tag="Time" Unit="us">${Math.round(milliseconds * 1000)}</Number>`,
      ...(message === '' ? [] : [` <Text>${xml(message)}</Text>`]),
      ` <Result StatusCode="${code}">${xml(message.split('\n')[0] || code)}</Result>`,
      '</TestCaseResult>',
      '#endTestCaseResult',
      '',
    );
  }
  parts.push('#endSession');
  return `${parts.join('\n')}\n`;
}
