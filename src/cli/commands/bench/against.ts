// `indium bench --against`: other implementations on the same scenes, in the same rounds.

import { parseEntries } from '../../../../bench/entry.ts';
import { listMicroScenes } from '../../../../bench/micro.ts';
import { type Contestant, compare, comparisonColumns, geometricMean, median } from '../../../../bench/peers/compare.ts';
import { microTitle, type Peer, type PeerResult, toPeerResult } from '../../../../bench/peers/peer.ts';
import { PEERS } from '../../../../bench/peers/peer-table.ts';
import { significant, toMarkdown, toText } from '../../../../bench/report/rows.ts';
import { runList } from '../../../../bench/run-list.ts';
import { computeScore } from '../../../../bench/score.ts';
import { writeFile, writeJson } from '../../files.ts';
import { parseCount, UsageError } from '../../usage-error.ts';
import { asWrongCall, microSettings, runMicroScenes, tellOfMissingThree } from './micro.ts';
import { asUsage, entryTexts, listOf, parseApi, type Run, withProgress, writeChart } from './run.ts';

function findPeers(names: string, mode: 'list' | 'micro'): Peer[] {
  const found: Peer[] = [];
  for (const name of names.split(',').filter((word) => word !== '')) {
    const peer = PEERS.get(name);
    if (!peer) throw new UsageError(`--against ${name}: there are ${[...PEERS.keys()].join(', ')}`);
    const missing = peer.findMissing(mode);
    if (missing) console.error(`${name} does not run: ${missing}`);
    else found.push(peer);
  }
  return found;
}

/** What the rounds run: one function for each contestant. */
interface Contest {
  readonly titles: readonly string[];
  readonly contestants: readonly { readonly name: string; run(): Promise<PeerResult[]> }[];
}

async function listContest(run: Run, peers: readonly Peer[]): Promise<Contest> {
  const { options, data, size, frameEnd } = run;
  const entries = await asUsage(() => parseEntries(entryTexts(options), data));
  const contexts = await run.openContexts(parseApi(options.api));
  const titles = entries.map(({ title }) => title);
  const texts = entries.map(({ scene, given }) =>
    [scene.name, ...[...given].map(([name, value]) => `${name}=${value}`)].join(':'),
  );
  const request = { entries: texts, titles, ...size, glmarkData: options.glmarkData ?? null, frameEnd };
  const own = async (): Promise<PeerResult[]> => {
    const results = await withProgress(contexts.name, entries.length, (progress) =>
      runList(contexts, entries, { ...size, data, frameEnd }, progress),
    );
    return results.map(({ title, fps, grid, message }) => ({ title, fps, grid, ...(message && { message }) }));
  };
  return {
    titles,
    contestants: [
      { name: contexts.name, run: own },
      ...peers.map((peer) => ({ name: peer.name, run: () => peer.runList(request) })),
    ],
  };
}

async function microContest(run: Run, peers: readonly Peer[]): Promise<Contest> {
  tellOfMissingThree(run);
  const given = microSettings(run);
  const scenes = given.scenes.length > 0 ? given.scenes : await asWrongCall(() => listMicroScenes(given.folder));
  const settings = { ...given, scenes };
  const titles: string[] = [];
  const own = async (): Promise<PeerResult[]> => {
    const results = await runMicroScenes(run, settings);
    if (titles.length === 0) titles.push(...results.map(microTitle));
    return results.map(toPeerResult);
  };
  const request = { ...settings, sizes: run.options.size };
  return {
    titles,
    contestants: [
      { name: 'indium', run: own },
      ...peers.map((peer) => ({ name: peer.name, run: () => peer.runMicro(request) })),
    ],
  };
}

const DEFAULT_ROUNDS = '3';

export async function runAgainst(run: Run): Promise<number> {
  const { options } = run;
  const peers = findPeers(options.against!, options.micro ? 'micro' : 'list');
  const rounds = parseCount('--rounds', options.rounds ?? DEFAULT_ROUNDS, 1);
  const { titles, contestants } = await (options.micro ? microContest : listContest)(run, peers);
  const found = contestants.map(({ name }) => ({ name, rounds: [] as (PeerResult[] | null)[] }));
  for (let round = 0; round < rounds; round++) {
    for (const [index, contestant] of contestants.entries()) {
      console.error(`round ${round + 1} of ${rounds}: ${contestant.name}`);
      try {
        found[index]!.rounds.push(await contestant.run());
      } catch (error) {
        console.error(`${contestant.name}: ${(error as Error).message}`);
        found[index]!.rounds.push(null);
      }
    }
  }
  return reportComparison(run, titles, found);
}

/** Scores by round, then their median. */
function medianScore({ rounds }: Contestant): number {
  const scores = rounds.map((results) =>
    results ? computeScore(results.map(({ fps }) => ({ fps, status: fps > 0 ? 'success' : 'failed' }))) : Number.NaN,
  );
  return median(scores);
}

function reportComparison(
  { options, size, data }: Run,
  titles: readonly string[],
  found: readonly Contestant[],
): number {
  const names = found.map(({ name }) => name);
  const rows = compare(titles, found);
  const columns = comparisonColumns(names);
  const scores = found.map((contestant) => ({ name: contestant.name, score: medianScore(contestant) }));
  const means = names
    .slice(1)
    .map((name, at) => ({ name, mean: geometricMean(rows.map(({ ratios }) => ratios[at]!)) }));
  const summaryLines = [
    ...(options.micro ? [] : scores.map(({ name, score }) => `Score of ${name}: ${score}`)),
    ...means.map(({ name, mean }) => `${names[0]} is ${significant(mean)} times as fast as ${name} (geometric mean)`),
  ];
  console.log(toText(columns, rows));
  console.log(summaryLines.join('\n'));
  for (const { name, rounds } of found) {
    const messages = rounds.find((round) => round !== null)?.filter(({ message }) => message) ?? [];
    for (const { title, message } of messages) console.error(`${name}: ${title}: ${message}`);
  }
  const failed = rows.filter(({ fps }) => !(fps[0]! > 0)).length;
  const summary = { passed: rows.length - failed, failed, skipped: 0 };
  const info = {
    size: `${size.width}x${size.height}`,
    data: data.name,
    node: process.version,
    date: new Date().toISOString(),
  };
  if (options.json) writeJson(options.json, { summary, info, names, scores, means, rows, rounds: found });
  if (options.markdown) writeFile(options.markdown, `${toMarkdown(columns, rows)}\n\n${summaryLines.join('\n\n')}\n`);
  writeChart(listOf(options.chart), {
    title: `${names.join(', ')}, ${size.width}x${size.height}`,
    unit: 'frames a second',
    series: names,
    bars: rows.map(({ title, fps }) => ({ label: title, values: fps.map((value) => (value > 0 ? value : null)) })),
  });
  return failed === 0 ? 0 : 1;
}
