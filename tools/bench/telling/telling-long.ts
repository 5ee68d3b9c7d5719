/**
 * Two hours of film with a model that takes its time: requests, tokens, and how long it takes; killed in the middle and
 * gone on with, so that nothing is paid for twice.
 *
 *     npm run tool -- bench:telling-long --facts FILE --media DIR [--minutes 120] [--delay 5] [--parallel 4] [--kill]
 *
 * The film of the facts is repeated until the minutes are full; the oracle of `bench:telling` answers every request after
 * `--delay` seconds. With `--kill`, the first run is killed at half of its requests, and a second one goes on.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { runAside } from "../../common/aside.ts";
import { repeat } from "../../common/films.ts";
import { print } from "../../common/report.ts";
import { type FilmFacts, readFacts } from "./facts.ts";
import { Oracle } from "./oracle.ts";
import { oracleEnvironment, serveOracle } from "./oracle-server.ts";

const { values } = parseArgs({
  options: {
    facts: { type: "string" },
    media: { type: "string" },
    minutes: { type: "string", default: "120" },
    delay: { type: "string", default: "5" },
    parallel: { type: "string", default: "4" },
    kill: { type: "boolean", default: false },
  },
});
const { facts: factsFile, media } = values;
if (factsFile === undefined || media === undefined) {
  throw new Error("Name them: npm run tool -- bench:telling-long --facts FILE --media DIR");
}

/** The facts of a film that runs so many times in a row. */
function repeated(film: FilmFacts, times: number): FilmFacts {
  const rounds = Array.from({ length: times }, (_, round) => round * film.durationSeconds);
  const shifted = <Range extends { readonly start: number; readonly end: number }>(
    range: Range,
    by: number,
  ): Range => ({
    ...range,
    start: range.start + by,
    end: range.end + by,
  });
  return {
    ...film,
    durationSeconds: film.durationSeconds * times,
    shots: rounds.flatMap((by) => film.shots.map((shot) => shifted(shot, by))),
    facts: rounds.flatMap((by, round) =>
      film.facts.map((fact) => ({ ...shifted(fact, by), id: `${fact.id}-${round}` })),
    ),
  };
}

const film = await readFacts(factsFile);
const times = Math.max(1, Math.round((Number(values.minutes) * 60) / film.durationSeconds));
const place = await mkdtemp(join(tmpdir(), "aside-telling-long-"));
const path = join(place, "long.mp4");
const oracle = new Oracle(repeated(film, times));
const keys: string[] = [];
let halfWay: () => void = () => {};
const stop = new Promise<void>((resolve) => {
  halfWay = resolve;
});
const answered = new Map<string, number>();
const server = await serveOracle(oracle, Number(values.delay) * 1000, (shape, prompt, words) => {
  const key = `${shape}|${prompt}`;
  keys.push(key);
  // What cannot be used is not kept, and may be asked once more.
  if (isJson(words)) answered.set(key, (answered.get(key) ?? 0) + 1);
  if (values.kill && keys.length === KILLED_AFTER) halfWay();
});
/** Requests after which the first run is killed. */
const KILLED_AFTER = Math.round(times * 14);

function isJson(words: string): boolean {
  try {
    JSON.parse(words);
    return true;
  } catch {
    return false;
  }
}
try {
  await repeat(join(media, film.film), path, times * film.durationSeconds, film.durationSeconds);
  const environment = {
    ...oracleEnvironment(server),
    ASIDE_VISION_PARALLEL: values.parallel,
    ASIDE_VISION_PRICE: "1/4",
    ASIDE_TRANSCRIPTION_URL: "off",
  };
  const args = ["describe", path, "--out", join(place, "out"), "--data", join(place, "data"), "--track", "none"];
  print(`${times} times ${film.film}: ${((times * film.durationSeconds) / 60).toFixed(0)} minutes`);
  let firstSeconds = 0;
  if (values.kill) {
    const first = await runAside(args, { environment, stop });
    firstSeconds = first.seconds;
    print(`killed after ${first.seconds.toFixed(0)} s and ${keys.length} answers`);
  }
  const before = keys.length;
  // What the killed one had asked is answered to nobody.
  if (values.kill) await sleep(Number(values.delay) * 1000 + 500);
  const waitedBefore = server.asked.waitingSeconds;
  const last = await runAside(args, { environment });
  const { requests, inputTokens, outputTokens, pictures, waitingSeconds } = server.asked;
  const waited = waitingSeconds - waitedBefore;
  const twice = [...answered.values()].filter((count) => count > 1).length;
  print(`ended with ${last.code} after ${last.seconds.toFixed(0)} s and ${keys.length - before} answers`);
  print(
    `${((firstSeconds + last.seconds) / 60).toFixed(1)} minutes in all; of the last run, ${waited.toFixed(0)} s with a request under way, ${(last.seconds - waited).toFixed(0)} s of its own`,
  );
  print(`${requests} requests, ${pictures} pictures, ${inputTokens} tokens in, ${outputTokens} out`);
  print(`by stage: ${[...server.byShape].map(([shape, count]) => `${shape} ${count}`).join(", ")}`);
  print(`asked twice in the same words: ${twice}`);
  print(last.said);
} finally {
  await server.close();
  await rm(place, { recursive: true, force: true });
}
