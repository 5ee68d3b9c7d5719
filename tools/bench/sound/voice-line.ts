import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "../../../src/client/client.ts";
import { DEFAULT_SETTINGS } from "../../../src/core/settings.ts";
import { median } from "../../../src/core/time-range.ts";
import { nodeFiles } from "../../../src/host/headless/files.ts";
import { askedSettings, RESULT_VERSION, type Result } from "../../../src/result/result.ts";
import { SYSTEM_CLOCK } from "../../../src/service/system-clock.ts";
import { resultWithLine, voiceLine } from "../../../src/workflow/revoice/voice-line.ts";
import { serve } from "../../common/served.ts";

// How long an editor waits for a line that was just edited: from the edited words to a WAV file that can be played, by the
// built-in voice of a service on this computer, over its real port. Three lines are voiced before anything is counted, and
// between two lines an editor thinks for two seconds.

const WARMING = 3;
const COUNTED = 20;
const PAUSE_MS = 2000;
const WHO = ["A woman", "The old man", "A boy in a red coat", "The driver", "A tall girl"];
const WHAT = [
  "opens the door and looks at the sea",
  "sits down by the window",
  "runs across the empty street",
  "smiles",
];

const folder = await mkdtemp(join(tmpdir(), "aside-voice-line-"));
const service = await serve({});
const client = new Client({ baseUrl: service.url, apiKey: service.key, fetch, clock: SYSTEM_CLOCK });

const texts = Array.from({ length: WARMING + COUNTED }, (_, index) => {
  const [who, what] = [WHO[index % WHO.length], WHAT[index % WHAT.length]];
  return `${who} ${what}, for time ${index}.`;
});
const cues = texts.map((_, index) => ({
  id: `cue-${index}`,
  start: index * 6,
  end: index * 6 + 3.5,
  text: "Old words.",
}));
let result: Result = {
  version: RESULT_VERSION,
  revision: 0,
  runId: "",
  jobId: "",
  settings: askedSettings(DEFAULT_SETTINGS),
  track: "ad_only",
  offsetSeconds: 0,
  durationSeconds: cues.length * 6,
  cues,
  generated: cues,
  findings: [],
  issues: [],
  notices: [],
  voiced: {},
  voicing: { track: "ad_only", narrationGainDb: 0, trackGainDb: 0, lines: [] },
  acceptedIds: [],
};

const times: number[] = [];
const load = [loadavg()[0] ?? 0];
for (const [index, text] of texts.entries()) {
  await sleep(PAUSE_MS);
  const cueId = `cue-${index}`;
  result = { ...result, cues: result.cues.map((cue) => (cue.id === cueId ? { ...cue, text } : cue)) };
  const begun = performance.now();
  const pathOf = (name: string) => join(folder, name);
  const voiced = await voiceLine({ client, files: nodeFiles }, { result, cueId, pathOf });
  const milliseconds = performance.now() - begun;
  if (voiced.kind !== "voiced") throw new Error(voiced.kind);
  result = resultWithLine(result, voiced.line);
  if (index >= WARMING) times.push(milliseconds);
}
load.push(loadavg()[0] ?? 0);
const shown = (milliseconds: number) => `${Math.round(milliseconds)} ms`;
const [least, most] = [shown(Math.min(...times)), shown(Math.max(...times))];
const [before, after] = load.map((value) => value.toFixed(1));
process.stdout.write(`${COUNTED} edited lines, each in a file after ${shown(median(times))} (median), ${least} to ${most}
load of this machine: ${before} before, ${after} after\n`);
await service.close();
await rm(folder, { recursive: true, force: true });
