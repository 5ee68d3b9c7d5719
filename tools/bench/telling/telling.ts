/**
 * What a listener gets of ten films: the whole pipeline, as `aside describe` runs it, with an oracle at the port where
 * models are asked. The oracle knows what is seen in each film, and tells only what the pictures of a request can show.
 *
 *     npm run tool -- bench:telling --facts DIR --media DIR [--film NAME] [--type standard|extended|both] [--json FILE]
 *                              [--aside PATH] [--words] [--dialogue none|captions|words] [--max-added PERCENT] [--show]
 *                              [--log FILE] [--luck WORD]
 *
 * With `--words` a transcription server is there as well, which finds no word in what has none: a yawn closes no pause then.
 * `--dialogue` says how the words of films that have captions are known: by those captions (as usual), by an oracle of a transcription
 * that tells the times of all words, or not at all. What lies over speech is measured against these words in each case.
 *
 * `--facts` is a folder of files as `telling/facts.ts` describes them, `--aside` the command line of another version to be
 * measured by the same oracle. `--show` prints the lines that are heard and the facts that nobody tells, `--log`
 * writes every question and answer to a file. Which answers of the oracle are wrong is chance, always the same; another
 * `--luck` is another chance.
 */

import { appendFileSync, existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { speechFromCaptions } from "../../../src/core/dialogue.ts";
import { mergeRanges, overlapWithRanges, type TimeRange } from "../../../src/core/time-range.ts";
import { spokenSeconds } from "../../../src/engine/spoken-line.ts";
import { EspeakVoice } from "../../../src/engine/voice/espeak.ts";
import { readCues } from "../../../src/formats/index.ts";
import { ASIDE, runAside } from "../../common/aside.ts";
import { quantile } from "../../common/measure.ts";
import { print, printHead, printRow } from "../../common/report.ts";
import { mostTold } from "./bound.ts";
import { type Fact, type FilmFacts, readFacts } from "./facts.ts";
import { Oracle } from "./oracle.ts";
import { oracleEnvironment, serveOracle } from "./oracle-server.ts";
import { type HeardLine, type Share, scoreTelling, type Telling } from "./score.ts";
import { spokenFilm, transcriptionAnswer } from "./spoken-words.ts";

const { values } = parseArgs({
  options: {
    facts: { type: "string" },
    media: { type: "string" },
    film: { type: "string" },
    type: { type: "string", default: "both" },
    json: { type: "string" },
    aside: { type: "string", default: ASIDE },
    log: { type: "string" },
    words: { type: "boolean", default: false },
    dialogue: { type: "string", default: "captions" },
    "max-added": { type: "string" },
    show: { type: "boolean", default: false },
    luck: { type: "string", default: "" },
  },
});
const { facts: factsFolder, media } = values;
if (!["none", "captions", "words"].includes(values.dialogue)) throw new Error("--dialogue is none, captions or words");
if (factsFolder === undefined || media === undefined) {
  throw new Error("Name the folders: npm run tool -- bench:telling --facts DIR --media DIR");
}

/** Films with pauses, in which standard AD is measured. */
const WITH_PAUSES = [
  "rabbit-video",
  "chrome",
  "sintel-excerpt",
  "big-buck-bunny-5min",
  "tears-of-steel",
  "chaplin",
  "popeye",
];

/** What captions beside a film are called, by how they end. */
const CAPTIONS = [".eng.srt", ".vtt", "-caption.vtt"];

/** Films with spoken words that stand in no file: nobody can be asked for them. */
const UNWRITTEN = ["sintel"];

interface Run {
  readonly film: string;
  readonly type: "standard" | "extended";
  readonly telling: Telling;
  /** Facts that could be told in the pauses by this voice, and those of them that a request's pictures show; in standard AD alone. */
  readonly possible: Possible | null;
  /** Where somebody speaks, in seconds. */
  readonly speech: readonly TimeRange[];
  /** Seconds of lines over words that are spoken; `null` where nobody knows the words. */
  readonly overWords: number | null;
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly withoutPicture: number;
}

interface Possible {
  readonly three: number;
  readonly threeShown: number;
  readonly twoAndThree: number;
  readonly twoAndThreeShown: number;
}

async function describe(film: FilmFacts, name: string, type: "standard" | "extended"): Promise<Run> {
  const place = await mkdtemp(join(tmpdir(), "aside-telling-"));
  const oracle = new Oracle(film, values.luck);
  const { log } = values;
  const path = join(media ?? "", film.film);
  const beside = CAPTIONS.map((ending) => path.replace(/(?:-video)?\.\w+$/, ending)).find((one) => existsSync(one));
  const spoken = beside === undefined ? null : await spokenFilm(path, await readFile(beside, "utf8"));
  const isOracle = values.dialogue === "words" && spoken !== null && spoken.sound.length > 0;
  const server = await serveOracle(
    oracle,
    0,
    (shape, prompt, words) => {
      if (log !== undefined) appendFileSync(log, `===== ${shape}\n${prompt}\n----- answer\n${words}\n`);
    },
    // Every word that is spoken in a film is in captions beside it; the others are heard as sounds and have none.
    isOracle ? (sent) => transcriptionAnswer(spoken, sent) : undefined,
  );
  try {
    const captions = values.dialogue === "captions" || (values.dialogue === "words" && !isOracle) ? beside : undefined;
    const out = join(place, "out");
    const args = ["describe", path, "--out", out, "--data", join(place, "data")];
    if (type === "extended") args.push("--ad-type", "extended_ad", "--track", "none");
    const most = values["max-added"];
    if (type === "extended" && most !== undefined) args.push("--max-added", most);
    if (captions !== undefined) args.push("--captions", captions);
    const hears = isOracle || (values.words && !UNWRITTEN.some((one) => name.includes(one)));
    const environment = {
      ...oracleEnvironment(server),
      ASIDE_TRANSCRIPTION_URL: hears ? server.url : "off",
      ASIDE_TRANSCRIPTION_MODEL: "oracle",
    };
    const { said } = await runAside(args, { environment, program: values.aside });
    const report = JSON.parse(await readFile(join(out, "report.json"), "utf8").catch(() => "null"));
    if (report === null) print(`${name}, ${type}: no result.\n${said}`);
    const lines: HeardLine[] = report?.cues ?? [];
    const heard: [number, number, number][] = report?.service_report?.speech ?? [];
    // What the lines keep clear of: what was heard, as the captions make it out.
    const speech = speechFromCaptions(
      heard.map(([start, end, confidence]) => ({ start, end, confidence })),
      captions === undefined ? [] : readCues(await readFile(captions, "utf8")).cues,
    );
    const pauses: { seconds: number }[] = report?.service_report?.held?.pauses ?? [];
    const heldSeconds = pauses.reduce((sum, { seconds }) => sum + seconds, 0);
    const invented = [...oracle.invented];
    const howFar = ({ id }: { id: string }) =>
      oracle.written.has(id) ? ", written" : oracle.logged.has(id) ? ", logged" : ", not seen";
    const telling = scoreTelling({ film, lines, speech, invented, heldSeconds, howFar });
    const possible = type === "extended" ? null : await possibleIn(film, speech, oracle.logged);
    if (values.show) show(name, type, lines, telling, report?.notices ?? []);
    const { requests, inputTokens, outputTokens, withoutPicture } = server.asked;
    const words = spoken === null || spoken.sound.length === 0 ? null : mergeRanges(spoken.words);
    const overWords = words && lines.reduce((sum, line) => sum + overlapWithRanges(line, words), 0);
    const asked = { requests, inputTokens, outputTokens, withoutPicture };
    return { film: name, type, telling, possible, speech, overWords, ...asked };
  } finally {
    await server.close();
    await rm(place, { recursive: true, force: true });
  }
}

/** What the voice that speaks by default needs for words. */
const voice = new EspeakVoice();
const secondsOf = async (words: string) =>
  spokenSeconds(await voice.speak({ text: words, written: words, language: "en-US", voice: "Achernar", rate: 1 }));

async function possibleIn(
  film: FilmFacts,
  speech: readonly TimeRange[],
  shown: ReadonlySet<string>,
): Promise<Possible> {
  const { durationSeconds, coveredSeconds: [from, to] = [0, durationSeconds] } = film;
  const most = (isMeant: (fact: Fact) => boolean) =>
    mostTold({
      facts: film.facts.filter((fact) => fact.start >= from && fact.start < to && isMeant(fact)),
      durationSeconds,
      speech,
      secondsOf,
    });
  return {
    three: await most(({ importance }) => importance === 3),
    threeShown: await most(({ id, importance }) => importance === 3 && shown.has(id)),
    twoAndThree: await most(({ importance }) => importance >= 2),
    twoAndThreeShown: await most(({ id, importance }) => importance >= 2 && shown.has(id)),
  };
}

function show(
  name: string,
  type: string,
  lines: readonly HeardLine[],
  telling: Telling,
  notes: readonly string[],
): void {
  print(`\n## ${name}, ${type}`);
  for (const { start, end, text } of lines) print(`${start.toFixed(1).padStart(6)} to ${end.toFixed(1)}  ${text}`);
  for (const fact of telling.missed) print(`not told: ${fact}`);
  for (const note of notes) print(`note: ${note}`);
}

const percent = ({ told, of }: Share) => (of === 0 ? "-" : `${Math.round((100 * told) / of)} %`);
const shareOf = (share: Share) => `${share.told}/${share.of} ${percent(share)}`;

function rowOf({
  film,
  telling,
  possible,
  overWords,
  requests,
  inputTokens,
  outputTokens,
  withoutPicture,
}: Run): string[] {
  const { lateSeconds, sinceStartSeconds, pauseSecondsUsed, pauseSeconds } = telling;
  return [
    film,
    shareOf(telling.three),
    shareOf(telling.twoAndThree),
    possible === null ? "-" : `${possible.three}, ${possible.threeShown}`,
    possible === null ? "-" : `${possible.twoAndThree}, ${possible.twoAndThreeShown}`,
    percent(telling.actions),
    shareOf(telling.invented),
    `${quantile(lateSeconds, 0.5).toFixed(1)} / ${Math.max(0, ...lateSeconds).toFixed(1)}`,
    quantile(sinceStartSeconds, 0.5).toFixed(1),
    String(telling.early),
    shareOf(telling.inAnotherShot),
    String(telling.repeated),
    percent({ told: pauseSecondsUsed, of: pauseSeconds }),
    telling.wordsPerMinute.toFixed(0),
    `${telling.heldSeconds.toFixed(1)} / ${telling.programmeSeconds.toFixed(0)}`,
    overWords === null ? "-" : overWords.toFixed(2),
    `${requests}${withoutPicture > 0 ? ` (${withoutPicture} without a picture)` : ""}`,
    `${Math.round(inputTokens / 1000)} / ${Math.round(outputTokens / 1000)}`,
  ];
}

const HEAD = [
  "Film",
  "Importance 3",
  "2 and 3",
  "3 possible, shown",
  "2 and 3 possible, shown",
  "Actions",
  "Invented, heard",
  "Late, median / most s",
  "Since start, median s",
  "Early",
  "In another shot",
  "Twice",
  "Pause time used",
  "Words/min",
  "Held / programme s",
  "Over words s",
  "Requests",
  "kTokens in / out",
];

/** Several films as one. */
function pooled(film: string, runs: readonly Run[]): Run {
  const sum = (pick: (run: Run) => number) => runs.reduce((total, run) => total + pick(run), 0);
  const share = (pick: (telling: Telling) => Share): Share => ({
    told: sum(({ telling }) => pick(telling).told),
    of: sum(({ telling }) => pick(telling).of),
  });
  const minutes = sum(({ telling }) => telling.programmeSeconds) / 60;
  return {
    film,
    type: runs[0]?.type ?? "standard",
    requests: sum((run) => run.requests),
    inputTokens: sum((run) => run.inputTokens),
    outputTokens: sum((run) => run.outputTokens),
    withoutPicture: sum((run) => run.withoutPicture),
    possible: runs.some(({ possible }) => possible === null)
      ? null
      : {
          three: sum(({ possible }) => possible?.three ?? 0),
          threeShown: sum(({ possible }) => possible?.threeShown ?? 0),
          twoAndThree: sum(({ possible }) => possible?.twoAndThree ?? 0),
          twoAndThreeShown: sum(({ possible }) => possible?.twoAndThreeShown ?? 0),
        },
    speech: [],
    overWords: sum(({ overWords }) => overWords ?? 0),
    telling: {
      three: share(({ three }) => three),
      twoAndThree: share(({ twoAndThree }) => twoAndThree),
      actions: share(({ actions }) => actions),
      invented: share(({ invented }) => invented),
      inAnotherShot: share(({ inAnotherShot }) => inAnotherShot),
      lateSeconds: runs.flatMap(({ telling }) => telling.lateSeconds),
      sinceStartSeconds: runs.flatMap(({ telling }) => telling.sinceStartSeconds),
      early: sum(({ telling }) => telling.early),
      repeated: sum(({ telling }) => telling.repeated),
      pauseSecondsUsed: sum(({ telling }) => telling.pauseSecondsUsed),
      pauseSeconds: sum(({ telling }) => telling.pauseSeconds),
      wordsPerMinute: sum(({ telling }) => (telling.wordsPerMinute * telling.programmeSeconds) / 60) / minutes,
      lines: sum(({ telling }) => telling.lines),
      heldSeconds: sum(({ telling }) => telling.heldSeconds),
      programmeSeconds: sum(({ telling }) => telling.programmeSeconds),
      missed: [],
    },
  };
}

function printTable(type: string, rows: readonly Run[]): void {
  print(`\n${type}\n`);
  printHead(...HEAD);
  for (const row of rows) printRow(...rowOf(row));
}

const files = (await readdir(factsFolder)).filter((name) => name.endsWith(".json")).sort();
const runs: Run[] = [];
for (const type of ["standard", "extended"] as const) {
  if (values.type !== "both" && values.type !== type) continue;
  for (const file of files) {
    const name = file.replace(/\.json$/, "");
    if (values.film !== undefined && !name.includes(values.film)) continue;
    runs.push(await describe(await readFacts(join(factsFolder, file)), name, type));
  }
  const mine = runs.filter((run) => run.type === type);
  const withPauses = mine.filter(({ film }) => WITH_PAUSES.some((one) => film.includes(one)));
  printTable(type, [
    ...mine,
    ...(type === "standard" ? [pooled("with pauses, pooled", withPauses)] : []),
    pooled("all, pooled", mine),
  ]);
}
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(runs, null, 2)}\n`);
